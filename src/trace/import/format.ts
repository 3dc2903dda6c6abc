// What a format of another tool is, and what is said of a file of it. A format makes pieces, in file
// order; importer.ts makes events of them, so that numbers, clock and report are the same for all.
import { visibleWords } from '../../lib/visible-text.ts';
import type { JsonRecord, JsonItem } from './json-record.ts';
import type { Gap, Inferred, Line, Side, Via } from '../event.ts';

/**
 * One event as another tool wrote it. `at`: milliseconds of the tool's clock, if it has one. `process`: the name of the
 * process that the line is of.
 */
export type ImportedPiece = (
  | {
      readonly type: 'frame';
      readonly from: Side;
      readonly line: Line;
      readonly inferred?: readonly Inferred[];
      readonly via?: Via;
      readonly at?: number | undefined;
    }
  /** The frame before it was rejected with this status, and no message. */
  | { readonly type: 'refused'; readonly status: number; readonly at?: number | undefined }
  | { readonly type: 'stderr'; readonly line: Line; readonly at?: number | undefined }
  | {
      readonly type: 'start';
      readonly argv: readonly string[];
      readonly cwd?: string | undefined;
      readonly at?: number | undefined;
    }
  | {
      readonly type: 'exit';
      readonly code?: number | undefined;
      readonly problem?: string | undefined;
      readonly at?: number | undefined;
    }
  | (Pick<Gap, 'type' | 'count' | 'reason' | 'hole'> & { readonly at?: number | undefined })
  /** It cannot be an event: why. Its bytes are kept. */
  | Odd
) & { readonly process?: string | undefined };

interface Odd {
  readonly type: 'odd';
  readonly problem: string;
  /** What stands there; a line's own text where absent. */
  readonly text?: string;
}

export const FORMAT_FIELDS = ['time', 'sender', 'line', 'order', 'stderr', 'process'] as const;
export type ImportField = (typeof FORMAT_FIELDS)[number];

/** How we came to have a field. `kept` in some files and not in others: `partly`. */
export type FieldFate = 'given' | 'inferred' | 'partly' | 'lost';

/** By field: what became of it, and in a few words how. */
export type Fates = Readonly<Record<ImportField, readonly [fate: FieldFate, how: string]>>;

/** What is known of a whole file. */
export interface FileFacts {
  /** The program that wrote it: `acp-devtools 0.4.0`. */
  readonly tool?: string | undefined;
  readonly name?: string | undefined;
  readonly argv?: readonly string[] | undefined;
  /** The beginning of its times, if it differs from the one of the format. */
  readonly clock?: 'wall' | 'relative' | undefined;
}

interface Kind {
  /** In a word: `zed`. */
  readonly word: string;
  /** In a sentence: `Zed's copied log`. */
  readonly name: string;
  readonly fates: Fates;
  /** What the times count from: the epoch, or a beginning that nobody knows. */
  readonly clock: 'wall' | 'relative' | 'none';
}

/** One record a line. */
export interface LineFormat extends Kind {
  readonly reads: 'lines';
  fits(line: string): boolean;
  /** Returns a reader of the lines of one file. `only`: the file has this side's lines alone; `isApart`: only the lines of one of its processes are used. */
  begin(only?: Side, isApart?: boolean): LineTaker;
}

export interface LineTaker {
  readonly facts?: FileFacts;
  /** The side whose lines are all that came; undefined if it is not known, or both sent some. */
  readonly onlySide?: Side | undefined;
  /** Nothing: the line says nothing, as an empty one. */
  take(line: string): readonly ImportedPiece[];
  /** Returns the pieces that waited for more lines when the file ended. */
  end?(): readonly ImportedPiece[];
}

/** All in one. */
export interface WholeFileFormat extends Kind {
  readonly reads: 'document';
  fits(text: string, json: JsonRecord | readonly JsonItem[] | undefined): boolean;
  read(text: string, json: JsonRecord | readonly JsonItem[] | undefined): Document;
}

interface Document {
  readonly facts?: FileFacts;
  readonly pieces: readonly ImportedPiece[];
}

/** Who may have sent a line, told from what it says: whoever knows the protocol can say. */
export interface Senders {
  /** Looks at the next line; undefined: it does not tell. */
  next(line: string): Sender | undefined;
}

interface Sender {
  readonly side: Side;
  /** True if the line itself shows its sender; false if only an open request that the line may answer does. */
  readonly isSure: boolean;
  readonly isAnswer: boolean;
  /** True if the line shows that two connections are open at once. */
  readonly beginsBeside?: boolean;
}

/** What came of a file: told once it is read. */
export interface ImportReport {
  /** Of the format: in a word, and in a sentence. */
  readonly word: string;
  readonly format: string;
  /** Name of the file with the other direction, whose messages are in the same trace; absent: it is one file. */
  readonly joined?: string;
  readonly tool: string | undefined;
  readonly fates: Fates;
  readonly frames: number;
  readonly stderr: number;
  /** Frames whose line was made again, whose sender was concluded, that have no time. */
  readonly rebuilt: number;
  readonly guessed: number;
  readonly untimed: number;
  /** Number of messages of which the file has only the beginning. */
  readonly cut?: number;
  /** Of those that could not be read: how many, and what is wrong with the first. */
  readonly odd: number;
  readonly firstOdd: string | undefined;
}

export function frame(
  from: Side,
  text: string,
  at?: number,
  ...inferred: readonly Inferred[]
): ImportedPiece {
  return { type: 'frame', from, line: { text }, at, ...(inferred.length > 0 && { inferred }) };
}

export function odd(problem: string, text?: string): Odd {
  return { type: 'odd', problem: harmless(problem), ...(text !== undefined && { text }) };
}

const LONGEST = 200;

/** Words of a stranger's file in a sentence of ours: short, and nothing that a terminal obeys. */
export function harmless(words: string): string {
  return visibleWords(words.slice(0, LONGEST)).replace(/[\t\n]/g, ' ');
}
