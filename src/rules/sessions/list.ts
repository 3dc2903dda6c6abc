// Listing sessions: filters, pages and what stands in an entry. Family `list` of the catalogue.
import { CODE, type Json, type JsonObject } from '../../acp/message.ts';
import { arr, get, isArray, isObject, str, typeWords, objects } from '../../acp/json.ts';
import { isAbsolutePath, sameDirectory } from '../../lib/absolute-path.ts';
import { type Connection, fact } from '../connection.ts';
import { onAnswer, onRequest, onUpdate } from '../listen.ts';
import {
  rulesOf,
  fail,
  judged,
  undecidable,
  type RuleFault,
  type Outcome,
  type Undecided,
  quote,
  type Fold,
  mayBeUnseen,
} from '../rule.ts';
import { isSeenWhole } from './setup-facts.ts';
import type { Seq } from '../../trace/event.ts';

// The pages of `session/list` on one connection: which list cursors were given out, for what filter,
// and what the pages before them held.

/** One way through the pages, shared by its list cursors: who asks for a page again goes on in it. */
interface Way {
  /** Sessions by the page, and by the answer, that listed them first. */
  readonly sessions: Map<string, { readonly page: number; readonly seq: Seq }>;
  readonly cursors: Map<string, number>;
}

/** A place between two pages. */
interface Traversal {
  /** What the pages are filtered by. */
  readonly filter: string;
  /** The answer that gave the list cursor. */
  readonly seq: Seq;
  /** Pages up to here. */
  readonly page: number;
  readonly way: Way;
}

/** Traversals by the list cursor that goes on with them; the newest where one was given twice. */
const traversals = fact<Connection, Map<string, Traversal>>(() => new Map());

const MOST_CURSORS = 1000;
/** Longer lists are looked through for duplicates so far. */
const MOST_SESSIONS = 100_000;

/** What a list is filtered by, as text that is the same for the same filter. */
function filterOf(params: Json | undefined): string {
  return JSON.stringify([str(params, 'cwd') ?? null, get(params, 'archived') ?? null]);
}

function idsIn(result: Json | undefined): readonly string[] {
  return objects(result, 'sessions').flatMap((info) => str(info, 'sessionId') ?? []);
}

export const listFold: Fold = [
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
];

const LIST = ['session/list'] as const;

/** Each entry of a page with its pointer. */
function entriesOf(result: Json | undefined): readonly (readonly [JsonObject, string])[] {
  return arr(result, 'sessions').flatMap((info, i) =>
    isObject(info) ? [[info, `/result/sessions/${i}`] as const] : [],
  );
}

/** ISO 8601 in its extended or basic form; a time of day is not asked for. */
const ISO_8601 =
  /^\d{4}-?\d{2}-?\d{2}([T ]\d{2}(:?\d{2}(:?\d{2}([.,]\d+)?)?)?(Z|[+-]\d{2}(:?\d{2})?)?)?$/;
const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

function oddTime(time: string, version: Connection['version']): boolean {
  return !(version === 2 ? RFC_3339 : ISO_8601).test(time);
}

function timeFaults(info: JsonObject, at: string, { version }: Connection): readonly RuleFault[] {
  const time = str(info, 'updatedAt');
  return time !== undefined && oddTime(time, version)
    ? [fail(`\`updatedAt\` is ${quote(time)}`, `${at}/updatedAt`)]
    : [];
}

export const LISTS = rulesOf({ side: 'agent' })({
  'list/cursor-opaque': {
    side: 'client',
    severity: 'warning',
    clause:
      'a list cursor is one that an answer gave on this connection, sent with the same filter',
    on: onRequest(LIST, ({ params, from }, connection): Outcome => {
      const cursor = str(params, 'cursor');
      if (cursor === undefined || from !== 'client') return undefined;
      const pointer = '/params/cursor';
      const given = traversals.of(connection).get(cursor);
      if (given === undefined)
        return isSeenWhole(connection)
          ? fail(`${quote(cursor)}, which no list answer gave`, pointer)
          : mayBeUnseen(cursor, 'given', pointer);
      if (given.filter === filterOf(params)) return 'pass';
      return fail(`${quote(cursor)}, which #${given.seq} gave for another filter`, pointer);
    }),
  },
  'list/cursor-error': {
    severity: 'warning',
    clause: 'a list cursor that was never given is refused',
    on: onAnswer(LIST, ({ params, error, from }, connection) => {
      const cursor = str(params, 'cursor');
      if (cursor === undefined || from !== 'agent' || !isSeenWhole(connection)) return undefined;
      if (traversals.of(connection).has(cursor)) return undefined;
      if (error === undefined)
        return fail(`a page for ${quote(cursor)}, which no answer gave`, '/result');
      if (error.code === CODE.authRequired || error.code === CODE.methodNotFound) return undefined;
      if (error.code === CODE.invalidParams || connection.version === 1) return 'pass';
      return fail(`the code ${error.code}`, {
        due: 'an invalid list cursor is answered with −32602',
        pointer: '/error/code',
        severity: 'hint',
      });
    }),
  },
  'list/cwd-filter': {
    severity: 'error',
    clause: 'a list filtered by `cwd` holds sessions of that directory alone',
    on: onAnswer(LIST, ({ params, result, from }) => {
      const wanted = str(params, 'cwd');
      if (wanted === undefined || result === undefined || from !== 'agent') return undefined;
      const said: (RuleFault | Undecided)[] = [];
      for (const [info, at] of entriesOf(result)) {
        const cwd = str(info, 'cwd');
        if (cwd === undefined) continue;
        const sameness = sameDirectory(cwd, wanted);
        const pointer = `${at}/cwd`;
        if (sameness === 'different')
          said.push(fail(`${quote(cwd)} in a list of ${quote(wanted)}`, pointer));
        if (sameness === 'unclear')
          said.push(
            undecidable(
              `${quote(cwd)} in a list of ${quote(wanted)}; a symbolic link may make them one directory`,
              'a recording in which both are spelled alike',
              pointer,
            ),
          );
      }
      return judged(said);
    }),
  },
  'list/cwd-absolute': {
    severity: 'error',
    clause:
      'listed directories are absolute paths, and `updatedAt` is a time in ISO 8601 (v2: RFC 3339)',
    on: [
      onAnswer(LIST, ({ result, from }, connection) => {
        if (result === undefined || from !== 'agent') return undefined;
        const faults: RuleFault[] = [];
        for (const [info, at] of entriesOf(result)) {
          const cwd = str(info, 'cwd');
          if (cwd !== undefined && !isAbsolutePath(cwd))
            faults.push(fail(`\`cwd\` is ${quote(cwd)}, which is not absolute`, `${at}/cwd`));
          const roots = arr(info, 'additionalDirectories').flatMap((root) =>
            typeof root === 'string' && !isAbsolutePath(root) ? [root] : [],
          );
          for (const root of roots)
            faults.push(
              fail(
                `\`additionalDirectories\` has ${quote(root)}, which is not absolute`,
                `${at}/additionalDirectories`,
              ),
            );
          faults.push(...timeFaults(info, at, connection));
        }
        return judged(faults);
      }),
      // What a list shows next time.
      onUpdate(['session_info_update'], ({ update }, connection) =>
        str(update, 'updatedAt') === undefined
          ? undefined
          : judged(timeFaults(update, '/params/update', connection)),
      ),
    ],
  },
  'list/duplicates': {
    severity: 'warning',
    clause: 'going through the pages lists each session once, and comes to an end',
    on: onAnswer(LIST, ({ params, result, from }, connection) => {
      if (result === undefined || from !== 'agent') return undefined;
      const sent = str(params, 'cursor');
      const before = sent === undefined ? undefined : traversals.of(connection).get(sent);
      const page = (before?.page ?? 0) + 1;
      const here = new Set<string>();
      const faults: RuleFault[] = [];
      for (const [i, id] of idsIn(result).entries()) {
        const first = before?.way.sessions.get(id);
        const earlier = first !== undefined && first.page < page ? `, first in #${first.seq}` : '';
        if (earlier !== '' || here.has(id))
          faults.push(
            fail(`the session ${quote(id)} is listed twice${earlier}`, `/result/sessions/${i}`),
          );
        here.add(id);
      }
      const next = str(result, 'nextCursor');
      const given = next === undefined ? undefined : before?.way.cursors.get(next);
      if (next !== undefined && (next === sent || (given !== undefined && given < page)))
        faults.push(
          fail(`\`nextCursor\` is ${quote(next)} again: the pages never end`, '/result/nextCursor'),
        );
      return judged(faults);
    }),
  },
  'list/not-null': {
    severity: 'error',
    clause: '`sessions` is an array, `[]` where nothing matches',
    on: onAnswer(LIST, ({ result, from }) => {
      if (result === undefined || from !== 'agent') return undefined;
      const sessions = get(result, 'sessions');
      if (isArray(sessions)) return 'pass';
      if (!isObject(result)) return fail(`the result is ${typeWords(result)}`, '/result');
      return fail(
        `\`sessions\` is ${typeWords(sessions)}`,
        sessions === undefined ? '/result' : '/result/sessions',
      );
    }),
  },
});
