// What a page may say, checked before anything is done with it. A message that is none of these is
// refused by the request or the connection it names, and closes the socket only where it names none.
import { isAbsolute } from 'node:path';
import {
  is,
  isCount,
  isFields,
  isText,
  isTextRecord,
  maybe,
  object,
  tagged,
} from '../lib/shape.ts';
import { hostCall, MOST_ITEMS } from '../link/host-call.ts';
import { interceptCall, lineShape } from '../link/intercept-call.ts';
import type { RunFolderCall, Launch, LendCall, PageCommand, StopHow } from '../link/messages.ts';
import { connectionId, type ConnectionId, type Origin, type Seq } from '../trace/event.ts';
import { envFault } from './agents/spawn.ts';

type Command =
  | { readonly ok: true; readonly command: PageCommand }
  /** `why` holds words of ours alone. */
  | {
      readonly ok: false;
      readonly why: string;
      readonly request?: number;
      readonly connection?: ConnectionId;
    };

/** What a page may claim of a frame it sends: never that the peer wrote it. */
const ORIGINS: readonly unknown[] = ['composer', 'script', 'rerun', 'intercept'] satisfies Origin[];
const STOPS: readonly unknown[] = ['end', 'kill', 'SIGTERM', 'SIGKILL', 'cut'] satisfies StopHow[];
/** More is no time a timer can wait. */
const MOST_MS = 2 ** 31 - 1;
/** Names become parts of paths, so they are plain words. */
const PLAIN_NAME = /^[a-z]{1,20}$/;

const text = is<string>(isText);
const count = is<number>(isCount);
const yes = is<true>((value) => value === true);
const plain = is<string>((value) => isText(value) && PLAIN_NAME.test(value));
const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length <= MOST_ITEMS && value.every(isText);

const launch = object<Launch>({
  name: text,
  argv: is((value) => isTexts(value) && value.length > 0),
  cwd: text,
  env: is((value) => isTextRecord(value) && envFault(value) === undefined),
  roots: is((value) => isTexts(value) && value.every((root) => isAbsolute(root))),
  terminals: maybe(yes),
  headers: maybe(is<Readonly<Record<string, string>>>(isTextRecord)),
});

const runFolderCall = tagged<RunFolderCall, 'op'>('op', {
  folder: { name: plain, from: text },
  remove: { path: text },
  canary: { name: plain },
  seen: { tool: text },
  clear: {},
});

const id = is<ConnectionId>(isText);

const lendCall = tagged<LendCall, 'op'>('op', {
  begin: { trace: id, name: text },
  part: { base64: text },
  end: {},
});

const seqNumber = is<Seq>(isCount);

const command = tagged<PageCommand, 'type'>('type', {
  hello: { protocol: count },
  ping: {},
  presets: { request: count },
  look: { request: count, path: text },
  left: { request: count, connection: id, end: maybe(yes) },
  start: { request: count, launch, withPage: maybe(yes), rules: maybe(text) },
  folder: { request: count, call: runFolderCall },
  lend: { request: count, call: lendCall },
  host: { request: count, connection: id, call: hostCall },
  follow: { connection: id, after: seqNumber },
  ack: { connection: id, seq: seqNumber },
  send: {
    connection: id,
    line: lineShape,
    origin: is<Origin>((value) => ORIGINS.includes(value)),
    split: maybe(
      object<{ readonly bytes: number; readonly ms: number }>({
        bytes: count,
        ms: is((value) => typeof value === 'number' && value >= 0 && value <= MOST_MS),
      }),
    ),
  },
  stop: { connection: id, how: is<StopHow>((value) => STOPS.includes(value)) },
  intercept: { request: count, connection: id, call: interceptCall },
  forget: { connection: id },
});

export function parseCommand(said: string): Command {
  let value: unknown;
  try {
    value = JSON.parse(said);
  } catch {
    return { ok: false, why: 'it is not JSON' };
  }
  const read = command(value);
  if (read.ok) return { ok: true, command: read.value };
  const { request, connection } = isFields(value) ? value : {};
  return {
    ok: false,
    why: read.at === '' ? 'it is no object' : `${read.at} is missing or wrong`,
    ...(isCount(request) && { request }),
    ...(isText(connection) && { connection: connectionId(connection) }),
  };
}
