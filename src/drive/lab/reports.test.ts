import { describe, expect, test } from 'vitest';
import { seq } from '../../trace/event.ts';
import { htmlReport } from '../../report/html.ts';
import { junitReport } from '../../report/render.ts';
import { textReport } from '../../report/text.ts';
import type { Judging } from '../verdict.ts';
import type { Axes } from './axes.ts';
import type { LabCell, LabReport, LabRun } from './report.ts';
import { labJson } from './report-json.ts';
import { labDocument } from './report-document.ts';

const labText = (report: LabReport) => textReport(labDocument(report));
const labHtml = (report: LabReport) => htmlReport(labDocument(report));
const labJunit = (report: LabReport, judging?: Judging) =>
  junitReport(labDocument(report, judging));

const BASE: Axes = {
  variant: 'load',
  stop: 'stdin',
  cwd: 'exact',
  id: 'good',
  capabilities: 'none',
  subagents: 'none',
  mcp: 'same',
};

function run(more: Partial<LabRun> = {}): LabRun {
  return {
    verdict: 'pass',
    why: 'All came back.',
    sessionId: 's1',
    restored: {
      verdict: 'replayed-from-start',
      seen: [{ clause: 'whole', code: 'whole' }],
      due: true,
      requestSeq: seq(4),
      answerSeq: seq(9),
      code: undefined,
    },
    fidelity: undefined,
    memory: { remembers: 'yes', why: 'it answered LAB-1', asked: 1, seqs: [seq(10), seq(12)] },
    tools: { given: ['canary'], listed: ['canary'], uninvited: [], before: true },
    reconnect: { open: [], takesPrompts: 'yes', prompt: undefined },
    stopped: 'exit 0',
    traces: { before: '/t/1.jsonl', after: '/t/2.jsonl' },
    excerpts: [],
    prompts: 2,
    ...more,
  };
}

function cell(id: string, axes: Partial<Axes>, ...runs: LabRun[]): LabCell {
  const { verdict = 'skip', why = 'The agent cannot.' } = runs[0] ?? {};
  return { id, axes: { ...BASE, ...axes }, verdict, why, runs };
}

function report(cells: readonly LabCell[], more: Partial<LabReport> = {}): LabReport {
  return {
    agent: { name: 'agent', version: '1.2' },
    protocolVersion: 1,
    base: BASE,
    repeat: 1,
    cost: { expected: 4, most: 6 },
    promptsSent: 4,
    cells,
    cursors: undefined,
    ended: undefined,
    ...more,
  };
}

const FAILED = run({
  verdict: 'fail',
  why: 'The replay is lossy.',
  memory: { remembers: 'no', why: 'it answered “?”', asked: 2, seqs: [] },
  reconnect: {
    open: [
      {
        kind: 'tool',
        words: 'the tool call “Edit”',
        fate: 'silently gone',
        why: 'the replay does not hold it',
        before: [{ connection: 'before' as never, seq: seq(7) }],
        after: [],
      },
    ],
    takesPrompts: 'yes',
    prompt: undefined,
  },
});
const knownBad = (...ids: string[]) => new Map(ids.map((id) => [id, 'fail'] as const));
const MIXED = report([
  cell('load', {}, run()),
  cell('resume', { variant: 'resume' }),
  cell('load stop=kill', { stop: 'kill' }, FAILED),
  cell('load stop=term', { stop: 'term' }, FAILED, run()),
]);

describe('text', () => {
  test('is an aligned matrix by what each cell varies, then what did not pass', () => {
    expect(labText(MIXED)).toBe(`agent 1.2, ACP v1: does a session come back?

Where a row says nothing else: session/load, stdin closed, cwd: exact, session id: good, client capabilities: none, subagents: no child works, MCP servers: the same.
4 prompts sent; 4 were expected, 6 the most.

cell              verdict  restored             fidelity  remembers  tools  left open        rate
restore
  session/load    PASS     replayed from start  –         yes        yes    –                1/1
  session/resume  SKIP     The agent cannot.
stop moment
  SIGKILL         FAIL     replayed from start  –         no         yes    1 silently gone  0/1
  SIGTERM         FAIL     replayed from start  –         no         yes    1 silently gone  1/2

FAIL  load stop=kill · load stop=term
      The replay is lossy.
      open before  the tool call “Edit” #7: silently gone, the replay does not hold it
      before       /t/1.jsonl  ended: exit 0
      after        /t/2.jsonl  #4–#9
PASS  load

2 fail · 1 pass · 1 skip`);
  });

  test('S-11: obeys nothing that an agent wrote', () => {
    const evil = '\u001b[2J\u202eevil\nPASS everything';
    const text = labText(
      report([cell('load', {}, run({ verdict: 'fail', why: evil }))], {
        agent: { name: evil, version: '' },
      }),
    );
    expect(text).not.toMatch(/[\u001b\u202e]/);
    expect(text).not.toMatch(/^PASS everything/m);
  });
});

describe('JSON', () => {
  test('has a verdict, a rate and the runs of each cell', () => {
    const document = JSON.parse(labJson(MIXED, { baseline: knownBad('load stop=kill') })) as {
      cells: { id: string; known?: true }[];
    };
    expect(document).toMatchObject({
      agent: { name: 'agent', version: '1.2' },
      protocolVersion: 1,
      passed: false,
      prompts: { expected: 4, most: 6, sent: 4 },
      summary: { pass: 1, fail: 2, warn: 0, info: 0, skip: 1 },
    });
    expect(document.cells.map(({ id, known }) => [id, known])).toEqual([
      ['load', undefined],
      ['resume', undefined],
      ['load stop=kill', true],
      ['load stop=term', undefined],
    ]);
    expect(document.cells[3]).toMatchObject({
      verdict: 'fail',
      rate: { passed: 1, of: 2 },
      runs: [
        {
          verdict: 'fail',
          restored: { verdict: 'replayed-from-start', requestSeq: 4 },
          remembers: 'no',
          reconnect: [{ kind: 'tool', fate: 'silently gone', before: [7], after: [] }],
          traces: { before: '/t/1.jsonl', after: '/t/2.jsonl' },
        },
        { verdict: 'pass', remembers: 'yes', stopped: 'exit 0' },
      ],
    });
  });
});

describe('JUnit', () => {
  test('has a case a cell; what a baseline knows fails no more', () => {
    const xml = labJunit(MIXED, { baseline: knownBad('load stop=term') });
    expect(xml).toContain('tests="4" failures="1" errors="0" skipped="1"');
    expect(xml).toContain(
      'name="load stop=kill"><failure type="fail" message="The replay is lossy.">',
    );
    expect(xml).toContain('name="load stop=term"><system-out>');
  });

  test('a warning fails where it is said to, and not where the baseline had it', () => {
    const warned = report([cell('load', {}, run({ verdict: 'warn', why: 'Half of it.' }))]);
    expect(labJunit(warned)).toContain('failures="0"');
    expect(labJunit(warned, { failOn: 'warn' })).toContain('<failure type="warn"');
    const baseline = new Map([['load', 'warn'] as const]);
    expect(labJunit(warned, { failOn: 'warn', baseline })).toContain('failures="0"');
    expect(labText(warned)).toContain('--fail-on warn');
  });
});

describe('the page', () => {
  test('S-11: what an agent wrote is text: no markup, no script, nothing hidden', () => {
    const evil = '<script>alert(1)</script>\u202e"\'&';
    const page = labHtml(
      report(
        [
          cell(
            'load',
            {},
            run({
              why: evil,
              excerpts: [
                {
                  trace: 'after',
                  title: 'The restore',
                  frames: [{ seq: seq(1), from: 'agent', text: evil }],
                  left: undefined,
                },
              ],
            }),
          ),
        ],
        { agent: { name: evil, version: evil }, ended: evil },
      ),
    );
    expect(page).not.toMatch(/<script|\u202e/);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;[U+202E]&quot;&#39;&amp;');
    expect(page).toContain("default-src 'none'; style-src 'unsafe-inline'");
  });

  test('leads from the matrix to what stands behind each cell', () => {
    const page = labHtml(MIXED);
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links).toHaveLength(3);
    for (const id of links) expect(page).toContain(`id="${id}"`);
  });
});
