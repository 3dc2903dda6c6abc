// Terminals. v2: owned by the agent, told in updates as base64 bytes, each chunk decoded alone and
// appended. v1: the client's, seen through the agent's requests and the client's answers.
import { get, isObject, num, obj, str, jsonText } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { PersistentList } from '../../lib/persistent-list.ts';
import { PersistentMap } from '../../lib/persistent-map.ts';
import { encodeUtf8, fromBase64 } from '../../lib/utf8.ts';
import { patchedMeta } from './meta.ts';
import type { Seq } from '../../trace/event.ts';

/** What TerminalView says "the last 1 MiB" of. */
const CAP = 1024 * 1024;

export interface Terminal {
  readonly terminalId: string;
  readonly session: string | undefined;
  readonly output: TailBytes;
  readonly command: string | undefined;
  readonly cwd: string | undefined;
  readonly exit: string | undefined;
  /** `80×24` */
  readonly size: string | undefined;
  readonly capabilities: JsonObject | undefined;
  readonly meta: JsonObject | undefined;
  readonly first: Seq;
  readonly last: Seq;
}

/** In the order they first appeared; ids are unique in a session only. */
export interface Terminals {
  readonly list: PersistentList<Terminal>;
  readonly places: PersistentMap<number>;
}

export const NO_TERMINALS: Terminals = {
  list: PersistentList.empty(),
  places: PersistentMap.empty(),
};

/** A `terminal_update` or `terminal_output_chunk`; other updates change nothing. */
export function terminalUpdate(
  terminals: Terminals,
  session: string | undefined,
  variant: string,
  update: JsonObject,
  seq: Seq,
): Terminals {
  const terminalId = str(update, 'terminalId');
  if (terminalId === undefined) return terminals;
  if (variant === 'terminal_update')
    return changed(terminals, session, terminalId, seq, (terminal) => patched(terminal, update));
  if (variant !== 'terminal_output_chunk') return terminals;
  const bytes = fromBase64(str(update, 'data') ?? '') ?? new Uint8Array();
  return changed(terminals, session, terminalId, seq, (terminal) => ({
    ...terminal,
    output: terminal.output.push(bytes),
  }));
}

/** v1: the client's answer to a request of the agent about a terminal. */
export function terminalAnswered(
  terminals: Terminals,
  method: string,
  params: Json | undefined,
  result: Json,
  seq: Seq,
): Terminals {
  const session = str(params, 'sessionId');
  const terminalId = str(method === 'terminal/create' ? result : params, 'terminalId');
  if (terminalId === undefined) return terminals;
  return changed(terminals, session, terminalId, seq, (terminal) => {
    switch (method) {
      case 'terminal/create':
        return { ...terminal, command: commandLine(params), cwd: str(params, 'cwd') };
      case 'terminal/output': {
        const output = str(result, 'output');
        const exit = exitWords(obj(result, 'exitStatus')) ?? terminal.exit;
        if (output === undefined) return { ...terminal, exit };
        return { ...terminal, exit, output: TailBytes.of(CAP, encodeUtf8(output)) };
      }
      case 'terminal/wait_for_exit':
        return { ...terminal, exit: exitWords(result) };
      default:
        return terminal;
    }
  });
}

function changed(
  { list, places }: Terminals,
  session: string | undefined,
  terminalId: string,
  seq: Seq,
  become: (terminal: Terminal) => Terminal,
): Terminals {
  const key = JSON.stringify([session, terminalId]);
  const at = places.get(key);
  const known = at === undefined ? undefined : list.get(at);
  if (at !== undefined && known)
    return { list: list.set(at, { ...become(known), last: seq }), places };
  const fresh: Terminal = {
    terminalId,
    session,
    output: TailBytes.of(CAP),
    command: undefined,
    cwd: undefined,
    exit: undefined,
    size: undefined,
    capabilities: undefined,
    meta: undefined,
    first: seq,
    last: seq,
  };
  return { list: list.push(become(fresh)), places: places.set(key, list.length) };
}

/** v2: omitted is unchanged, null clears, a value replaces; `output` is the whole of it. */
function patched(terminal: Terminal, update: JsonObject): Terminal {
  const has = (key: string) => get(update, key) !== undefined;
  const output = fromBase64(str(obj(update, 'output'), 'data') ?? '') ?? new Uint8Array();
  return {
    ...terminal,
    command: has('command') ? str(update, 'command') : terminal.command,
    cwd: has('cwd') ? str(update, 'cwd') : terminal.cwd,
    exit: has('exitStatus') ? exitWords(obj(update, 'exitStatus')) : terminal.exit,
    size: has('size') ? sizeWords(obj(update, 'size')) : terminal.size,
    capabilities: has('capabilities') ? obj(update, 'capabilities') : terminal.capabilities,
    meta: patchedMeta(terminal.meta, update, 2),
    output: has('output') ? TailBytes.of(CAP, output) : terminal.output,
  };
}

function sizeWords(size: JsonObject | undefined): string | undefined {
  const cols = num(size, 'cols');
  const rows = num(size, 'rows');
  return cols === undefined || rows === undefined ? undefined : `${cols}×${rows}`;
}

/** `exit 1`, `signal SIGTERM`; undefined while it runs. */
function exitWords(status: Json | undefined): string | undefined {
  if (!isObject(status)) return undefined;
  const signal = str(status, 'signal');
  const code = num(status, 'exitCode');
  if (signal !== undefined) return `signal ${signal}`;
  return code === undefined ? 'exited' : `exit ${code}`;
}

/** As a person reads it; not to be given to a shell. */
function commandLine(params: Json | undefined): string | undefined {
  const command = str(params, 'command');
  const args = get(params, 'args');
  if (command === undefined || !Array.isArray(args)) return command;
  return [command, ...args.map((arg) => (typeof arg === 'string' ? arg : jsonText(arg)))].join(' ');
}

// Bytes as they come, of which the last so many are kept. A value: pushing gives another, which
// shares the pieces it has.

/** Dropped pieces are let go of when they are so many, and more than are kept. */
const DROPPED = 256;

export class TailBytes {
  readonly #cap: number;
  readonly #pieces: PersistentList<Uint8Array>;
  /** Pieces before this one are dropped. */
  readonly #from: number;
  /** Of the pieces that are kept: the cap, and what is over of the first of them. */
  readonly #size: number;
  /** All that ever came. */
  readonly total: number;

  private constructor(
    cap: number,
    pieces: PersistentList<Uint8Array>,
    from: number,
    size: number,
    total: number,
  ) {
    this.#cap = cap;
    this.#pieces = pieces;
    this.#from = from;
    this.#size = size;
    this.total = total;
  }

  static of(cap: number, bytes: Uint8Array = new Uint8Array()): TailBytes {
    return new TailBytes(cap, PersistentList.empty(), 0, 0, 0).push(bytes);
  }

  /** How many bytes are kept. */
  get length(): number {
    return Math.min(this.#size, this.#cap);
  }

  push(bytes: Uint8Array): TailBytes {
    if (bytes.length === 0) return this;
    const piece = bytes.length > this.#cap ? bytes.subarray(-this.#cap) : bytes;
    let pieces = this.#pieces.push(piece);
    let from = this.#from;
    let size = this.#size + piece.length;
    for (let first = pieces.get(from); first && size - first.length >= this.#cap;) {
      size -= first.length;
      first = pieces.get(++from);
    }
    if (from > DROPPED && from > pieces.length / 2) {
      pieces = pieces
        .slice(from, pieces.length)
        .reduce<PersistentList<Uint8Array>>((list, one) => list.push(one), PersistentList.empty());
      from = 0;
    }
    return new TailBytes(this.#cap, pieces, from, size, this.total + bytes.length);
  }

  /** The last bytes, at most so many. */
  bytes(most: number = this.#cap): Uint8Array<ArrayBuffer> {
    const wanted = Math.min(most, this.length);
    const bytes = new Uint8Array(wanted);
    let end = wanted;
    for (let at = this.#pieces.length - 1; end > 0 && at >= 0; at--) {
      const piece = this.#pieces.get(at) ?? new Uint8Array();
      const part = piece.subarray(Math.max(0, piece.length - end));
      end -= part.length;
      bytes.set(part, end);
    }
    return bytes;
  }
}
