import { expect, test } from 'vitest';
import type { ScenarioReportView, ScenarioRunView } from '../../engine/runs/scenario-messages.ts';
import { isFailedRun, scenarioVerdict, stepVerdict } from './scenario-words.ts';

const RUN: ScenarioRunView = {
  ...{ traces: [], at: 3, isOver: true, failure: undefined, asserts: [], notes: [] },
};
const FAILED: ScenarioRunView = { ...RUN, failure: { step: 2, why: 'No.', evidence: [] } };
const assert = (verdict: 'pass' | 'fail' | 'undecidable') => {
  return { title: 'a', source: 'a', verdict, seen: '', evidence: [] };
};
const report = (runs: readonly ScenarioRunView[]): ScenarioReportView => ({
  ...{ id: 'r', agent: 'A', version: 2, at: '', name: 'n', text: '', ended: undefined },
  ...{ steps: ['a', 'b', 'c'], repeat: runs.length, runs },
});

test('steps before the one that failed were taken, those behind it were not', () => {
  expect([1, 2, 3].map((step) => stepVerdict(FAILED, step))).toEqual(['pass', 'fail', 'skip']);
});

test('of a run under way, the steps before the present one are taken', () => {
  const run = { ...RUN, isOver: false, at: 2 };
  expect([1, 2, 3].map((step) => stepVerdict(run, step))).toEqual(['pass', undefined, undefined]);
  expect(isFailedRun(run)).toBe(false);
  expect(scenarioVerdict(report([run]))).toBeUndefined();
});

test('what cannot be decided does not hold', () => {
  const run = { ...RUN, asserts: [assert('pass'), assert('undecidable')] };
  expect(isFailedRun(run)).toBe(true);
  expect(scenarioVerdict(report([run]))).toBe('Failed: 3 steps taken. 1 of 2 assertions hold.');
});

test('the verdict names the step, the assertions, or how many runs passed', () => {
  expect(scenarioVerdict(report([RUN]))).toBe('Passed: 3 steps taken.');
  expect(scenarioVerdict(report([FAILED]))).toBe('Failed at step 2 of 3.');
  expect(scenarioVerdict(report([RUN, FAILED, RUN]))).toBe('2 of 3 runs passed.');
});
