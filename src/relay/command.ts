// What a page may say, checked before anything is done with it. A message that is not one of these
// closes the page's socket: our own page never sends one.
import { isAbsolute } from 'node:path';
import type {
  GroundCall,
  HostCall,
  Launch,
  LendCall,
  PageCommand,
  StopHow,
} from '../link/messages.ts';
import { connectionId, seq, type Line, type Origin } from '../trace/event.ts';
import { envFault } from './agents/spawn.ts';

type Fields = Readonly<Record<string, unknown>>;
type Checked<T> = T | undefined;

/** What a page may claim of a frame it sends: never that the peer wrote it. */
const ORIGINS: readonly unknown[] = ['composer', 'script', 'rerun', 'intercept'] satisfies Origin[];
const MOST_ITEMS = 10_000;

/** Undefined: bad_message. */
export function parseCommand(text: string): PageCommand | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? commandOf(value) : undefined;
  } catch {
    return undefined;
  }
}

function commandOf(value: Fields): Checked<PageCommand> {
  const { type } = value;
  switch (type) {
    case 'hello':
      return isCount(value['protocol']) ? { type, protocol: value['protocol'] } : undefined;
    case 'ping':
      return { type };
    case 'presets':
      return isCount(value['request']) ? { type, request: value['request'] } : undefined;
    case 'start': {
      const launch = launchOf(value['launch']);
      const { request, withPage } = value;
      if (!launch || !isCount(request)) return undefined;
      if (withPage !== undefined && withPage !== true) return undefined;
      return { type, request, launch, ...(withPage && { withPage }) };
    }
    case 'ground': {
      const call = groundCallOf(value['call']);
      return call && isCount(value['request'])
        ? { type, request: value['request'], call }
        : undefined;
    }
    case 'lend': {
      const call = lendCallOf(value['call']);
      return call && isCount(value['request'])
        ? { type, request: value['request'], call }
        : undefined;
    }
    case 'follow':
    case 'ack':
    case 'send':
    case 'stop':
    case 'forget':
    case 'host':
      return isText(value['connection'])
        ? onConnection(type, value['connection'], value)
        : undefined;
    default:
      return undefined;
  }
}

function onConnection(
  type: 'follow' | 'ack' | 'send' | 'stop' | 'forget' | 'host',
  name: string,
  value: Fields,
): Checked<PageCommand> {
  const connection = connectionId(name);
  switch (type) {
    case 'follow':
      return isCount(value['after']) ? { type, connection, after: seq(value['after']) } : undefined;
    case 'ack':
      return isCount(value['seq']) ? { type, connection, seq: seq(value['seq']) } : undefined;
    case 'send': {
      const line = lineOf(value['line']);
      const { origin, split } = value;
      if (!line || !ORIGINS.includes(origin)) return undefined;
      if (split !== undefined && !isSplit(split)) return undefined;
      return { type, connection, line, origin: origin as Origin, ...(split && { split }) };
    }
    case 'stop': {
      const { how } = value;
      return isStop(how) ? { type, connection, how } : undefined;
    }
    case 'forget':
      return { type, connection };
    case 'host': {
      const call = hostCallOf(value['call']);
      return call && isCount(value['request'])
        ? { type, request: value['request'], connection, call }
        : undefined;
    }
  }
}

function launchOf(value: unknown): Checked<Launch> {
  if (!isFields(value)) return undefined;
  const { name, argv, cwd, env, roots } = value;
  if (!isText(name) || !isTexts(argv) || argv.length === 0 || !isText(cwd)) return undefined;
  if (!isEnv(env) || !isTexts(roots) || !roots.every((root) => isAbsolute(root))) return undefined;
  return { name, argv, cwd, env, roots };
}

function lineOf(value: unknown): Checked<Line> {
  if (!isFields(value)) return undefined;
  const { text, base64 } = value;
  if (isText(text)) return { text };
  return isText(base64) ? { base64 } : undefined;
}

const STOPS: readonly unknown[] = ['end', 'kill', 'SIGTERM', 'SIGKILL', 'cut'];

function isStop(how: unknown): how is StopHow {
  return STOPS.includes(how);
}

/** More is no time a timer can wait. */
const MOST_MS = 2 ** 31 - 1;

function isSplit(value: unknown): value is { readonly bytes: number; readonly ms: number } {
  if (!isFields(value)) return false;
  const { bytes, ms } = value;
  return isCount(bytes) && typeof ms === 'number' && ms >= 0 && ms <= MOST_MS;
}

/** Names become parts of paths, so they are plain words. */
const PLAIN_NAME = /^[a-z]{1,20}$/;

function groundCallOf(value: unknown): Checked<GroundCall> {
  if (!isFields(value)) return undefined;
  const { op, name, from, path, tool } = value;
  switch (op) {
    case 'folder':
      return isPlain(name) && isText(from) ? { op, name, from } : undefined;
    case 'remove':
      return isText(path) ? { op, path } : undefined;
    case 'canary':
      return isPlain(name) ? { op, name } : undefined;
    case 'seen':
      return isText(tool) ? { op, tool } : undefined;
    case 'clear':
      return { op };
    default:
      return undefined;
  }
}

function lendCallOf(value: unknown): Checked<LendCall> {
  if (!isFields(value)) return undefined;
  const { op, trace, name, base64 } = value;
  switch (op) {
    case 'begin':
      return isText(trace) && isText(name) ? { op, trace: connectionId(trace), name } : undefined;
    case 'part':
      return isText(base64) ? { op, base64 } : undefined;
    case 'end':
      return { op };
    default:
      return undefined;
  }
}

function isPlain(value: unknown): value is string {
  return isText(value) && PLAIN_NAME.test(value);
}

/** Types alone: the values are the agent's, and what is wrong with them is answered, not punished. */
function hostCallOf(value: unknown): Checked<HostCall> {
  if (!isFields(value)) return undefined;
  const { op, path, terminalId } = value;
  switch (op) {
    case 'fs/read_text_file': {
      const { line, limit } = value;
      if (!isText(path) || !isMaybe(isNumber, line) || !isMaybe(isNumber, limit)) return undefined;
      return {
        op,
        path,
        ...(line !== undefined && { line }),
        ...(limit !== undefined && { limit }),
      };
    }
    case 'fs/write_text_file': {
      const { content } = value;
      return isText(path) && isText(content) ? { op, path, content } : undefined;
    }
    case 'terminal/create': {
      const { command, args, env, cwd, outputByteLimit } = value;
      if (!isText(command) || !isTexts(args) || !isTextRecord(env)) return undefined;
      if (!isMaybe(isText, cwd) || !isMaybe(isNumber, outputByteLimit)) return undefined;
      return {
        op,
        command,
        args,
        env,
        ...(cwd !== undefined && { cwd }),
        ...(outputByteLimit !== undefined && { outputByteLimit }),
      };
    }
    case 'terminal/output':
    case 'terminal/wait_for_exit':
    case 'terminal/kill':
    case 'terminal/release':
      return isText(terminalId) ? { op, terminalId } : undefined;
    default:
      return undefined;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= MOST_ITEMS && value.every(isText);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function isMaybe<T>(is: (value: unknown) => value is T, value: unknown): value is T | undefined {
  return value === undefined || is(value);
}

function isTextRecord(value: unknown): value is Readonly<Record<string, string>> {
  return isFields(value) && Object.values(value).every(isText);
}

function isEnv(value: unknown): value is Readonly<Record<string, string>> {
  return isTextRecord(value) && envFault(value) === undefined;
}
