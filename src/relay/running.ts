// The relay that runs now, as a file only its owner can read: where it listens, and the secret to
// ask it for a link. How `acp-scope open` and a second start find it.
import { randomBytes } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { isFields } from '../lib/shape.ts';
import { ownerProof } from './http/keys.ts';
import { readSmall } from './regular-file.ts';
import { writePrivate } from './state-folder.ts';

interface Running {
  readonly pid: number;
  readonly port: number;
  readonly secret: string;
  /** The build of the page it serves. */
  readonly build?: string;
}

/** A file for the page to open, by its absolute path, and the frame to show there. */
export interface FileToOpen {
  readonly path: string;
  readonly frame?: number;
}

type LinkAnswer =
  /** `url` to print, good until it is used; `opened` to open at once, good for a minute. */
  | {
      readonly ok: true;
      readonly url: string;
      readonly opened: string;
      readonly pid: number;
      readonly build?: string;
    }
  /** `none`: no relay of ours is at this port; what listens there, if anything, is another program. */
  | { readonly ok: false; readonly why: 'none' }
  /** It runs, and will not open the file, or says nothing: a sentence. */
  | { readonly ok: false; readonly why: 'file' | 'silent'; readonly message: string };

const PATIENCE_MS = 2000;
/** Of an answer, in characters: what listens there may be another program, and say what it likes. */
const MOST_ANSWER = 64 * 1024;

export function noteRunning(state: string, running: Running): void {
  writePrivate(fileOf(state, running.port), JSON.stringify(running) + '\n');
}

/** Removes our own note; never that of a relay that came after us. */
export function forgetRunning(state: string, port: number): void {
  if (read(state, port)?.pid !== process.pid) return;
  try {
    unlinkSync(fileOf(state, port));
  } catch {
    // It names a process that is gone: whoever reads it sees that.
  }
}

/** A fresh link from the relay at this port, if it is ours; for this file, if one is given. */
export async function askForLink(
  state: string,
  port: number,
  file?: FileToOpen,
): Promise<LinkAnswer> {
  const running = read(state, port);
  if (!running || !isProcessRunning(running.pid)) return { ok: false, why: 'none' };
  const nonce = randomBytes(16).toString('base64url');
  const said = await ask(running, nonce, { file });
  if (said === 'silent')
    return {
      ...{ ok: false, why: 'silent' },
      message: `The relay on port ${port} (pid ${running.pid}) does not answer: it was stopped (SIGSTOP, Ctrl-Z), or hangs. Let it go on, or end it, and start again.`,
    };
  const { error, message, ...links } = said ?? {};
  if (file && error === 'bad_file') return { ok: false, why: 'file', message: String(message) };
  // A note outlives its relay, and its process id may be another's by now: what listens there has to
  // show that it knows the secret.
  const { url, opened, proof } = links;
  const { pid, build } = running;
  if (proof !== ownerProof(running.secret, 'answers', nonce)) return { ok: false, why: 'none' };
  if (typeof url !== 'string' || typeof opened !== 'string') return { ok: false, why: 'none' };
  return { ok: true, url, opened, pid, ...(build && { build }) };
}

function fileOf(state: string, port: number): string {
  return join(state, `relay-${port}.json`);
}

function read(state: string, port: number): Running | undefined {
  try {
    const value = JSON.parse(readSmall(fileOf(state, port)) ?? '{}') as Partial<Running>;
    const { pid, secret, build } = value;
    return typeof pid === 'number' && typeof secret === 'string'
      ? { pid, port, secret, ...(typeof build === 'string' && { build }) }
      : undefined;
  } catch {
    return undefined;
  }
}

/** What it answers, whatever it is; undefined: nothing that can be read. `silent`: it took the question, and no more. */
function ask(
  { port, secret }: Running,
  nonce: string,
  asked: object,
): Promise<Answer | 'silent' | undefined> {
  return new Promise((resolve) => {
    const body = JSON.stringify(asked);
    const headers = {
      Authorization: `Bearer ${ownerProof(secret, 'asks', nonce)}`,
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      Origin: `http://127.0.0.1:${port}`,
    };
    const options = { host: '127.0.0.1', port, path: '/api/link', method: 'POST', headers };
    const signal = AbortSignal.timeout(PATIENCE_MS);
    let hasAnswered = false;
    const post = request({ ...options, signal }, (response) => {
      hasAnswered = true;
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (text.length > MOST_ANSWER) post.destroy();
      });
      response.on('end', () => resolve(answerIn(text)));
      response.on('error', () => resolve(undefined));
    });
    post.on('error', () => resolve(signal.aborted && !hasAnswered ? 'silent' : undefined));
    post.end(body);
  });
}

type Answer = Partial<Record<'url' | 'opened' | 'proof' | 'error' | 'message', unknown>>;

function answerIn(text: string): Answer | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a process has this id now, be it ours or another user's. */
export function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
