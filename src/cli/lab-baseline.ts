// Cells that are known to fail, from an earlier run of the lab in JSON.
import { readFileSync } from 'node:fs';
import { get, objects, parseJson, str } from '../acp/json.ts';
import { FileError } from './trace-files.ts';

/** Their ids. Throws `FileError`. */
export function readKnown(path: string | undefined): ReadonlySet<string> {
  if (path === undefined) return new Set();
  const make = `Make one: acp-scope lab --format json -- CMD > ${path}`;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new FileError(`Cannot read the baseline ${path}. ${make}`);
  }
  const document = parseJson(text);
  if (!Array.isArray(get(document, 'cells')))
    throw new FileError(`${path} is no baseline. ${make}`);
  const failed = objects(document, 'cells').flatMap((cell) =>
    str(cell, 'verdict') === 'fail' ? (str(cell, 'id') ?? []) : [],
  );
  const cursors = str(get(document, 'cursors'), 'verdict') === 'fail' ? ['cursor algebra'] : [];
  return new Set([...failed, ...cursors]);
}
