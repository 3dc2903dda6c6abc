// Listing sessions: filters, pages and what stands in an entry. Family `list` of the catalogue.
import { CODE } from '../../acp/errors.ts';
import { arr, get, isArray, isObject, str, typeWords } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { isAbsolutePath } from '../../lib/absolute-path.ts';
import type { Connection } from '../connection.ts';
import { filterOf, idsIn, traversals } from './list-facts.ts';
import { onAnswer, onRequest } from '../listen.ts';
import { fail, judged, undecidable, type Fault, type Outcome, type Undecided } from '../outcome.ts';
import { quote } from '../quote.ts';
import type { Rule } from '../rule.ts';
import { sameDirectory } from './same-directory.ts';
import { isWhole } from './setup-facts.ts';

const LIST = ['session/list'] as const;

/** Each entry of a page with its pointer. */
function entriesOf(result: Json | undefined): readonly (readonly [JsonObject, string])[] {
  return arr(result, 'sessions').flatMap((info, i) =>
    isObject(info) ? [[info, `/result/sessions/${i}`] as const] : [],
  );
}

const cursorOpaque: Rule = {
  id: 'list/cursor-opaque',
  versions: [1, 2],
  side: 'client',
  severity: 'warning',
  clause: 'a list cursor is one that an answer gave on this connection, sent with the same filter',
  on: [
    onRequest(LIST, ({ params, from }, connection): Outcome => {
      const cursor = str(params, 'cursor');
      if (cursor === undefined || from !== 'client') return undefined;
      const pointer = '/params/cursor';
      const given = traversals.of(connection).get(cursor);
      if (given === undefined)
        return isWhole(connection)
          ? fail(`${quote(cursor)}, which no list answer gave`, { pointer })
          : undecidable(
              `${quote(cursor)} may have been given in a part of the connection that is not in this trace`,
              'a recording from the start of the connection, without a gap',
              { pointer },
            );
      if (given.filter === filterOf(params)) return 'pass';
      return fail(`${quote(cursor)}, which #${given.seq} gave for another filter`, { pointer });
    }),
  ],
};

const cursorError: Rule = {
  id: 'list/cursor-error',
  versions: [1, 2],
  side: 'agent',
  severity: 'warning',
  clause: 'a list cursor that was never given is refused',
  on: [
    onAnswer(LIST, ({ params, error, from }, connection) => {
      const cursor = str(params, 'cursor');
      if (cursor === undefined || from !== 'agent' || !isWhole(connection)) return undefined;
      if (traversals.of(connection).has(cursor)) return undefined;
      if (error === undefined)
        return fail(`a page for ${quote(cursor)}, which no answer gave`, { pointer: '/result' });
      if (error.code === CODE.authRequired || error.code === CODE.methodNotFound) return undefined;
      if (error.code === CODE.invalidParams || connection.version === 1) return 'pass';
      return fail(`the code ${error.code}`, {
        due: 'an invalid list cursor is answered with −32602',
        pointer: '/error/code',
        severity: 'hint',
      });
    }),
  ],
};

const cwdFilter: Rule = {
  id: 'list/cwd-filter',
  versions: [1, 2],
  side: 'agent',
  severity: 'error',
  clause: 'a list filtered by `cwd` holds sessions of that directory alone',
  on: [
    onAnswer(LIST, ({ params, result, from }) => {
      const wanted = str(params, 'cwd');
      if (wanted === undefined || result === undefined || from !== 'agent') return undefined;
      const said: (Fault | Undecided)[] = [];
      for (const [info, at] of entriesOf(result)) {
        const cwd = str(info, 'cwd');
        if (cwd === undefined) continue;
        const sameness = sameDirectory(cwd, wanted);
        const pointer = `${at}/cwd`;
        if (sameness === 'different')
          said.push(fail(`${quote(cwd)} in a list of ${quote(wanted)}`, { pointer }));
        if (sameness === 'unclear')
          said.push(
            undecidable(
              `${quote(cwd)} in a list of ${quote(wanted)}; a symbolic link may make them one directory`,
              'a recording in which both are spelled alike',
              { pointer },
            ),
          );
      }
      return judged(said);
    }),
  ],
};

/** ISO 8601 in its extended or basic form; a time of day is not asked for. */
const ISO_8601 =
  /^\d{4}-?\d{2}-?\d{2}([T ]\d{2}(:?\d{2}(:?\d{2}([.,]\d+)?)?)?(Z|[+-]\d{2}(:?\d{2})?)?)?$/;
const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

function oddTime(time: string, version: Connection['version']): boolean {
  return !(version === 2 ? RFC_3339 : ISO_8601).test(time);
}

const cwdAbsolute: Rule = {
  id: 'list/cwd-absolute',
  versions: [1, 2],
  side: 'agent',
  severity: 'error',
  clause:
    'listed directories are absolute paths, and `updatedAt` is a time in ISO 8601 (v2: RFC 3339)',
  on: [
    onAnswer(LIST, ({ result, from }, { version }) => {
      if (result === undefined || from !== 'agent') return undefined;
      const faults: Fault[] = [];
      for (const [info, at] of entriesOf(result)) {
        const cwd = str(info, 'cwd');
        if (cwd !== undefined && !isAbsolutePath(cwd))
          faults.push(
            fail(`\`cwd\` is ${quote(cwd)}, which is not absolute`, { pointer: `${at}/cwd` }),
          );
        const roots = arr(info, 'additionalDirectories').flatMap((root) =>
          typeof root === 'string' && !isAbsolutePath(root) ? [root] : [],
        );
        for (const root of roots)
          faults.push(
            fail(`\`additionalDirectories\` has ${quote(root)}, which is not absolute`, {
              pointer: `${at}/additionalDirectories`,
            }),
          );
        const time = str(info, 'updatedAt');
        if (time !== undefined && oddTime(time, version))
          faults.push(fail(`\`updatedAt\` is ${quote(time)}`, { pointer: `${at}/updatedAt` }));
      }
      return judged(faults);
    }),
  ],
};

const duplicates: Rule = {
  id: 'list/duplicates',
  versions: [1, 2],
  side: 'agent',
  severity: 'warning',
  clause: 'going through the pages lists each session once, and comes to an end',
  on: [
    onAnswer(LIST, ({ params, result, from }, connection) => {
      if (result === undefined || from !== 'agent') return undefined;
      const sent = str(params, 'cursor');
      const before = sent === undefined ? undefined : traversals.of(connection).get(sent);
      const page = (before?.page ?? 0) + 1;
      const here = new Set<string>();
      const faults: Fault[] = [];
      for (const [i, id] of idsIn(result).entries()) {
        const first = before?.way.sessions.get(id);
        const earlier = first !== undefined && first.page < page ? `, first in #${first.seq}` : '';
        if (earlier !== '' || here.has(id))
          faults.push(
            fail(`the session ${quote(id)} is listed twice${earlier}`, {
              pointer: `/result/sessions/${i}`,
            }),
          );
        here.add(id);
      }
      const next = str(result, 'nextCursor');
      const given = next === undefined ? undefined : before?.way.cursors.get(next);
      if (next !== undefined && (next === sent || (given !== undefined && given < page)))
        faults.push(
          fail(`\`nextCursor\` is ${quote(next)} again: the pages never end`, {
            pointer: '/result/nextCursor',
          }),
        );
      return judged(faults);
    }),
  ],
};

const notNull: Rule = {
  id: 'list/not-null',
  versions: [1, 2],
  side: 'agent',
  severity: 'error',
  clause: '`sessions` is an array, `[]` where nothing matches',
  on: [
    onAnswer(LIST, ({ result, from }) => {
      if (result === undefined || from !== 'agent') return undefined;
      const sessions = get(result, 'sessions');
      if (isArray(sessions)) return 'pass';
      if (!isObject(result))
        return fail(`the result is ${typeWords(result)}`, { pointer: '/result' });
      return fail(`\`sessions\` is ${typeWords(sessions)}`, {
        pointer: sessions === undefined ? '/result' : '/result/sessions',
      });
    }),
  ],
};

export const LISTS: readonly Rule[] = [
  cursorOpaque,
  cursorError,
  cwdFilter,
  cwdAbsolute,
  duplicates,
  notNull,
];
