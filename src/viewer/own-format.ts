// In place of what reads every format: the trace that a page holds is in our own.
import { FORMAT } from '../trace/format.ts';
import { LineReader, type Reader, type ReadLines } from '../trace/read.ts';

export class AnyReader extends LineReader implements Reader<ReadLines> {
  readonly format = FORMAT;
  readonly report = undefined;
  readonly parts: readonly string[] = [];
}

// And it is in no archive.
export const isZip = (): boolean => false;
export const MOST_ARCHIVE = 0;
export const withinLimit = <T>(bytes: T): T => bytes;
export class ImportStopped extends Error {}
export const unpackLogs = (): { ok: false; problem: string } => ({ ok: false, problem: '' });

// There is nothing to conclude about that trace, and nothing to report.
export const senders = (): void => undefined;
export const importSentence = (): undefined => undefined;
