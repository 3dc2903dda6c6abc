// Files of scenarios: the scenario itself, and the traces that runs of it left.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { problemWords, readScenario } from '../drive/scenario/read.ts';
import type { RawTrace } from '../drive/scenario/record.ts';
import type { Scenario } from '../drive/scenario/scenario.ts';
import type { TraceEvent } from '../trace/event.ts';
import { UsageError } from './command.ts';
import { openTrace } from './trace-files.ts';

export interface NamedScenario {
  readonly scenario: Scenario;
  /** Its own name, else that of its file. */
  readonly name: string;
}

/** Throws UsageError with every problem, a line each. */
export function scenarioFile(path: string): NamedScenario {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new UsageError(`The script ${path} cannot be read. Check the path.`);
  }
  const read = readScenario(text);
  if (!read.ok)
    throw new UsageError(
      read.problems.map((problem) => `${path}: ${problemWords(problem)}`).join('\n'),
    );
  return { scenario: read.scenario, name: read.scenario.name ?? basename(path) };
}

/** All events of a trace file; lines that are none are named on stderr. Throws FileError. */
export async function readTrace(path: string): Promise<RawTrace> {
  const { header, items } = await openTrace(path);
  const events: TraceEvent[] = [];
  for await (const batch of items)
    for (const item of batch)
      if ('event' in item) events.push(item.event);
      else console.error(`${path}, line ${item.line}: ${item.problem}; left out.`);
  const began = header.clock === 'monotonic' ? Date.parse(header.created) : undefined;
  return { events, began };
}
