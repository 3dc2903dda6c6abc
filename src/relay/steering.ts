// How a page steers the intercept of a tap, which listens nowhere: the relay appends what the page asks to
// a file beside the recording, a line each, and the tap looks now and then whether there is more. Whoever
// may write there may record there already; others may not enter the folder. A page may not steer unasked:
// the person started the tap with a flag, which the tap notes as the first line of that file, or said yes
// in the relay's terminal, which the relay notes with each line; a tap does nothing without one of the two.
// Rules are in force no longer than the relay whose page gave them runs: without it nobody could take them
// away.
import { closeSync, constants, fstatSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { decodeUtf8 } from '../lib/utf8.ts';
import { interceptCall } from '../link/intercept-call.ts';
import type { InterceptCall, Problem } from '../link/messages.ts';
import type { Interceptable } from './intercept.ts';
import type { Intercepts } from './intercepts.ts';
import { isOwnFile, openRegular } from './regular-file.ts';
import { isProcessRunning } from './running.ts';
import { prepareFolder } from './state-folder.ts';
import type { Recording } from './spool/recording.ts';

/** Off the way of the bytes: a system that tells of changes would tell of each line recorded, too. */
const LOOK_MS = 250;
const NEWLINE = 0x0a;
/** The first line of the file of a tap that was started to take rules from a page. */
const OPEN_LINE = '{"open":true}\n';
/** A tap by URL does not forward its traffic line by line. */
export const NOT_INTERCEPTED: Problem = {
  code: 'refused',
  message: 'A tap by URL forwards its traffic unchanged: it cannot be intercepted.',
};
export const NOT_ALLOWED =
  'A page asked to change the messages of this session, without leave: nothing was changed. To allow it, start the tap with --allow-intercept, or press y in the terminal of the relay.';
const GONE =
  'The relay whose page switched this on has ended: everything passes as it is from there on.';

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
const APPENDED = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;

/** Whether an editor is its client, and the tap that records it runs. */
export function isSteerable({ facts, owned, progress }: Recording): boolean {
  return facts.mode === 'tap' && !owned && progress.state === 'running';
}

/** The tap of this recording was started to take rules from a page; it says so itself. */
export function allowSteering(path: string): Problem | undefined {
  return append(path, OPEN_LINE);
}

/** True if the tap of this recording was started to take rules from a page. */
export async function isOpenToPages(path: string): Promise<boolean> {
  const file = await openRegular(fileOf(path));
  if (!file) return false;
  try {
    if (isOpenToOthers((await file.stat()).mode)) return false;
    const { buffer } = await file.read({ buffer: Buffer.alloc(OPEN_LINE.length), position: 0 });
    return buffer.toString() === OPEN_LINE;
  } catch {
    // A disk that fails says nothing.
    return false;
  } finally {
    await file.close().catch(() => undefined);
  }
}

/** Hands it, once a person allowed it, to the tap that writes this recording; the trace has what the tap makes of it. */
export function steer(path: string, call: InterceptCall): Problem | undefined {
  const said = { relay: process.pid, isAllowed: true, call } satisfies Said;
  // A call that a full disk truncated is a line of its own, which means nothing.
  return append(path, `\n${JSON.stringify(said)}\n`);
}

function append(path: string, text: string): Problem | undefined {
  const prepared = prepareFolder(dirname(path));
  if (!prepared.ok) return { code: 'io', message: prepared.message };
  let file: number | undefined;
  try {
    file = openSync(fileOf(path), APPENDED, 0o600);
    if (!isOwnFile(fstatSync(file))) throw new Error(`${fileOf(path)} is no file of ours`);
    writeSync(file, text);
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    return { code: 'io', message: `The tap cannot be told: ${message}.` };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Nothing more is said to the tap of this recording, or heard by it. */
export function endSteering(path: string): void {
  try {
    rmSync(fileOf(path), { force: true });
  } catch {
    // A folder that takes nothing away keeps it: without its recording it speaks to nobody.
  }
}

interface Steered {
  /** Of the recording. */
  readonly path: string;
  readonly tapped: Interceptable;
  readonly intercepts: Pick<Intercepts, 'call' | 'off'>;
  /** The person started this tap to take rules from a page. */
  readonly isOpen: boolean;
  /** The tap cannot read the rules that it got: none is in force. */
  readonly unreadable: (message: string) => void;
  /** The tap ignored a call that nobody allowed. Called once. */
  readonly notAllowed: () => void;
}

/** The tap's end: does what it is told until the returned function is called. */
export function followSteering(steered: Steered): () => void {
  const { path, tapped, intercepts, isOpen, unreadable, notAllowed } = steered;
  let offset = 0;
  let isLooking = false;
  /** By whose rules frames are held and changed now. */
  let relay: number | undefined;
  let isRefused = false;

  const take = async (line: string) => {
    const said = parsed(line);
    if (!said) return;
    if (!isOpen && !said.isAllowed) {
      if (!isRefused) notAllowed();
      isRefused = true;
      return;
    }
    if (said.call.op === 'on') relay = said.relay;
    else if (said.call.op === 'off') relay = undefined;
    const problem = await intercepts.call(tapped, said.call);
    if (!problem || said.call.op !== 'on') return;
    // Those before would be in force under a record that says there are none.
    intercepts.off(tapped);
    unreadable(problem.message);
  };
  const look = async () => {
    const { lines, end } = await linesFrom(fileOf(path), offset);
    offset = end;
    for (const line of lines) await take(line);
    if (relay === undefined || isProcessRunning(relay)) return;
    relay = undefined;
    intercepts.off(tapped, GONE);
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look().finally(() => (isLooking = false));
  }, LOOK_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    endSteering(path);
  };
}

function fileOf(path: string): string {
  return `${path}.steering`;
}

/** The whole lines behind `offset`, and where they end; none of a file that others could have written. */
async function linesFrom(path: string, offset: number) {
  const nothing = { lines: [], end: offset };
  const file = await openRegular(path);
  if (!file) return nothing;
  try {
    const { size, mode } = await file.stat();
    if (size <= offset || isOpenToOthers(mode) || !prepareFolder(dirname(path)).ok) return nothing;
    const bytes = Buffer.alloc(size - offset);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, offset);
    const end = bytes.subarray(0, bytesRead).lastIndexOf(NEWLINE) + 1;
    const text = decodeUtf8(bytes.subarray(0, end)) ?? '';
    return { lines: text.split('\n'), end: offset + end };
  } catch {
    // A disk that fails says nothing.
    return nothing;
  } finally {
    await file.close().catch(() => undefined);
  }
}

function isOpenToOthers(mode: number): boolean {
  return process.platform !== 'win32' && (mode & 0o077) !== 0;
}

/** A message of a relay to a tap. */
interface Said {
  readonly relay: number;
  /** A person allowed it in the terminal of that relay, or lets its pages do everything. */
  readonly isAllowed: boolean;
  readonly call: InterceptCall;
}

/** Undefined: it is nothing that can be done. */
function parsed(line: string): Said | undefined {
  try {
    const { relay, isAllowed, call } = JSON.parse(line || '{}') as Record<keyof Said, unknown>;
    const read = interceptCall(call);
    if (typeof relay !== 'number' || !read.ok) return undefined;
    return { relay, isAllowed: isAllowed === true, call: read.value };
  } catch {
    return undefined;
  }
}
