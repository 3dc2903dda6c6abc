// Files in UTF-16, as PowerShell and some editors write them, read as UTF-8.
import { encodeUtf8 } from '../../lib/utf8.ts';

/** Bytes that show the encoding. */
const ENOUGH = 4;

/** Gives the bytes of a file in UTF-8. Text in UTF-16 is known by its byte order mark, or by the zeros of its letters. */
export class Utf8Bytes {
  #head: Uint8Array | undefined = new Uint8Array();
  #decoder: InstanceType<typeof TextDecoder> | undefined;

  push(chunk: Uint8Array): Uint8Array {
    const bytes = this.#withHead(chunk);
    if (this.#head) {
      if (bytes.length < ENOUGH) {
        this.#head = bytes.slice();
        return new Uint8Array();
      }
      this.#begin(bytes);
    }
    return this.#decoder ? encodeUtf8(this.#decoder.decode(bytes, { stream: true })) : bytes;
  }

  /** The rest of the file. */
  end(): Uint8Array {
    const rest = this.#head ?? new Uint8Array();
    this.#begin(rest);
    return this.#decoder ? encodeUtf8(this.#decoder.decode(rest)) : rest;
  }

  #withHead(chunk: Uint8Array): Uint8Array {
    const head = this.#head;
    if (!head || head.length === 0) return chunk;
    const bytes = new Uint8Array(head.length + chunk.length);
    bytes.set(head);
    bytes.set(chunk, head.length);
    return bytes;
  }

  #begin(bytes: Uint8Array): void {
    if (!this.#head) return;
    this.#head = undefined;
    const encoding = encodingOf(bytes);
    if (encoding) this.#decoder = new TextDecoder(encoding);
  }
}

function encodingOf([a, b, c, d]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a !== 0 && b === 0 && c !== 0 && d === 0) return 'utf-16le';
  return a === 0 && b !== 0 && c === 0 && d !== 0 ? 'utf-16be' : undefined;
}
