// The pages of `session/list` on one connection: which list cursors were given out, for what filter,
// and what the pages before them held.
import { get, objects, str } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import type { Seq } from '../../trace/event.ts';
import type { Connection } from '../connection.ts';
import { fact } from '../facts.ts';
import { onAnswer } from '../listen.ts';
import type { Fold } from '../rule.ts';

/** One way through the pages, shared by its list cursors: who asks for a page again goes on in it. */
interface Way {
  /** Sessions by the page, and by the answer, that listed them first. */
  readonly sessions: Map<string, { readonly page: number; readonly seq: Seq }>;
  readonly cursors: Map<string, number>;
}

/** A place between two pages. */
export interface Traversal {
  /** What the pages are filtered by. */
  readonly filter: string;
  /** The answer that gave the list cursor. */
  readonly seq: Seq;
  /** Pages up to here. */
  readonly page: number;
  readonly way: Way;
}

/** Traversals by the list cursor that goes on with them; the newest where one was given twice. */
export const traversals = fact<Connection, Map<string, Traversal>>(() => new Map());

const MOST_CURSORS = 1000;
/** Longer lists are looked through for duplicates so far. */
const MOST_SESSIONS = 100_000;

/** What a list is filtered by, as text that is the same for the same filter. */
export function filterOf(params: Json | undefined): string {
  return JSON.stringify([str(params, 'cwd') ?? null, get(params, 'archived') ?? null]);
}

export function idsIn(result: Json | undefined): readonly string[] {
  return objects(result, 'sessions').flatMap((info) => str(info, 'sessionId') ?? []);
}

export const listFold: Fold = {
  on: [
    onAnswer(['session/list'], ({ result, params, seq, from }, connection) => {
      const next = str(result, 'nextCursor');
      if (next === undefined || from !== 'agent') return;
      const held = traversals.of(connection);
      const sent = str(params, 'cursor');
      const before = sent === undefined ? undefined : held.get(sent);
      const way: Way = before?.way ?? { sessions: new Map(), cursors: new Map() };
      const page = (before?.page ?? 0) + 1;
      for (const id of idsIn(result))
        if ((way.sessions.get(id)?.page ?? page) >= page && way.sessions.size < MOST_SESSIONS)
          way.sessions.set(id, { page, seq });
      if ((way.cursors.get(next) ?? page) >= page) way.cursors.set(next, page);
      held.set(next, { filter: filterOf(params), seq, page, way });
      const oldest = held.keys().next();
      if (held.size > MOST_CURSORS && oldest.done !== true) held.delete(oldest.value);
    }),
  ],
};
