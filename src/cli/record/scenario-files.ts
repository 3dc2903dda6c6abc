// Files of scenarios.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { problemWords, readScenario } from '../../drive/scenario/file/read.ts';
import type { Scenario } from '../../drive/scenario/file/scenario.ts';
import { FileMistake, UsageError } from '../command.ts';

export interface NamedScenario {
  readonly scenario: Scenario;
  /** Its own name, else that of its file. */
  readonly name: string;
  /** The file's name without its ending; no two of one call are the same. */
  readonly stem: string;
}

const ENDING = '.scenario.json';

/** Files, and all scenarios of folders, by name. Throws UsageError with every problem, a line each. */
export function scenarioFiles(paths: readonly string[]): readonly NamedScenario[] {
  const problems: string[] = [];
  const found: NamedScenario[] = [];
  for (const path of paths.flatMap(scenarioPaths)) {
    const read = readFile(path);
    if ('problems' in read) problems.push(...read.problems);
    else {
      const stem = basename(path).replace(/(?:\.scenario)?\.(?:jsonl?|ndjson)$/, '');
      const same = found.filter((one) => one.stem.replace(/-\d+$/, '') === stem).length;
      found.push({ ...read, stem: same > 0 ? `${stem}-${same + 1}` : stem });
    }
  }
  if (problems.length > 0) throw new FileMistake(problems.join('\n'));
  return found;
}

/** The file itself, or the scenarios of a folder. Throws UsageError. */
export function scenarioPaths(path: string): readonly string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => name.endsWith(ENDING));
  if (names.length === 0) throw new UsageError(`The folder ${path} holds no *${ENDING}.`);
  return names.sort().map((name) => join(path, name));
}

function readFile(
  path: string,
): Omit<NamedScenario, 'stem'> | { readonly problems: readonly string[] } {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return { problems: [`The script ${path} cannot be read. Check the path.`] };
  }
  const read = readScenario(text);
  if (!read.ok)
    return { problems: read.problems.map((problem) => `${path}: ${problemWords(problem)}`) };
  for (const warning of read.warnings) console.error(`${path}: ${problemWords(warning)}`);
  return { scenario: read.scenario, name: read.scenario.name ?? basename(path) };
}
