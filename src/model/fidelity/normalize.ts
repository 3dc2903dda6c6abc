// From a folded state to the normal form: what says the same becomes the same.
import type { Json } from '../../acp/message.ts';
import type { ItemBody, Item, SessionState } from '../fold/state.ts';
import { configOptionWords } from '../fold/settings.ts';
import {
  messageFields,
  planFields,
  terminalFields,
  toolFields,
  toolInV1,
} from '../replay/fields.ts';
import { count } from '../../lib/format.ts';
import { decodeLossy } from '../../lib/utf8.ts';
import type { FactKind, NormalFields, NormalFact, NormalItem } from '../replay/normal-form.ts';
import type { Numbering } from './numbering.ts';

/** An item, and the numbers of its first and last frame. */
export interface Numbered extends NormalItem {
  readonly from: number;
  readonly to: number;
  /** Of the connection that it was said on. */
  readonly version: 1 | 2;
  /** Its fields as v1 says them, where a connection of v2 said it in words that v1 does not have. */
  readonly inV1?: (() => NormalFields) | undefined;
  /** Words of the client that the agent did not tell. */
  readonly isOnlySent?: boolean | undefined;
  /** Of a message between sessions: its ids in the transcripts of both. */
  readonly views?: readonly string[] | undefined;
  /** Number of the first frame of the message that a client folds this piece into; undefined: the item is whole. */
  readonly pieceOf?: number | undefined;
  /** Late, and yet begun in time: it is told again. */
  readonly isAgain?: boolean;
}

/**
 * Items in the order they began. Messages that say nothing and have no id are none. `baselines`: how
 * many frames only emptied the message of this key, and are no chunks of it. `isLate`: whether the
 * frame of a number came late: the fold marks no terminals, and not which of an item's frames did.
 */
export function itemsOf(
  state: SessionState,
  numbering: Numbering,
  baselines: ReadonlyMap<string, number> = new Map(),
  isLate: (number: number) => boolean = () => false,
): Numbered[] {
  const { items, terminals } = state;
  const versionOf = (number: number) => numbering.version(number) ?? state.version;
  const shownBy = shownIn(state);
  const found = items.slice(0, items.length).flatMap((item): Loose[] => {
    const said = saidIn(item.body, versionOf(item.first), shownBy);
    const { first, last, late } = item;
    const frames = Math.max(1, item.frames - (baselines.get(item.key) ?? 0));
    return said ? [{ first, last, late, frames, said }] : [];
  });
  for (const terminal of terminals.list.slice(0, terminals.list.length)) {
    const { terminalId: id, first, last } = terminal;
    const said: SaidIn = { kind: 'terminal', id, fields: terminalFields(terminal) };
    // Terminals of v1 are the client's own.
    if (versionOf(first) === 2) found.push({ first, last, late: isLate(first), frames: 1, said });
  }
  let turn = 0;
  return found
    .filter(({ said: { fields, id } }) => fields.size > 0 || id !== undefined)
    .sort((a, b) => a.first - b.first)
    .map(({ first: from, last: to, late, frames, said }) => {
      const { kind, id, fields, inV1, isOnlySent, views } = said;
      if (kind === 'user') turn++;
      const [first, last] = [numbering.frame(from), numbering.frame(to)];
      const version = versionOf(from);
      const isAgain = id !== undefined && late && !isLate(from);
      // Spelled out, so that all items are of one shape: there are many, and all that compares reads them.
      return {
        kind,
        id,
        first,
        last,
        frames,
        turn,
        late,
        fields,
        from,
        to,
        version,
        inV1,
        isOnlySent,
        views,
        isAgain,
      };
    });
}

type SaidIn = Pick<Numbered, 'kind' | 'id' | 'fields' | 'inV1' | 'isOnlySent' | 'views'>;

/** An item before it is numbered into turns, and the numbers of its frames. */
interface Loose extends Pick<Item, 'first' | 'last' | 'frames' | 'late'> {
  readonly said: SaidIn;
}

/** Undefined: it is no part of the conversation. */
function saidIn(
  body: ItemBody,
  version: 1 | 2,
  shownBy: (terminalId: string) => string | undefined,
): SaidIn | undefined {
  switch (body.type) {
    case 'message': {
      const { role: kind, messageId: id, peer } = body;
      const views = [id, peer?.senderMessageId, peer?.recipientMessageId];
      const isOnlySent = body.prompt !== undefined && body.isEchoed !== true;
      const said = { kind, id, fields: messageFields(body), isOnlySent };
      return peer ? { ...said, views: views.filter((one) => one !== undefined) } : said;
    }
    case 'tool': {
      const fields = toolFields(body, version, shownBy);
      const said = { kind: body.type, id: body.toolCallId, fields };
      return version === 1 ? said : { ...said, inV1: () => toolFields(toolInV1(body), 1, shownBy) };
    }
    case 'plan':
      return { kind: body.type, id: body.planId, fields: planFields(body) };
    case 'ask':
    case 'note':
      return undefined;
  }
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
export function settingFacts(state: SessionState, numbering: Numbering): NormalFact[] {
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
    add('config', value.id, configOptionWords(value) ?? value.name, value.value, seq, isMode);
  }
  if (commands) {
    const value = commandNames(commands.value);
    add('commands', 'commands', count(value.length, 'command'), value, commands.seq);
  }
  if (title) add('title', 'title', title.value, title.value, title.seq);
  if (activity && (numbering.version(activity.seq) ?? state.version) === 2) {
    const { state: words } = activity.value;
    add('state', 'state', words, words, activity.seq);
  }
  return facts;
}

export function commandNames(commands: readonly { readonly name: string }[]): string[] {
  return commands.map(({ name }) => name);
}

/** What the parent of a child session says of it, by the folded state of that parent. */
export function announcedFacts(
  { subagents, version }: SessionState,
  child: string,
  numbering: Numbering,
): NormalFact[] {
  const agent = subagents.get(child);
  if (!agent) return [];
  const { first, title, description, cwd } = agent;
  return Object.entries({ title, description, cwd }).flatMap(([name, value]): NormalFact[] =>
    value === undefined
      ? []
      : [
          {
            ...{ kind: 'announced', name, words: value, value, isMode: false },
            ...{ frame: numbering.frame(first), version: numbering.version(first) ?? version },
          },
        ],
  );
}
