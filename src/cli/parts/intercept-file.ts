// `--intercept FILE`: rules read before anything starts, and the intercept of each connection by them.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Intercepting } from '../../drive/intercept/intercepting.ts';
import { readRules } from '../../drive/intercept/read.ts';
import { REAL_TIMERS } from '../../drive/timers.ts';
import type { MakeSteered } from '../../relay/intercept.ts';
import { FileMistake, UsageError } from '../command.ts';
import { nodeFinder } from './node-finder.ts';
import { problemWords } from '../../drive/scenario/file/text-problem.ts';

/** Throws `FileMistake` with every problem of the rules, a line each; `UsageError`: there is no such file. */
export function interceptBy(path: string): MakeSteered {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new UsageError(`The rules ${path} cannot be read. Check the path.`);
  }
  const read = readRules(text);
  if (!read.ok)
    throw new FileMistake(
      read.problems.map((problem) => `${path}: ${problemWords(problem)}`).join('\n'),
    );
  return (outlet) => {
    const intercept = newIntercept(outlet);
    intercept.set(read.rules);
    return intercept;
  };
}

/** One without rules yet. */
export function newIntercept(outlet: Parameters<MakeSteered>[0]): Intercepting {
  const run = randomBytes(6).toString('hex');
  let count = 0;
  const newId = () => `acp-scope-${run}-${++count}`;
  return new Intercepting({ outlet, timers: REAL_TIMERS, finder: nodeFinder, newId });
}
