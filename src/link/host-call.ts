// The one reader of what an agent asks of this machine: the page reads an agent's words by it before
// it says them to the relay, and the relay what a page says. What passes it is the same as JSON, and
// can be told to a system: whole numbers, no NUL, and no more than a system takes.
import { is, isFields, isText, maybe, tagged, type ShapeReader } from '../lib/shape.ts';
import type { HostCall } from './messages.ts';

/** Arguments of a program: more is no command line. */
export const MOST_ITEMS = 10_000;
/** Characters of a path; no system takes a longer one. */
const MOST_PATH = 32_767;

const path = is<string>((value) => isWord(value) && value.length <= MOST_PATH);
const whole = is<number>((value) => Number.isInteger(value) && Number(value) >= 0);
const onTerminal = { terminalId: is<string>(isText) };

export const hostCall: ShapeReader<HostCall> = tagged<HostCall, 'op'>('op', {
  'fs/read_text_file': { path, line: maybe(whole), limit: maybe(whole) },
  'fs/write_text_file': { path, content: is(isText) },
  'terminal/create': {
    command: is(isWord),
    args: is((value) => Array.isArray(value) && value.length <= MOST_ITEMS && value.every(isWord)),
    env: is(
      (value) =>
        isFields(value) &&
        Object.keys(value).length <= MOST_ITEMS &&
        Object.entries(value).flat().every(isWord),
    ),
    cwd: maybe(path),
    outputByteLimit: maybe(whole),
  },
  'terminal/output': onTerminal,
  'terminal/wait_for_exit': onTerminal,
  'terminal/kill': onTerminal,
  'terminal/release': onTerminal,
});

function isWord(value: unknown): value is string {
  return isText(value) && !value.includes('\0');
}
