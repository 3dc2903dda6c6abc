// The messages in the bytes of a WebSocket, one direction of it (RFC 6455, section 5). A copy is read
// here: nothing is answered, refused or repaired.
import { PIECE_COST, sizeOf } from '../../lib/bytes.ts';
import { decodeLossy } from '../../lib/utf8.ts';
import { MOST_MESSAGE } from '../transports/transport.ts';

export type SocketSaid =
  | {
      readonly kind: 'message';
      readonly pieces: readonly Uint8Array[];
      readonly binary: boolean;
      /** The bytes ended in its midst. */
      readonly cut?: true;
    }
  | { readonly kind: 'close'; readonly code?: number; readonly reason: string };

interface Frame {
  readonly isLast: boolean;
  readonly opcode: number;
  readonly mask: readonly number[] | undefined;
  left: number;
  done: number;
}

/** Of what a ping or a close may say. */
const MOST_CONTROL = 125;
const OPCODE = { continued: 0, text: 1, binary: 2, close: 8 } as const;

export class SocketReader {
  #head: number[] = [];
  #frame: Frame | undefined;
  /** Its size counts the frame that has begun: it may come in a great many. */
  #message: { readonly binary: boolean; readonly pieces: Uint8Array[]; size: number } | undefined;
  #control: Uint8Array[] = [];
  #fault: string | undefined;

  /** Why nothing more is read, as the beginning of a sentence. */
  get fault(): string | undefined {
    return this.#fault;
  }

  push(chunk: Uint8Array): readonly SocketSaid[] {
    const said: SocketSaid[] = [];
    for (let at = 0; at < chunk.length && this.#fault === undefined;) {
      if (this.#frame) {
        const piece = chunk.slice(at, at + this.#frame.left);
        at += piece.length;
        this.#take(this.#frame, piece);
      } else {
        this.#head.push(chunk[at++] ?? 0);
        this.#begin();
      }
      if (this.#frame?.left === 0) said.push(...this.#finish(this.#frame));
    }
    return said;
  }

  /** There are no more bytes: what had begun, and did not come to its end. */
  end(): SocketSaid | undefined {
    const { pieces = [], binary = false } = this.#message ?? {};
    if (this.#fault !== undefined || sizeOf(pieces) === 0) return undefined;
    return { kind: 'message', pieces, binary, cut: true };
  }

  #begin(): void {
    const [first = 0, second] = this.#head;
    if (second === undefined) return;
    const short = second & 0x7f;
    const more = short === 127 ? 8 : short === 126 ? 2 : 0;
    const isMasked = (second & 0x80) !== 0;
    if (this.#head.length < 2 + more + (isMasked ? 4 : 0)) return;
    const size = this.#head.slice(2, 2 + more).reduce((sum, byte) => sum * 256 + byte, 0);
    const mask = isMasked ? this.#head.slice(2 + more, 6 + more) : undefined;
    this.#head = [];
    const opcode = first & 0x0f;
    const frame = {
      isLast: (first & 0x80) !== 0,
      opcode,
      mask,
      left: more ? size : short,
      done: 0,
    };
    this.#frame = frame;
    if ((first & 0x70) !== 0) this.#fault = 'A WebSocket frame has bits that nobody agreed on';
    else if (opcode === OPCODE.text || opcode === OPCODE.binary) {
      if (this.#message) this.#fault = 'A WebSocket message began in the midst of another';
      this.#message = { binary: opcode === OPCODE.binary, pieces: [], size: 0 };
    } else if (opcode === OPCODE.continued && !this.#message)
      this.#fault = 'A WebSocket message went on that had not begun';
    else if (opcode >= OPCODE.close && frame.left > MOST_CONTROL)
      this.#fault = `A WebSocket control frame is longer than ${MOST_CONTROL} bytes`;
    if (this.#message && opcode < OPCODE.close) this.#message.size += frame.left;
    this.#weigh(frame.left);
  }

  #weigh(left = 0): void {
    if (Math.max(this.#message?.size ?? 0, left) > MOST_MESSAGE)
      this.#fault = `A message is longer than ${MOST_MESSAGE >> 20} MiB`;
  }

  #take(frame: Frame, piece: Uint8Array): void {
    const { mask, done } = frame;
    if (mask)
      for (let i = 0; i < piece.length; i++)
        piece[i] = (piece[i] ?? 0) ^ (mask[(done + i) % 4] ?? 0);
    frame.done += piece.length;
    frame.left -= piece.length;
    if (frame.opcode >= OPCODE.close) return void this.#control.push(piece);
    this.#message?.pieces.push(piece);
    // Of a great many small ones, what holds them takes more than they.
    if (this.#message) this.#message.size += PIECE_COST;
    this.#weigh();
  }

  #finish({ opcode, isLast }: Frame): readonly SocketSaid[] {
    this.#frame = undefined;
    if (opcode >= OPCODE.close) {
      const bytes = Buffer.concat(this.#control.splice(0));
      if (opcode !== OPCODE.close) return [];
      const reason = decodeLossy(bytes.subarray(2));
      return [{ kind: 'close', reason, ...(bytes.length >= 2 && { code: bytes.readUInt16BE() }) }];
    }
    if (!isLast || !this.#message) return [];
    const { pieces, binary } = this.#message;
    this.#message = undefined;
    return [{ kind: 'message', pieces, binary }];
  }
}
