// Frames that a command line names: `FILE#12`, `FILE#12..20,31`, and `c2#12` of the second file beside it.
import { existsSync } from 'node:fs';
import { UsageError } from '../command.ts';
import { firstNames } from './trace-files.ts';

/** Seqs, both ends included. */
export interface SeqSpan {
  readonly from: number;
  readonly to: number;
}

export interface FramePlaces {
  /** Each file once, by whatever way it is named, in the order they are named in. */
  readonly files: readonly string[];
  readonly places: readonly FramePlace[];
}

interface FramePlace {
  /** As it was written. */
  readonly source: string;
  readonly file: string;
  readonly spans: readonly SeqSpan[];
}

/** A file, and what should be a place in it. */
const ALMOST = /^(.+)#[^#/\\]*$/s;
const PLACE = /^(.*)#(\d+(?:\.\.\d+)?(?:,\d+(?:\.\.\d+)?)*)$/s;

/** Words without a place name the files that `c1`, `c2` mean. Throws UsageError. */
export async function framePlaces(words: readonly string[]): Promise<FramePlaces> {
  const written: string[] = [];
  const found = words.map((word) => {
    const [, file, spans] = PLACE.exec(word) ?? [];
    // A file may be called so.
    const isPlace = file !== undefined && spans !== undefined && !existsSync(word);
    if (!isPlace) written.push(word);
    else if (file !== '' && !isNumbered(file)) written.push(file);
    return isPlace ? { source: word, file, spans: spansOf(word, spans) } : undefined;
  });
  const names = await firstNames(written);
  const files = [...new Set(names.values())];
  const places = found.flatMap((place) => {
    if (!place) return [];
    const file = fileOf(place.source, place.file, files);
    return [{ ...place, file: names.get(file) ?? file }];
  });
  return { files, places };
}

/** The file of a word such as `FILE#12..`, or the whole word. */
export function fileMeant(word: string): string {
  return existsSync(word) ? word : (ALMOST.exec(word)?.[1] ?? word);
}

/** `c2`, and no file is called so. */
function isNumbered(file: string): boolean {
  return /^c[1-9]\d*$/.test(file) && !existsSync(file);
}

function fileOf(source: string, file: string, files: readonly string[]): string {
  if (file !== '' && !isNumbered(file)) return oneTrace(source, file);
  const number = file === '' ? 1 : Number(file.slice(1));
  const found = files[number - 1];
  if (found === undefined)
    throw new UsageError(
      `${source} is a frame of file ${number}, and ${files.length === 0 ? 'no file is' : `${files.length} ${files.length === 1 ? 'is' : 'are'}`} named beside it.`,
    );
  return found;
}

/** `FILE#c2#12`: a file holds one connection, so nothing more than `c1` can be meant. */
function oneTrace(source: string, file: string): string {
  const [, only, number] = /^(.+)#c([1-9]\d*)$/s.exec(file) ?? [];
  if (only === undefined || existsSync(file)) return file;
  throw new UsageError(
    `${source}: a file holds one connection, so its frames need no c${number}: ${only}#SEQ.`,
  );
}

function spansOf(source: string, text: string): readonly SeqSpan[] {
  return text.split(',').map((span) => {
    const [from = 0, to = from] = span.split('..').map(Number);
    if (from < 1) throw new UsageError(`${source}: frames are numbered from 1.`);
    if (to < from) throw new UsageError(`${source}: ${from}..${to} ends before it begins.`);
    return { from, to };
  });
}
