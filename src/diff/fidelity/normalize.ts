// From a folded state to the normal form: what says the same becomes the same.
import type { Json } from '../../acp/message.ts';
import type { Item, MessageBody, SessionState } from '../../model/fold/state.ts';
import type { Terminal } from '../../model/fold/terminals.ts';
import { optionWords } from '../../model/fold/settings.ts';
import {
  messageFields,
  planFields,
  terminalFields,
  toolFields,
  toolInV1,
} from '../../model/replay/fields.ts';
import { count } from '../../lib/format-count.ts';
import { decodeLossy } from '../../lib/utf8.ts';
import type {
  FactKind,
  Fields,
  ItemKind,
  NormalFact,
  NormalItem,
} from '../../model/replay/normal-form.ts';
import type { Numbering } from './numbering.ts';

/** An item before it is numbered into turns. */
interface Loose extends Told {
  readonly kind: ItemKind;
  readonly id: string | undefined;
  readonly first: number;
  readonly last: number;
  readonly frames: number;
  readonly late: boolean;
  readonly fields: Fields;
}

interface Told {
  /** Its fields as v1 says them, where a connection of v2 said it in words that v1 does not have. */
  readonly inV1?: (() => Fields) | undefined;
  /** Of a message between sessions: its ids in the transcripts of both. */
  readonly views?: readonly string[] | undefined;
}

/** An item, and the numbers of its first and last frame. */
export interface Numbered extends NormalItem, Told {
  readonly from: number;
  readonly to: number;
  /** Of the connection that it was said on. */
  readonly version: 1 | 2;
}

/**
 * Items in the order they began. Messages that say nothing and have no id are none. `baselines`: how
 * many frames only emptied the message of this key, and are no chunks of it. `isLate`: whether the
 * frame of a number came late, asked of terminals, which the fold does not mark.
 */
export function itemsOf(
  state: SessionState,
  numbering: Numbering,
  baselines: ReadonlyMap<string, number> = new Map(),
  isLate: (number: number) => boolean = () => false,
): Numbered[] {
  const { items, terminals } = state;
  const versionOf = (number: number) => numbering.version(number) ?? state.version;
  const loose = items
    .slice(0, items.length)
    .flatMap((item) => looseOf(item, state, versionOf(item.first), baselines.get(item.key) ?? 0));
  for (const terminal of terminals.list.slice(0, terminals.list.length))
    // Terminals of v1 are the client's own.
    if (versionOf(terminal.first) === 2) loose.push(terminalOf(terminal, isLate(terminal.first)));
  let turn = 0;
  return loose
    .filter(({ fields, id }) => fields.size > 0 || id !== undefined)
    .sort((a, b) => a.first - b.first)
    .map(({ first, last, kind, id, frames, late, fields, ...told }) => {
      if (kind === 'user') turn++;
      return {
        kind,
        id,
        first: numbering.frame(first),
        last: numbering.frame(last),
        frames,
        turn,
        late,
        fields,
        from: first,
        to: last,
        version: versionOf(first),
        ...told,
      };
    });
}

function looseOf(
  { first, last, frames, late, body }: Item,
  state: SessionState,
  version: 1 | 2,
  emptied: number,
): Loose[] {
  const base = { first, last, frames: Math.max(1, frames - emptied), late };
  switch (body.type) {
    case 'message':
      return [
        {
          ...base,
          kind: body.role,
          id: body.messageId,
          fields: messageFields(body),
          ...viewsOf(body),
        },
      ];
    case 'tool': {
      const fields = toolFields(body, version, shownIn(state));
      const inV1 =
        version === 2 ? { inV1: () => toolFields(toolInV1(body), 1, shownIn(state)) } : {};
      return [{ ...base, kind: 'tool', id: body.toolCallId, fields, ...inV1 }];
    }
    case 'plan':
      return [{ ...base, kind: 'plan', id: body.planId, fields: planFields(body) }];
    case 'ask':
    case 'note':
      return [];
  }
}

function terminalOf({ terminalId, first, last, ...terminal }: Terminal, late: boolean): Loose {
  const fields = terminalFields(terminal);
  return { kind: 'terminal', id: terminalId, first, last, frames: 1, late, fields };
}

function viewsOf({ messageId, peer }: MessageBody): Told {
  if (!peer) return {};
  const ids = [messageId, peer.senderMessageId, peer.recipientMessageId];
  return { views: ids.filter((id) => id !== undefined) };
}

/** What a terminal of a v1 client showed. */
function shownIn({ terminals, sessionId }: SessionState) {
  return (terminalId: string) => {
    const at = terminals.places.get(JSON.stringify([sessionId, terminalId]));
    const terminal = at === undefined ? undefined : terminals.list.get(at);
    return terminal && decodeLossy(terminal.output.bytes());
  };
}

/** What the session is set to. The state of v2 is no setting, but each restore must tell it. */
export function factsOf(state: SessionState, numbering: Numbering): NormalFact[] {
  const { modes, config, commands, title, activity } = state;
  const facts: NormalFact[] = [];
  const add = (
    kind: FactKind,
    name: string,
    words: string,
    value: Json,
    seq: number,
    isMode = false,
  ) => {
    const version = numbering.version(seq) ?? state.version;
    facts.push({ kind, name, words, value, frame: numbering.frame(seq), version, isMode });
  };
  if (modes) {
    const { current, available } = modes.value;
    const words = available.find(({ id }) => id === current)?.name ?? current;
    add('mode', 'mode', words, current, modes.seq, true);
  }
  for (const { value, seq } of config) {
    const isMode = value.category === 'mode';
    add('config', value.id, optionWords(value) ?? value.name, value.value, seq, isMode);
  }
  if (commands) {
    const value = commands.value.map(({ name }) => name);
    add('commands', 'commands', count(value.length, 'command'), value, commands.seq);
  }
  if (title) add('title', 'title', title.value, title.value, title.seq);
  if (activity && (numbering.version(activity.seq) ?? state.version) === 2) {
    const { state: words } = activity.value;
    add('state', 'state', words, words, activity.seq);
  }
  return facts;
}
