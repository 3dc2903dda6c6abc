// Files that an agent reads and writes through a v1 client. Family `fs` of the catalogue.
import { CODE } from '../../acp/errors.ts';
import { arr, num, str } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { OPENERS } from '../../acp/method-groups.ts';
import { isAbsolutePath } from '../../lib/absolute-path.ts';
import type { Session } from '../connection.ts';
import { fact } from '../facts.ts';
import { onAnswer, onRequest } from '../listen.ts';
import { fail, judged, type Fault } from '../outcome.ts';
import { quote, quoteAll } from '../quote.ts';
import type { Fold, Rule } from '../rule.ts';

const FILES = ['fs/read_text_file', 'fs/write_text_file'] as const;

/** The folders a session was opened with; undefined where its opening was not seen. */
const roots = fact<Session, { of: readonly string[] | undefined }>(() => ({ of: undefined }));

const rootsFold: Fold = {
  on: [
    onAnswer(OPENERS, ({ method, session, result, params }, connection) => {
      const id = method === 'session/fork' ? str(result, 'sessionId') : undefined;
      const opened = id === undefined ? session : connection.sessions.get(id);
      if (result === undefined || opened === undefined) return;
      roots.of(opened).of = foldersOf(params);
    }),
  ],
};

function foldersOf(params: Json | undefined): readonly string[] | undefined {
  const cwd = str(params, 'cwd');
  if (cwd === undefined) return undefined;
  const others = arr(params, 'additionalDirectories').filter((one) => typeof one === 'string');
  return [cwd, ...others];
}

/** For comparing only: one kind of slash, no dots, and what systems put before the same path. */
function plain(path: string): string {
  const parts: string[] = [];
  for (const part of path.replaceAll('\\', '/').split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  const whole = `/${parts.join('/')}`.replace(/^\/private\//, '/');
  return /^\/[A-Za-z]:/.test(whole) ? whole.toLowerCase() : whole;
}

function inside(path: string, folder: string): boolean {
  const root = plain(folder);
  return plain(path) === root || plain(path).startsWith(root === '/' ? root : `${root}/`);
}

const path: Rule = {
  id: 'fs/path',
  versions: [1],
  side: 'agent',
  severity: 'error',
  clause: 'a file is named by its absolute path, inside the folders of the session',
  on: [
    onRequest(FILES, ({ session, params }) => {
      const name = str(params, 'path');
      if (name === undefined) return undefined;
      const faults: Fault[] = [];
      const pointer = '/params/path';
      const folders = session && roots.of(session).of;
      if (!isAbsolutePath(name))
        faults.push(fail(`\`path\` is ${quote(name)}, which is not absolute`, { pointer }));
      else if (folders !== undefined && !folders.some((folder) => inside(name, folder)))
        faults.push(
          fail(`\`path\` is ${quote(name)}, outside ${quoteAll(folders)}`, {
            pointer,
            severity: 'hint',
          }),
        );
      const line = num(params, 'line');
      if (line !== undefined && line < 1)
        faults.push(
          fail(`\`line\` is ${line}`, {
            pointer: '/params/line',
            due: 'a line number from 1 on',
            // The schema lets 0 pass.
            ...(line === 0 ? { severity: 'warning' } : {}),
          }),
        );
      return judged(faults);
    }),
  ],
};

/** Lines of a text; a line feed at its end begins no further one. */
function linesIn(text: string): number {
  let lines = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

const limit: Rule = {
  id: 'fs/limit',
  versions: [1],
  side: 'client',
  severity: 'warning',
  clause: 'a file is answered with `limit` lines at most',
  on: [
    onAnswer(['fs/read_text_file'], ({ params, result, asked, seq }) => {
      const most = num(params, 'limit');
      const content = str(result, 'content');
      if (most === undefined || content === undefined) return undefined;
      const lines = linesIn(content);
      if (lines <= most) return 'pass';
      return fail(`\`content\` has ${lines} lines, and the limit is ${most}`, {
        pointer: '/result/content',
        seqs: [asked.seq, seq],
      });
    }),
  ],
};

const MISSING = /\bENOENT\b|no such file|(?:file|path|resource).{0,80}(?:not found|not exist)/i;

const notFound: Rule = {
  id: 'fs/not-found',
  versions: [1],
  side: 'client',
  severity: 'warning',
  clause: 'a file that is not there is answered with −32002',
  on: [
    onAnswer(['fs/read_text_file'], ({ error }) => {
      if (error === undefined) return undefined;
      if (error.code === CODE.notFound) return 'pass';
      if (!MISSING.test(error.message.slice(0, 500))) return undefined;
      return fail(`the code ${error.code} for ${quote(error.message)}`, {
        pointer: '/error/code',
      });
    }),
  ],
};

export const CLIENT_FILES: readonly Rule[] = [path, limit, notFound];
export const CLIENT_FILES_FOLDS: readonly Fold[] = [rootsFold];
