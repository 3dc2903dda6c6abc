// Secrets that are split over streamed pieces: of a message, of a tool's output, of a terminal. The
// pieces are joined, a window at a time, and what is found in the whole is put into the pieces: the
// pseudonym into the first, nothing into those after it, so that the pieces joined say what the whole does.
import { get, isObject, parseJson, str } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { isChunk, updateOf } from '../../acp/update.ts';
import type { Frame, Seq } from '../../trace/event.ts';
import { byteText, type Hit } from './hits.ts';

/** So much of a stream is read at once, and so much of it again with what follows. */
const WINDOW = 32 * 1024;
const OVERLAP = 8 * 1024;
/** Streams that are open at a time; past this the one that was silent longest ends. */
const MOST_OPEN = 256;

/** What is to be put into one text of a frame. `encoded`: its text is base64, the places are its bytes'. */
export interface Split {
  readonly encoded: boolean;
  readonly hits: Hit[];
}

interface Piece {
  readonly seq: Seq;
  readonly path: string;
  /** Where it begins in the stream as far as that is held. */
  readonly from: number;
  readonly text: string;
  /** Its text stands in the frame as base64. */
  readonly encoded: boolean;
}

interface Stream {
  text: string;
  pieces: Piece[];
}

export class Streams {
  readonly #look: (text: string) => readonly Hit[];
  readonly #open = new Map<string, Stream>();
  readonly #found = new Map<Seq, Map<string, Split>>();

  /** `look`: finds in text without structure. */
  constructor(look: (text: string) => readonly Hit[]) {
    this.#look = look;
  }

  /** What is to be put into the texts of a frame, once all was taken. */
  of(seq: Seq): ReadonlyMap<string, Split> | undefined {
    return this.#found.get(seq);
  }

  take({ seq, line }: Frame): void {
    if (!('text' in line) || !line.text.includes('sessionUpdate')) return;
    const read = updateOf(get(parseJson(line.text), 'params'));
    if (!read) return;
    const { sessionId = '', variant, update } = read;
    const id = str(update, 'messageId') ?? str(update, 'toolCallId') ?? str(update, 'terminalId');
    const parts = isChunk(variant) ? update : meta(update);
    for (const [path, text] of textsOf(parts, 'params.update')) {
      const bytes =
        variant === 'terminal_output_chunk' && path === DATA ? byteText(text) : undefined;
      const piece = { seq, path, text: bytes ?? text, encoded: bytes !== undefined };
      this.#join(JSON.stringify([sessionId, variant, id, path]), piece);
    }
  }

  /** No more comes. */
  end(): void {
    for (const key of [...this.#open.keys()]) this.#end(key);
  }

  #join(key: string, piece: Omit<Piece, 'from'>): void {
    const stream = this.#open.get(key) ?? { text: '', pieces: [] };
    stream.pieces.push({ ...piece, from: stream.text.length });
    stream.text += piece.text;
    // Behind all others: it spoke last.
    this.#open.delete(key);
    this.#open.set(key, stream);
    if (stream.text.length > WINDOW) this.#read(stream, stream.text.length - OVERLAP);
    const [oldest] = this.#open.keys();
    if (this.#open.size > MOST_OPEN && oldest !== undefined) this.#end(oldest);
  }

  #end(key: string): void {
    const stream = this.#open.get(key);
    if (stream) this.#read(stream, stream.text.length);
    this.#open.delete(key);
  }

  /** Finds what begins before `until`, and forgets the stream up to there. */
  #read(stream: Stream, until: number): void {
    const { text, pieces } = stream;
    if (text.length < 6) return;
    let cut = until;
    for (const hit of this.#look(text)) {
      if (hit.end > until) {
        cut = Math.min(cut, hit.start);
        // One that fills the whole window is taken as it is.
        if (hit.start > 0) break;
        cut = hit.end;
      }
      this.#put(hit, pieces);
    }
    stream.text = text.slice(cut);
    stream.pieces = pieces
      .filter(({ from, text: said }) => from + said.length > cut)
      .map((piece) => ({ ...piece, from: piece.from - cut }));
  }

  #put({ start, end, rule, put }: Hit, pieces: readonly Piece[]): void {
    const touched = pieces.filter(({ from, text }) => from < end && from + text.length > start);
    const [first] = touched;
    if (first === undefined || (touched.length === 1 && !first.encoded)) return;
    for (const piece of touched) {
      const { from, text, seq, path } = piece;
      const at = this.#found.get(seq) ?? new Map<string, Split>();
      const split = at.get(path) ?? { encoded: piece.encoded, hits: [] };
      split.hits.push({
        ...{ start: Math.max(start - from, 0), end: Math.min(end - from, text.length) },
        ...{ rule, put: piece === first ? put : '' },
      });
      at.set(path, split);
      this.#found.set(seq, at);
    }
  }
}

/** Where a chunk of a terminal has its bytes, as base64. */
const DATA = 'params.update.data';

function meta(update: JsonObject): JsonObject {
  const found = get(update, '_meta');
  return found === undefined ? {} : { _meta: found };
}

/** Keys that hold what streams. */
const STREAMED = /^(?:text|data|delta|output|chunk|stdout|stderr)$/;

/** Streamed texts stand no deeper than this in an update. */
const DEEPEST = 6;

function textsOf(value: Json, path: string, depth = 0): [string, string][] {
  if (!isObject(value) || depth > DEEPEST) return [];
  return Object.entries(value).flatMap(([key, inner]): [string, string][] => {
    if (typeof inner !== 'string') return textsOf(inner, `${path}.${key}`, depth + 1);
    return STREAMED.test(key) && inner !== '' ? [[`${path}.${key}`, inner]] : [];
  });
}
