// Cells that are known to be bad, from an earlier run of the lab in JSON.
import { readFileSync } from 'node:fs';
import { get, objects, parseJson } from '../../acp/json.ts';
import { baselineOf, type Baseline } from '../../drive/verdict.ts';
import { CURSORS_ID } from '../../drive/lab/report.ts';
import { FileError } from '../parts/trace-files.ts';

/** Throws `FileError`. */
export function readKnown(path: string | undefined): Baseline | undefined {
  if (path === undefined) return undefined;
  const make = `Make one: acp-scope lab --format json -- CMD > ${path}`;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new FileError(`Cannot read the baseline ${path}. ${make}`);
  }
  const document = parseJson(text);
  const cursors = get(document, 'cursors');
  if (!Array.isArray(get(document, 'cells')))
    throw new FileError(`${path} is no baseline. ${make}`);
  const algebra =
    cursors === undefined ? [] : [{ id: CURSORS_ID, verdict: get(cursors, 'verdict') ?? null }];
  return baselineOf([...objects(document, 'cells'), ...algebra]);
}
