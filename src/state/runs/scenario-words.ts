// What came of a run of a scenario, in words.
import type { TraceSummary } from '../../engine/messages.ts';
import type { ScenarioReportView, ScenarioRunView } from '../../engine/runs/scenario-messages.ts';
import { count } from '../../lib/format.ts';
import { formatSpan } from '../../lib/format-time.ts';
import type { App } from '../app.svelte.ts';
import type { VerdictWord } from '../../drive/verdict.ts';

/** A step was not taken, or an assertion does not hold; what is under way has not failed. */
export function isFailedRun({ isOver, failure, asserts }: ScenarioRunView): boolean {
  return isOver && (failure !== undefined || asserts.some(({ verdict }) => verdict !== 'pass'));
}

/** `step`: from 1. Undefined: it is not its turn yet. */
export function stepVerdict(run: ScenarioRunView, step: number): VerdictWord | undefined {
  const { failure, isOver, at } = run;
  if (failure) {
    if (step === failure.step) return 'fail';
    return step < failure.step ? 'pass' : 'skip';
  }
  if (isOver || step < at) return 'pass';
  return undefined;
}

/** `0.4 s · 3 frames`: what a step took; empty: it is not known, or was not taken. */
export function tookWords({ moments = [] }: ScenarioRunView, step: number): string {
  const [begun, over] = [moments[step - 1], moments[step]];
  if (!begun || !over) return '';
  return `${formatSpan(over.ms - begun.ms)} · ${count(over.frames - begun.frames, 'frame')}`;
}

/** `Passed: 7 steps taken, 5 assertions hold.` Undefined: nothing can be said yet. */
export function scenarioVerdict({ runs, steps, repeat }: ScenarioReportView): string | undefined {
  const over = runs.filter(({ isOver }) => isOver);
  const [only] = over;
  if (!only) return undefined;
  if (repeat > 1) {
    const passed = over.filter((run) => !isFailedRun(run)).length;
    return `${passed} of ${count(over.length, 'run')} passed.`;
  }
  const { failure, asserts } = only;
  const held = asserts.filter(({ verdict }) => verdict === 'pass').length;
  const hold = asserts.length === 0 ? '' : `${held} of ${count(asserts.length, 'assertion')} hold.`;
  if (failure) {
    const where = failure.step === 0 ? 'in the handshake' : `at step ${failure.step}`;
    return `Failed ${where} of ${steps.length}. ${hold}`.trim();
  }
  const word = held === asserts.length ? 'Passed' : 'Failed';
  return `${word}: ${count(steps.length, 'step')} taken. ${hold}`.trim();
}

export async function scenarioFile(
  app: App,
  { connection, name }: TraceSummary,
): Promise<{ readonly name: string; readonly text: string }> {
  const { text } = await app.engine.runs.scenarioFrom(connection, name);
  return { name: scenarioFileName(name), text };
}

/** `Bundled agent` → `bundled-agent.scenario.json`. */
export function scenarioFileName(name: string): string {
  const words = name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return `${words === '' ? 'trace' : words.slice(0, 80)}.scenario.json`;
}
