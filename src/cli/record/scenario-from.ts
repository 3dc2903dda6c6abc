// Writes recordings as a scenario that sends the same again.
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { scenarioFrom } from '../../drive/scenario/file/from-trace.ts';
import { recordOf } from '../../drive/scenario/assert/record.ts';
import { FileError, readTrace } from '../parts/trace-files.ts';

const ENDING = /\.scenario\.json$/;

export function isScenarioName(path: string): boolean {
  return ENDING.test(path);
}

/** One recording a connection, in order. Returns how many steps. Throws FileError. */
export async function writeScenario(inputs: readonly string[], output: string): Promise<number> {
  const traces = [];
  for (const input of inputs) traces.push(await readTrace(input));
  const name = basename(output).replace(ENDING, '');
  const document = scenarioFrom(recordOf(traces).traces, { name });
  try {
    await writeFile(output, `${JSON.stringify(document, undefined, 2)}\n`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new FileError(`Cannot write ${output}: ${why}.`);
  }
  const { steps } = document;
  return Array.isArray(steps) ? steps.length : 0;
}
