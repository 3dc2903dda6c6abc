import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sourcesOf } from '../../test/traces/fidelity-sources.ts';
import { indexed } from '../../test/traces/indexed.ts';
import { connectionId } from '../../trace/event.ts';
import { fidelityOf } from '../fidelity/fidelity.ts';
import { restoreResult, type RestoreResult } from './restore-results.ts';
import { resultWords } from './restore-words.ts';
import type { ShapeId } from './restore-shapes.ts';
import {
  RESTORE_VERDICTS,
  RESTORE_VERDICT_WORDS,
  type Elsewhere,
  type RestoreVerdict,
} from './restore-verdict.ts';

const CURSORS: Readonly<Partial<Record<ShapeId, string>>> = {
  null: 'null',
  start: '{"type":"start"}',
  custom: '{"type":"_message","messageId":"m2"}',
  unknown: '{"type":"checkpoint"}',
  malformed: '{"type":5}',
};
const SHAPES: readonly ShapeId[] = [
  'load',
  'resume',
  'omitted',
  'null',
  'start',
  'custom',
  'unknown',
  'malformed',
];
const isV1 = (shape: ShapeId) => shape === 'load' || shape === 'resume';

/** What the agent does with a restore; `m1` to `m3` are known from before. */
interface Course {
  readonly shape: ShapeId;
  readonly before: readonly string[];
  readonly end:
    'answer' | 'other session' | 'not found' | 'bad params' | 'no method' | 'exit' | 'none';
  readonly after: readonly string[];
  readonly deleted: boolean;
  readonly refusedNext: boolean;
}

const ENDS: Readonly<Record<Course['end'], string>> = {
  answer: 'agent ←5 result {}',
  'other session': 'agent ←5 result {"sessionId":"s9"}',
  'not found': 'agent ←5 error -32002 Not found',
  'bad params': 'agent ←5 error -32602 Invalid params',
  'no method': 'agent ←5 error -32601 Method not found',
  exit: 'exit 137',
  none: '',
};

function drawn({ shape, before, end, after, deleted, refusedNext }: Course): string {
  const v1 = isV1(shape);
  const replay = (id: string) =>
    v1 || id === ''
      ? `agent update s1 agent_message_chunk ${id} "x"`
      : `agent update s1 agent_message ${id} "x"`;
  const method = shape === 'load' ? 'session/load' : 'session/resume';
  const cursor = CURSORS[shape];
  const replayFrom = cursor === undefined ? '' : `,"replayFrom":${cursor}`;
  return [
    `client →0 initialize {"protocolVersion":${v1 ? 1 : 2}}`,
    v1
      ? 'agent ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true,"sessionCapabilities":{"resume":{}}}}'
      : 'agent ←0 result {"protocolVersion":2,"info":{"name":"a","version":"1"},"capabilities":{"session":{}}}',
    ...['m1', 'm2', 'm3'].map(replay),
    ...(deleted ? ['client →3 session/delete s1', 'agent ←3 result {}'] : []),
    `client →5 ${method} {"sessionId":"s1","cwd":"/w","mcpServers":[]${replayFrom}}`,
    ...before.map(replay),
    ...(v1 ? [] : ['agent update s1 state_update {"state":"idle"}']),
    ENDS[end],
    ...after.map(replay),
    ...(refusedNext && end === 'answer'
      ? ['client →6 session/prompt s1 "Hi"', 'agent ←6 error -32602 Session not found']
      : []),
  ].join('\n');
}

function resultOf(
  picture: string,
  elsewhere?: Elsewhere,
): RestoreResult & { readonly words: string } {
  const { index, eventAt } = indexed(picture);
  const window = index.windowRecords[0];
  if (window === undefined) throw new Error('No restore was drawn');
  const source = { index, eventAt, connection: connectionId('c1') };
  const [compared] = fidelityOf([source]).windows;
  const result = restoreResult(source, window, compared?.faults ?? [], elsewhere);
  return { ...result, words: resultWords(result).whole };
}

const ids = fc.constantFrom<readonly string[]>(
  [],
  ['m1', 'm2', 'm3'],
  ['m2', 'm3'],
  ['m3'],
  ['n1'],
);
const courses: fc.Arbitrary<Course> = fc.record({
  shape: fc.constantFrom(...SHAPES),
  before: ids,
  end: fc.constantFrom(...(Object.keys(ENDS) as Course['end'][])),
  after: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: ids }),
  deleted: fc.boolean(),
  refusedNext: fc.boolean(),
});

/** Verdicts that no course of a shape can have. */
const NEVER: Readonly<Record<string, readonly RestoreVerdict[]>> = {
  load: [
    'restored-without-replay',
    'replayed-from-cursor',
    'replayed-unasked',
    'ignored-replayed-from-start',
    'undecidable',
  ],
  silent: [
    'replayed-from-start',
    'replayed-from-cursor',
    'replayed-nothing',
    'replayed-elsewhere',
    'replayed-late',
    'ignored-replayed-from-start',
  ],
  start: [
    'restored-without-replay',
    'replayed-from-cursor',
    'replayed-unasked',
    'ignored-replayed-from-start',
    'undecidable',
  ],
  custom: ['restored-without-replay', 'replayed-from-start', 'replayed-unasked'],
  noCursor: [
    'restored-without-replay',
    'replayed-from-start',
    'replayed-from-cursor',
    'replayed-unasked',
    'replayed-elsewhere',
    'replayed-late',
    'undecidable',
  ],
};
function family(shape: ShapeId): string {
  if (shape === 'resume' || shape === 'omitted' || shape === 'null') return 'silent';
  return shape === 'unknown' || shape === 'malformed' ? 'noCursor' : shape;
}

test('a verdict is always one that its shape can have, rests on frames, and never says the opposite of them', () => {
  fc.assert(
    fc.property(courses, (course) => {
      const picture = drawn(course);
      const { verdict, evidence, words, window } = resultOf(picture);
      expect(NEVER[family(course.shape)] ?? []).not.toContain(verdict);
      expect(words).not.toBe('');
      const seqs = evidence.map(({ seq }) => seq);
      expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
      expect(seqs).toContain(window.request);
      const what = evidence.map((one) => one.what);
      if (verdict.startsWith('replayed-from')) expect(what).toContain('first replayed');
      if (verdict === 'replayed-late') expect(what).toContain('last late');
      if (verdict === 'restored-nothing' || verdict === 'replayed-nothing')
        expect(what).not.toContain('first replayed');
      expect(verdict === 'open').toBe(course.end === 'none');
      expect(verdict === 'incomplete').toBe(course.end === 'exit');
      expect(verdict.startsWith('rejected')).toBe(
        ['not found', 'bad params', 'no method'].includes(course.end),
      );
    }),
  );
});

test('each verdict of a shape occurs among its courses', () => {
  const found = new Map<string, Set<RestoreVerdict>>();
  const all: readonly string[][] = [[], ['m1', 'm2', 'm3'], ['m2', 'm3'], ['m3'], ['n1'], ['']];
  for (const shape of SHAPES)
    for (const before of all)
      for (const end of Object.keys(ENDS) as Course['end'][])
        for (const after of [[], ['m1']])
          for (const deleted of [false, true])
            for (const refusedNext of [false, true]) {
              const course = { shape, before, end, after, deleted, refusedNext };
              const set = found.get(family(shape)) ?? new Set();
              found.set(family(shape), set.add(resultOf(drawn(course)).verdict));
            }
  // History without a cursor while a turn runs is drawn in restore-results.test.ts.
  for (const [name, verdicts] of found) {
    const never = new Set([...(NEVER[name] ?? []), ...(name === 'silent' ? ['undecidable'] : [])]);
    const due = RESTORE_VERDICTS.filter((verdict) => !never.has(verdict));
    expect([name, [...verdicts].toSorted()]).toEqual([name, due.toSorted()]);
  }
  expect(new Set([...found.values()].flatMap((set) => [...set])).size).toBe(
    RESTORE_VERDICTS.length,
  );
});

describe('restored nothing', () => {
  const load = (more: Partial<Course>) =>
    drawn({
      shape: 'load',
      before: [],
      end: 'answer',
      after: [],
      deleted: false,
      refusedNext: false,
      ...more,
    });

  test('is a result for a session that was deleted', () => {
    const { verdict, words, due } = resultOf(load({ deleted: true }));
    // v1 leaves to the agent what becomes of such a session.
    expect([verdict, due]).toEqual(['restored-nothing', undefined]);
    expect(words).toBe('a result, though there is no such session');
  });

  test('is a result after which the next request finds no session; that frame is its evidence', () => {
    const { verdict, evidence } = resultOf(load({ refusedNext: true }));
    expect(verdict).toBe('restored-nothing');
    expect(evidence.at(-1)?.what).toBe('refused');
  });

  test('is a result that names another session', () => {
    expect(resultOf(load({ end: 'other session' })).words).toMatch(/another session, s9/);
  });

  test('is a result for an id that the caller made up; an error is then as due', () => {
    expect(resultOf(load({}), { gone: true }).verdict).toBe('restored-nothing');
    expect(resultOf(load({ end: 'not found' }), { gone: true }).verdict).toBe('rejected-as-due');
  });
});

test('history that another trace knows decides whether a load that replays nothing is at fault', () => {
  const picture = `
    client →0 initialize {"protocolVersion":1}
    agent ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}
    client →5 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
    agent ←5 result {}`;
  expect(resultOf(picture)).toMatchObject({ verdict: 'replayed-nothing', due: undefined });
  const live = `
    client →1 session/new {"cwd":"/w","mcpServers":[]}
    agent ←1 result {"sessionId":"s1"}
    agent update s1 agent_message_chunk m1 "x"`;
  expect(fidelityOf(sourcesOf([live, picture])).windows).toMatchObject([
    { restored: 'replayed-nothing', due: false },
  ]);
});

describe('on a connection that knows nothing of the session, another trace decides', () => {
  const elsewhere: Elsewhere = {
    history: true,
    items: ['m1', 'm2', 'm3'].map((id, index) => ({ kind: 'agent', id, index })),
  };
  const fresh = (...ids: string[]) =>
    resultOf(
      `client →0 initialize {"protocolVersion":2}
      agent ←0 result {"protocolVersion":2,"info":{"name":"a","version":"1"},"capabilities":{"session":{}}}
      client →5 session/resume {"sessionId":"s1","cwd":"/w","replayFrom":${CURSORS.custom}}
      ${ids.map((id) => `agent update s1 agent_message ${id} "x"`).join('\n')}
      agent update s1 state_update {"state":"idle"}
      agent ←5 result {}`,
      elsewhere,
    ).verdict;

  test('whether the replay began at the start, or after what the cursor names', () => {
    expect(fresh('m1', 'm2', 'm3')).toBe('ignored-replayed-from-start');
    expect(fresh('m3')).toBe('replayed-elsewhere');
    expect(fresh('m2', 'm3')).toBe('replayed-from-cursor');
    expect(fresh()).toBe('replayed-nothing');
  });
});

test('a request that breaks its schema is rejected as due', () => {
  const broken = (params: string) =>
    resultOf(`
      client →0 initialize {"protocolVersion":1}
      agent ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}
      client →5 session/load {"sessionId":"s1"${params}}
      agent ←5 error -32602 Invalid params`).words;
  expect(broken(',"cwd":"/w"')).toBe('rejected, as expected: mcpServers is missing');
  expect(broken(',"cwd":"w","mcpServers":[]')).toBe('rejected, as expected: cwd is not absolute');
});

test('an agent that accepts a relative cwd is told so, whatever it replays', () => {
  const { verdict, words, due } = resultOf(`
    client →0 initialize {"protocolVersion":1}
    agent ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}
    client →5 session/load {"sessionId":"s1","cwd":"w","mcpServers":[]}
    agent update s1 agent_message_chunk m1 "x"
    agent ←5 result {}`);
  expect([verdict, due]).toEqual(['replayed-from-start', false]);
  expect(words).toBe('accepted a relative cwd; expected −32602');
});

test('v2: an id that nothing knows is rejected as due with −32002', () => {
  const picture = (before: string) => `
    client →0 initialize {"protocolVersion":2}
    agent ←0 result {"protocolVersion":2,"info":{"name":"a","version":"1"},"capabilities":{"session":{}}}
    ${before}
    client →5 session/resume {"sessionId":"s1","cwd":"/w","replayFrom":{"type":"start"}}
    agent ←5 error -32002 Not found`;
  expect(resultOf(picture(''))).toMatchObject({
    verdict: 'rejected-as-due',
    words: 'rejected, as expected: nothing in the trace knows the session either',
  });
  const listed = `client →1 session/list
    agent ←1 result {"sessions":[{"sessionId":"s1","cwd":"/w"}]}`;
  expect(resultOf(picture(listed))).toMatchObject({ verdict: 'rejected', due: undefined });
  expect(resultOf(picture(''), { known: true }).due).toBeUndefined();
  expect(resultOf(picture(''), { history: true }).due).toBeUndefined();
});

test('an internal error for a stored session is not as due', () => {
  const PROMPT = 'client →2 session/prompt s1 "Hi"\nagent ←2 result {"stopReason":"end_turn"}';
  const CLOSE = 'client →3 session/close s1\nagent ←3 result {}';
  const result = (code: number, before = `${PROMPT}\n${CLOSE}`, cwd = '/w') =>
    resultOf(`
    client →0 initialize {"protocolVersion":1}
    agent ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}
    client →1 session/new {"cwd":"/w","mcpServers":[]}
    agent ←1 result {"sessionId":"s1"}
    ${before}
    client →5 session/load {"sessionId":"s1","cwd":"${cwd}","mcpServers":[]}
    agent ←5 error ${code} Internal error`);
  expect(result(-32603)).toMatchObject({ verdict: 'rejected', due: false });
  expect(result(-32603).words).toContain('though there is such a session');
  expect(result(-32603, undefined, 'w').due).toBeUndefined();
  expect(result(-32000).due).toBeUndefined();
  // Several agents store a session from its first prompt on; what a load of an open one does is undefined.
  expect(result(-32603, CLOSE).due).toBeUndefined();
  expect(result(-32603, PROMPT).due).toBeUndefined();
});

test('a replay without thoughts begins at the start all the same', () => {
  const { verdict } = resultOf(`
    client →0 initialize {"protocolVersion":1}
    agent ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}
    agent update s1 agent_thought_chunk t1 "hm"
    agent update s1 agent_message_chunk m1 "x"
    client →5 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
    agent update s1 agent_message_chunk m1 "x"
    agent ←5 result {}`);
  expect(verdict).toBe('replayed-from-start');
});

test('each verdict has words of its own', () => {
  expect(new Set(Object.values(RESTORE_VERDICT_WORDS)).size).toBe(RESTORE_VERDICTS.length);
});
