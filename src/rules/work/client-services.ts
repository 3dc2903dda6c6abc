// What an agent has a v1 client do for it: files that it reads and writes (family `fs` of the catalogue),
// and terminals: used while they live, shown before they are released, and released (`xterm`).
// Long, because both ask for what the client advertised and must be judged by it alike.
import { CODE, type Json, type JsonObject } from '../../acp/message.ts';
import { get, isObject, num, objects, str } from '../../acp/json.ts';
import { OPENERS } from '../../acp/methods.ts';
import { isAbsolutePath, segmentsOf } from '../../lib/absolute-path.ts';
import { utf8Size } from '../../lib/utf8.ts';
import { agentEnd } from '../../trace/agent-end.ts';
import { type Connection, type Session, fact } from '../connection.ts';
import { onAnswer, onRequest, onUpdate, onEndOfEach } from '../listen.ts';
import {
  rulesOf,
  fail,
  judged,
  undecidable,
  type RuleFault,
  quote,
  quoteAll,
  type Fold,
} from '../rule.ts';
import {
  clientTerminal,
  clientTerminals,
  TERMINAL_USES,
  type ClientTerminal,
} from './terminals.ts';
import { isReplay } from './tool-facts.ts';
import { turnOf } from '../turns/turn-facts.ts';
import { openedBy, rootsOf } from '../sessions/setup-facts.ts';

/** True if the client advertised in `_meta` that it shows terminals that the agent runs itself. */
function showsForeign({ clientCapabilities = {} }: Connection): boolean {
  const meta = get(clientCapabilities, '_meta');
  return isObject(meta) && Object.keys(meta).some((key) => /terminal/i.test(key));
}

const FILES = ['fs/read_text_file', 'fs/write_text_file'] as const;

/** The folders a session was opened with; undefined where its opening was not seen. */
const roots = fact<Session, { of: readonly string[] | undefined }>(() => ({ of: undefined }));

export const rootsFold: Fold = [
  onAnswer(OPENERS, (step, connection) => {
    const opened = openedBy(step, connection);
    if (opened) roots.of(opened).of = foldersOf(step.params);
  }),
];

function foldersOf(params: Json | undefined): readonly string[] | undefined {
  const cwd = str(params, 'cwd');
  return cwd === undefined ? undefined : [cwd, ...rootsOf(params)];
}

/** For comparing only: one kind of slash, no dots, and what systems put before the same path. */
function plain(path: string): string {
  const whole = `/${segmentsOf(path).join('/')}`.replace(/^\/private\//, '/');
  return /^\/[A-Za-z]:/.test(whole) ? whole.toLowerCase() : whole;
}

function inside(path: string, folder: string): boolean {
  const root = plain(folder);
  return plain(path) === root || plain(path).startsWith(root === '/' ? root : `${root}/`);
}

/** Lines of a text; a line feed at its end begins no further one. */
function linesIn(text: string): number {
  let lines = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

const MISSING = /\bENOENT\b|no such file|(?:file|path|resource).{0,80}(?:not found|not exist)/i;

export const CLIENT_FILES = rulesOf({ versions: [1] })({
  'fs/path': {
    side: 'agent',
    severity: 'error',
    clause: 'a file is named by its absolute path, inside the folders of the session',
    on: onRequest(FILES, ({ session, params }) => {
      const name = str(params, 'path');
      if (name === undefined) return undefined;
      const faults: RuleFault[] = [];
      const pointer = '/params/path';
      const folders = session && roots.of(session).of;
      if (!isAbsolutePath(name))
        faults.push(fail(`\`path\` is ${quote(name)}, which is not absolute`, pointer));
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
  },
  'fs/limit': {
    side: 'client',
    severity: 'warning',
    clause: 'a file is answered with `limit` lines at most',
    on: onAnswer(['fs/read_text_file'], ({ params, result, asked, seq }) => {
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
  },
  'fs/not-found': {
    side: 'client',
    severity: 'warning',
    clause: 'a file that is not there is answered with −32002',
    on: onAnswer(['fs/read_text_file'], ({ error }) => {
      if (error === undefined) return undefined;
      if (error.code === CODE.notFound) return 'pass';
      if (!MISSING.test(error.message.slice(0, 500))) return undefined;
      return fail(`the code ${error.code} for ${quote(error.message)}`, '/error/code');
    }),
  },
});

/** Asked for faults alone, so it may look at every session. */
function ownerOf(id: string, { sessions }: Connection): string | undefined {
  for (const session of sessions.values())
    if (clientTerminal(session, id)) return `a terminal of the session ${quote(session.id)}`;
  return undefined;
}

function kept(session: Session): readonly ClientTerminal[] {
  return [...clientTerminals.of(session).values()].filter(({ released }) => !released);
}

function holdsOpenRequest(connection: Connection, session: Session): boolean {
  for (const asked of connection.open.of('client')) if (asked.session === session) return true;
  return false;
}

/** Terminals that the content of a tool call shows, and where. */
function shownIn(update: JsonObject): readonly (readonly [id: string, pointer: string])[] {
  if (get(update, 'content') === undefined) return [];
  return objects(update, 'content').flatMap((item, i) => {
    const id = str(item, 'type') === 'terminal' ? str(item, 'terminalId') : undefined;
    return id === undefined ? [] : [[id, `/params/update/content/${i}/terminalId`] as const];
  });
}

function saysHow(exit: Json | undefined): boolean {
  return num(exit, 'exitCode') !== undefined || str(exit, 'signal') !== undefined;
}

export const CLIENT_TERMINALS = rulesOf({ versions: [1] })({
  'xterm/unknown': {
    side: 'agent',
    severity: 'error',
    clause: 'a terminal is used by the session that created it, until it is released',
    on: onRequest(TERMINAL_USES, ({ session, params, seq }, connection) => {
      const id = str(params, 'terminalId');
      if (session === undefined || id === undefined) return undefined;
      const pointer = '/params/terminalId';
      const terminal = clientTerminal(session, id);
      if (terminal !== undefined) {
        if (terminal.released === undefined) return 'pass';
        return fail(`${quote(id)}, released in #${terminal.released}`, {
          pointer,
          seqs: [terminal.released, seq],
        });
      }
      if (connection.gaps > 0 || connection.handshake === undefined)
        return undecidable(
          `${quote(id)} may have been created before this trace, or where it has a gap`,
          'a recording of the whole connection',
          pointer,
        );
      const owner = ownerOf(id, connection);
      return fail(`${quote(id)}, ${owner === undefined ? 'which nobody created' : owner}`, pointer);
    }),
  },
  'xterm/unreleased': {
    side: 'agent',
    severity: 'error',
    clause: 'every terminal that was created is released',
    on: [
      onRequest(['terminal/release'], ({ session, params }) =>
        clientTerminal(session, str(params, 'terminalId')) ? 'pass' : undefined,
      ),
      onAnswer(['session/close'], ({ session, result, seq }) => {
        if (session === undefined || result === undefined) return undefined;
        return kept(session).map(({ id, created }) =>
          fail(`${quote(id)} was not released when its session closed`, { seqs: [created, seq] }),
        );
      }),
      onEndOfEach((session, { exit }, connection) => {
        // That was judged when it closed.
        if (session.closed !== undefined) return [];
        const isOrderly = exit !== undefined && agentEnd(exit).isOrderly;
        const clean = isOrderly && !holdsOpenRequest(connection, session);
        const { ended, open } = turnOf.of(session);
        return kept(session).map(({ id, created, exited }) => {
          const of = { side: 'agent', session: session.id, method: 'terminal/create' } as const;
          const more = { seqs: [created], ...of };
          // Of what has exited, a turn that is over needs nothing more.
          if (!clean && exited !== undefined && ended && open.length === 0 && ended.seq > exited)
            return fail(
              `${quote(id)} was not released: it exited (#${exited}), and its turn ended`,
              {
                ...more,
                seqs: [created, ended.seq],
                severity: 'warning',
              },
            );
          return clean
            ? fail(`${quote(id)} was not released before the agent exited`, more)
            : undecidable(
                `${quote(id)} was not released when the trace ended`,
                'a recording until the session is closed or the agent exits by itself',
                more,
              );
        });
      }),
    ],
  },
  'xterm/embed-after-release': {
    side: 'agent',
    severity: 'warning',
    clause: 'a tool call shows a terminal that was created, and does so before it is released',
    on: onUpdate(['tool_call', 'tool_call_update'], (step, connection) => {
      const { session, update } = step;
      if (isReplay(step)) return undefined;
      const shown = shownIn(update);
      if (shown.length === 0) return undefined;
      const faults: RuleFault[] = [];
      for (const [id, pointer] of shown) {
        const terminal = clientTerminal(session, id);
        if (terminal === undefined) {
          const described = isObject(get(update, '_meta'));
          if (connection.gaps > 0 || (described && showsForeign(connection))) continue;
          const only = described ? '; only `_meta` describes it' : '';
          faults.push(
            fail(`the terminal ${quote(id)} is shown and was never created${only}`, pointer),
          );
        } else if (terminal.released !== undefined && !terminal.shown)
          faults.push(
            fail(
              `the terminal ${quote(id)} is first shown after its release in #${terminal.released}`,
              {
                pointer,
                seqs: [terminal.released, step.seq],
              },
            ),
          );
      }
      return judged(faults);
    }),
  },
  'xterm/output-limit': {
    side: 'client',
    severity: 'warning',
    clause: 'output keeps within `outputByteLimit`, cut at a character',
    on: onAnswer(['terminal/output'], ({ session, params, result }) => {
      const most = clientTerminal(session, str(params, 'terminalId'))?.limit;
      const output = str(result, 'output');
      if (most === undefined || output === undefined) return undefined;
      const pointer = '/result/output';
      const bytes = output.length * 3 <= most ? 0 : utf8Size(output);
      if (bytes > most)
        return fail(`\`output\` has ${bytes} bytes, and the limit is ${most}`, pointer);
      if (get(result, 'truncated') === true && output.startsWith('\ufffd'))
        return fail('the cut output begins within a character', pointer);
      return 'pass';
    }),
  },
  'xterm/exit-missing': {
    side: 'client',
    severity: 'hint',
    clause: 'an exit comes with its code or its signal',
    on: [
      onAnswer(['terminal/wait_for_exit'], ({ result }) => {
        if (result === undefined) return undefined;
        if (saysHow(result)) return 'pass';
        return fail('the result has neither `exitCode` nor `signal`', '/result');
      }),
      onAnswer(['terminal/output'], ({ result }) => {
        const exit = get(result, 'exitStatus');
        if (!isObject(exit)) return undefined;
        if (saysHow(exit)) return 'pass';
        return fail(
          'an `exitStatus` without code and signal, as if it had not exited',
          '/result/exitStatus',
        );
      }),
    ],
  },
});
