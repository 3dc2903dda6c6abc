import { expect, test } from 'vitest';
import type { Seq } from '../../trace/event.ts';
import { judgeCell } from './judge.ts';

test('a cell whose moment never came says so, whatever else failed in it', () => {
  const why = (missed: string | undefined) =>
    judgeCell({
      version: 1,
      axes: {
        ...{ variant: 'load', stop: 'permission', cwd: 'exact', id: 'good' },
        ...{ capabilities: 'none', subagents: 'none', mcp: 'none' },
      },
      restored: {
        ...{ verdict: 'replayed-from-start', due: true, seen: [], code: undefined },
        ...{ requestSeq: 4 as Seq, answerSeq: 9 as Seq },
      },
      memory: { remembers: 'no', why: 'it answered “?”', asked: 1, seqs: [] },
      cut: { seq: undefined, missed },
      ...{ fidelity: undefined, tools: undefined, reconnect: undefined },
    });
  expect(why('the turn asked for no permission')).toEqual({
    verdict: 'fail',
    why: 'It does not remember turn 1: it answered “?”; the turn asked for no permission.',
  });
  expect(why(undefined).why).toBe('It does not remember turn 1: it answered “?”.');
});
