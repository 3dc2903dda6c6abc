// Values of options that several commands take, and a sentence for what is wrong with one. The relay waits
// for this file: what reads more than a word stands in trace-terms.ts.
import { readFileSync } from 'node:fs';
import { FileError, UsageError } from '../command.ts';

/** The port of the page, and so of its database in the browser. */
export const PORT_OPTION = { type: 'string', default: '7717' } as const;

export function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port < 65_536) return port;
  throw new UsageError(
    `--port ${text} is not a port. Give a number from 1 to 65535, or 0 for any free one.`,
  );
}

/** `9000`, `0.0.0.0:9000`, `[::1]:9000`; without a host, this machine alone. */
export function listenPlace(text: string): { readonly host: string; readonly port: number } {
  const read = /^(?:(?:\[([\da-f:]+)\]|([^:\s]+)):)?(\d{1,5})$/i.exec(text);
  const port = Number(read?.[3]);
  if (!read || port > 65_535)
    throw new UsageError(`--listen ${text} is no place. Give PORT or HOST:PORT: 9000, [::1]:9000.`);
  return { host: read[1] ?? read[2] ?? '127.0.0.1', port };
}

export function oneOf<T extends string>(option: string, text: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === text);
  if (found !== undefined) return found;
  throw new UsageError(`--${option} ${text} is not one of ${allowed.join(', ')}.`);
}

/** A number of 0 or more; with `least`, a whole one of so much or more. */
export function numberOption(option: string, text: string, least?: number): number {
  const value = Number(text);
  const isWhole = least === undefined ? Number.isFinite(value) : Number.isInteger(value);
  if (text !== '' && isWhole && value >= (least ?? 0)) return value;
  const what = least === undefined ? 'a number of 0' : `a whole number of ${least}`;
  throw new UsageError(`--${option} ${text} is not ${what} or more.`);
}

export function protocolOf(text: string | undefined): 1 | 2 | undefined {
  if (text === undefined) return undefined;
  if (text === '1' || text === '2') return text === '1' ? 1 : 2;
  throw new UsageError(`--protocol ${text} is not a version. Give 1 or 2.`);
}

/** An earlier report of the command. `make`: what makes one. Throws `FileError` where it is none. */
export function baselineAt<T>(
  path: string | undefined,
  make: string,
  read: (text: string) => T | undefined,
): T | undefined {
  if (path === undefined) return undefined;
  const how = `Make one: ${make} > ${path}`;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new FileError(`Cannot read the baseline ${path}. ${how}`);
  }
  const baseline = read(text);
  if (baseline === undefined) throw new FileError(`${path} is no baseline. ${how}`);
  return baseline;
}
