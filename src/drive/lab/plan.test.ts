import { describe, expect, test } from 'vitest';
import { labPlan, type LabWish } from './plan.ts';

const V1 = {
  clientCapabilities: {},
  agentCapabilities: { loadSession: true, sessionCapabilities: { resume: {}, close: {} } },
  authMethods: [],
};
const V2 = { clientCapabilities: {}, agentCapabilities: { session: {} }, authMethods: [] };
const WISH: LabWish = { values: {}, full: false, repeat: 1, cursors: true };

describe('without a wish', () => {
  test('one axis at a time is varied from a base cell', () => {
    const { base, cells } = labPlan(1, V1, WISH);
    expect(base).toEqual({
      variant: 'load',
      stop: 'stdin',
      cwd: 'exact',
      id: 'good',
      capabilities: 'none',
      subagents: 'none',
      mcp: 'same',
    });
    expect(cells.map(({ id }) => id)).toEqual([
      'load',
      'resume',
      'load stop=term',
      'load stop=kill',
      'load stop=mid-stream',
      'load stop=permission',
      'load stop=child',
      'load cwd=slash',
      'load cwd=relative',
      'load cwd=other',
      'load cwd=deleted',
      'load id=unknown',
      'load id=other-cwd',
      'load id=deleted',
      'load id=closed',
      'load capabilities=extras',
      'load capabilities=subagents',
      'load subagents=with',
      'load subagents=without',
      'load mcp=other',
      'load mcp=none',
    ]);
  });

  test('what the agent does not advertise is skipped, with the reason', () => {
    const { cells } = labPlan(1, V1, WISH);
    expect(cells.find(({ id }) => id === 'load id=deleted')?.skip).toBe(
      'the agent does not advertise sessionCapabilities.delete',
    );
    expect(cells.filter(({ skip }) => skip !== undefined)).toHaveLength(1);
  });

  test('v2 is held against a replay from the start', () => {
    const { base, cells } = labPlan(2, V2, WISH);
    expect(base.variant).toBe('start');
    expect(cells.slice(0, 6).map(({ id }) => id)).toEqual([
      'start',
      'omitted',
      'null',
      'custom',
      'unknown',
      'malformed',
    ]);
  });

  test('an agent that only resumes is held against its resume', () => {
    const resumes = { ...V1, agentCapabilities: { sessionCapabilities: { resume: {} } } };
    const { base, cells } = labPlan(1, resumes, WISH);
    expect(base.variant).toBe('resume');
    expect(cells.find(({ id }) => id === 'load')?.skip).toMatch(/loadSession/);
  });
});

describe('what was asked for', () => {
  test('is a product of the axes named', () => {
    const values = { stop: ['kill', 'term'], variant: ['load', 'resume'] };
    expect(labPlan(1, V1, { ...WISH, values }).cells.map(({ id }) => id)).toEqual([
      'load stop=kill',
      'load stop=term',
      'resume stop=kill',
      'resume stop=term',
    ]);
  });

  test('is held against the value that all cells have, and skips the other version, with the reason', () => {
    const { cells, base, cost } = labPlan(2, V2, {
      ...WISH,
      values: { variant: ['load', 'start'] },
    });
    expect(cells.map(({ id, skip }) => [id, skip])).toEqual([
      ['load', 'it is of v1, not of v2: --protocol 1 tries it'],
      ['start', undefined],
    ]);
    expect(base.variant).toBe('start');
    expect(cost.expected).toBe(4);
  });

  test('full is everything with everything', () => {
    expect(labPlan(1, V1, { ...WISH, full: true }).cells).toHaveLength(2 * 6 * 5 * 5 * 3 * 3 * 3);
  });
});

test('the cost counts what is tried, as often as it is repeated', () => {
  const values = { variant: ['load'], id: ['good', 'unknown', 'deleted'] };
  expect(labPlan(1, V1, { ...WISH, values, repeat: 3 }).cost).toEqual({ expected: 6, most: 9 });
  const cut = { variant: ['load'], stop: ['permission'] };
  expect(labPlan(1, V1, { ...WISH, values: cut }).cost).toEqual({ expected: 3, most: 4 });
  const v2 = labPlan(2, V2, { ...WISH, values: { variant: ['start', 'unknown'] } });
  expect(v2.cost).toEqual({ expected: 2 + 1 + 2, most: 3 + 1 + 2 });
});
