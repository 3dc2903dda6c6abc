// What only this connection knows: its sessions, folders, modes, open requests, and what was sent on it.
import { parseJson, str } from '../../acp/json.ts';
import type { SentRecord } from '../../engine/messages.ts';
import { formatCount } from '../../lib/format.ts';
import type { ConnectionFacts, SessionFacts } from '../../model/facts/facts-view.ts';

export interface KnownValue {
  readonly token: string;
  readonly what: string;
}

/** Values for a field of this name: the selected session first, the placeholder last. */
export function knownValues(
  name: string,
  facts: ConnectionFacts | undefined,
  session: SessionFacts | undefined,
): readonly KnownValue[] {
  switch (name) {
    case 'sessionId':
      return [
        ...(facts?.sessions ?? [])
          .toSorted((a, b) => Number(b === session) - Number(a === session))
          .map(({ sessionId, chip, title = '' }) => value(sessionId, `${chip} ${title}`.trim())),
        value('$sessionId', 'placeholder: the selected session'),
      ];
    case 'cwd': {
      const folders = new Set([session?.cwd, facts?.started?.cwd]);
      return [
        ...[...folders].flatMap((cwd) => (cwd === undefined ? [] : [value(cwd, 'folder')])),
        value('$cwd', 'placeholder: the folder of the session'),
      ];
    }
    case 'messageId':
      return [value('$lastMessageId', 'placeholder: the newest message of the session')];
    case 'modeId':
      return (session?.modes?.available ?? []).map(({ id, name: words }) => value(id, words));
    case 'configId':
      return (session?.config ?? []).map(({ id, name: words }) => value(id, words));
    case 'value':
      return (session?.config ?? []).flatMap(({ name: option, options }) =>
        options.map((choice) => value(choice.value, `${option}: ${choice.name}`)),
      );
    case 'methodId':
      return (facts?.handshake?.authMethods ?? []).map(({ id, name: words }) => value(id, words));
    case 'optionId':
      return (facts?.open ?? []).flatMap(({ options = [] }) =>
        options.map(({ optionId, name: words }) => value(optionId, words)),
      );
    case 'requestId':
      return (facts?.open ?? []).flatMap(({ from, id, method }) =>
        from === 'client' ? [{ token: id.slice(1), what: method }] : [],
      );
    default:
      return [];
  }
}

function value(text: string, what: string): KnownValue {
  return { token: JSON.stringify(text), what };
}

const LONGEST = 64;

/** One line for a message sent before: when, and what it was. */
export function sentLabel({ at, text }: SentRecord): string {
  const time = new Date(at).toLocaleTimeString('en-GB');
  const method = str(parseJson(text), 'method');
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return `${time} · ${method === undefined ? cut : `${method} · ${formatCount(text.length)} chars`}`;
}
