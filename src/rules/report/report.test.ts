import { visibleWords } from '../../lib/visible-text.ts';
import { obeyedIn } from '../../test/ci-log.ts';
import { expect, test } from 'vitest';
import { junitReport as junit } from '../../report/render.ts';
import { sarifReport as sarif } from '../../report/sarif.ts';
import { textReport as text } from '../../report/text.ts';
import { draw } from '../../test/traces/draw.ts';
import { V1 } from '../../test/traces/rule-case.ts';
import type { Severity } from '../finding.ts';
import { checkTrace } from '../check-trace.ts';
import { FindingBaseline, findingsJson, isFailed, summaryOf, type FileReport } from './report.ts';
import { checkDocument, resultsOf } from './document.ts';

type Files = readonly FileReport[];
const textReport = (files: Files, all: boolean) =>
  text(checkDocument(files, { all, floor: 'error' }));
const junitReport = (files: Files, floor: Severity) =>
  junit(checkDocument(files, { all: false, floor }));
const sarifReport = (files: Files, version: string) => sarif(resultsOf(files), version);

const NOISY = `${V1}
  agent raw INFO <listening> & "ready"
  client →1 session/list {}
  agent ←1 error -32050 Too busy
  client →2 session/list {}`;

function report(picture: string, passes = false): FileReport {
  const checked = checkTrace(draw(picture), { passes });
  return { file: 'a/b.acptrace.jsonl', unread: [], ...checked, lineOf: (seq) => seq + 1 };
}

test('JSON holds the frames, verdicts and counts of each file', () => {
  const document = JSON.parse(findingsJson([report(NOISY)])) as unknown;
  expect(document).toEqual({
    files: [
      {
        file: 'a/b.acptrace.jsonl',
        protocolVersion: 1,
        profile: 'v1-2.4.0',
        frames: 6,
        findings: [
          {
            rule: 'frame/not-json',
            verdict: 'fail',
            severity: 'error',
            side: 'agent',
            seqs: [4],
            pointer: '',
            seen: 'not JSON: expected a value, found I at 0',
            due: 'every line is one JSON-RPC message, and nothing else is written there',
            source: 'https://agentclientprotocol.com/protocol/v1/transports#stdio',
            quote: expect.stringContaining('MUST NOT write anything to its `stdout`') as string,
          },
          {
            rule: 'rpc/error-code-range',
            verdict: 'fail',
            severity: 'warning',
            side: 'agent',
            seqs: [6],
            pointer: '/error/code',
            seen: 'the code -32050, which neither JSON-RPC nor ACP defines',
            due: expect.stringContaining('codes of one’s own') as string,
            source: 'https://agentclientprotocol.com/protocol/v1/error#error-codes',
            quote: expect.stringContaining('SHOULD use codes outside') as string,
          },
          expect.objectContaining({
            rule: 'rpc/response-missing',
            verdict: 'undecidable',
            seqs: [7],
          }),
        ],
        summary: { error: 1, warning: 1, hint: 0, undecidable: 1 },
      },
    ],
  });
});

test('every format quotes the sentence that asks for it, as its edition has it', () => {
  const words = 'The agent MUST NOT write anything to its `stdout`';
  const noisy = [report(NOISY)];
  expect(textReport(noisy, false)).toContain(`says  “${words}`);
  expect(junitReport(noisy, 'error')).toContain(`says: “${words}`);
  const document = JSON.parse(sarifReport(noisy, '1.0')) as {
    runs: { tool: { driver: { rules: unknown[] } } }[];
  };
  expect(document.runs[0]?.tool.driver.rules[0]).toMatchObject({
    fullDescription: { text: expect.stringContaining(words) as string },
    help: { markdown: expect.stringContaining(`> “${words}`) as string },
  });
});

test('a rule that no sentence asks for says so', () => {
  const empty = report(
    `${V1}client →1 session/new {"cwd":"/w","mcpServers":[]}
agent ←1 result {"sessionId":"s1"}
client →2 session/prompt {"sessionId":"s1","prompt":[]}
agent ←2 result {"stopReason":"end_turn"}`,
  );
  expect(textReport([empty], false)).toContain(
    'says  no sentence; it follows from the shape of `PromptRequest`',
  );
  expect(JSON.parse(findingsJson([empty]))).toMatchObject({
    files: [{ findings: [{ rule: 'prompt/empty', quote: null }] }],
  });
});

test('a trace without a handshake has no version, and says so', () => {
  const lone = report('client →1 session/list {}\nagent ←1 result {"sessions":[]}');
  expect(JSON.parse(findingsJson([lone]))).toMatchObject({ files: [{ protocolVersion: null }] });
  expect(textReport([lone], false)).toContain('no version was agreed on in it');
});

test('a trace that settles on a version nobody knows says which', () => {
  const future = report(
    'client →0 initialize {"protocolVersion":9}\nagent ←0 result {"protocolVersion":3}',
  );
  expect(JSON.parse(findingsJson([future]))).toMatchObject({ files: [{ protocolVersion: 3 }] });
  expect(textReport([future], false)).toContain('it settles on version 3');
});

test('text says what was seen and what was due, worst first, and counts what it leaves out', () => {
  const text = textReport([report(NOISY)], false);
  expect(text).toContain('6 frames');
  expect(text.indexOf('frame/not-json')).toBeLessThan(text.indexOf('rpc/error-code-range'));
  expect(text).toContain('seen  not JSON');
  expect(text).not.toContain('rpc/response-missing');
  expect(text).toContain('1 error, 1 warning. 1 rule cannot be judged yet');
  expect(textReport([report(NOISY)], true)).toContain('rpc/response-missing');
  expect(textReport([report(V1)], false)).toContain('No rule failed.');
});

test('text cuts a long list of frames, JSON does not', () => {
  const long = report(V1 + 'agent raw x\n'.repeat(30));
  expect(textReport([long], false)).toContain('in #4 #5 #6 #7 #8 #9 and 24 more');
  expect(findingsJson([long])).toContain('33');
});

test('the words of a finding name their own frames, and apart from them those of others like it', () => {
  const emptied = (
    id: string,
  ) => `agent update s1 tool_call {"toolCallId":"${id}","title":"Run","status":"pending","locations":[{"path":"/w"}]}
agent update s1 tool_call_update {"toolCallId":"${id}","locations":[]}`;
  const of = (...ids: readonly string[]) =>
    report(`${V1}client →1 session/new {"cwd":"/w","mcpServers":[]}
agent ←1 result {"sessionId":"s1"}
${ids.map(emptied).join('\n')}`);
  expect(textReport([of('a', 'b', 'c')], false)).toContain('in #7; similar in #9 #11, session s1');
  expect(junitReport([of('a', 'b')], 'hint')).toContain('agent, #7; similar in #9,');
  expect(textReport([of('a')], false)).toContain('in #7, session s1');
});

test('text tells findings of one rule under one head, and not hundreds of them', () => {
  const lines = Array.from({ length: 9 }, (_, i) => `agent update s${i} agent_message_chunk "Hi"`);
  const text = textReport([report(`${V1}${lines.join('\n')}`)], false);
  expect(text.match(/setup\/update-unknown-session/g)).toHaveLength(1);
  expect(text).toContain('and 4 more like it');
});

test('S-11: text obeys nothing that a peer wrote: no escape, no line of its own', () => {
  const line =
    '{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"\\u001b]8;;x\\u0007\\nNo rule failed."}}';
  const text = textReport([report(`${V1}client raw ${line}`)], true);
  expect(text).toContain('session [ESC]]8;;x[BEL] No rule failed.');
  expect(text).not.toMatch(/[\u{1b}\u{7}]/u);
  expect(text).not.toMatch(/^No rule failed/m);
});

test('S-11, S-19: JSON and SARIF hold nothing that hides or is obeyed, and say the same', () => {
  const id = '\u009b31m\u0085\u202e\u2066##[error]x';
  const line = `{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"${id}"}}`;
  const files = [report(`${V1}client raw ${line}`)];
  for (const text of [findingsJson(files), sarifReport(files, '1.0')]) {
    expect(visibleWords(text)).toBe(text);
    expect(obeyedIn(text)).toEqual([]);
    expect(JSON.stringify(JSON.parse(text))).toContain(id);
  }
});

test('JUnit escapes what XML cannot hold and fails from the severity asked for', () => {
  const odd = report(`${V1}agent raw {"jsonrpc":"2.0","method":3,"x":"<&\\u0007>"}`);
  const xml = junitReport([report(NOISY, true), odd], 'error');
  expect(xml).toContain('failures="1"');
  expect(xml).toContain('skipped="1"');
  expect(xml).not.toMatch(/[\u{7}]/u);
  expect(xml).toContain('<testcase classname="a/b.acptrace.jsonl" name="rpc/version-tag"/>');
  expect(junitReport([report(NOISY, true)], 'warning')).toContain('failures="2"');
});

test('SARIF names the lines of the trace and the rules it used', () => {
  const document = JSON.parse(sarifReport([report(NOISY)], '1.0')) as {
    runs: { tool: { driver: { rules: { id: string }[] } }; results: unknown[] }[];
  };
  const [run] = document.runs;
  expect(run?.tool.driver.rules.map(({ id }) => id)).toContain('frame/not-json');
  expect(run?.results[0]).toMatchObject({
    ruleId: 'frame/not-json',
    level: 'error',
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: 'a/b.acptrace.jsonl' },
          region: { startLine: 5 },
        },
      },
    ],
  });
});

test('each result in SARIF has the words of its own places', () => {
  const two = report(`${V1}agent raw INFO\nagent raw oops\nagent raw INFO`);
  const document = JSON.parse(sarifReport([two], '1.0')) as {
    runs: { results: { message: { text: string }; locations: unknown[] }[] }[];
  };
  const at = (...lines: number[]) =>
    lines.map((startLine) => ({ physicalLocation: { region: { startLine } } }));
  expect(document.runs[0]?.results).toMatchObject([
    { message: { text: expect.stringContaining('found I at 0') as string }, locations: at(5, 7) },
    { message: { text: expect.stringContaining('found o at 0') as string }, locations: at(6) },
  ]);
});

test.each([
  ['failed', '\nagent ←0 error -32603 No login'],
  ['has no response in this trace', ''],
])('a check fails if the handshake %s, unless that is known or suppressed', (words, answer) => {
  const refused = report(`start agent\nclient →0 initialize {"protocolVersion":1}${answer}`);
  const text = textReport([refused], false);
  expect(text).toContain(
    `${words}, so the protocol of a version was not checked: the check fails.`,
  );
  expect(text).toContain('init/refused');
  expect(junitReport([refused], 'error')).toContain('failures="1"');
  expect(isFailed([refused], 'error')).toBe(true);
  const known = FindingBaseline.read(findingsJson([refused]))?.mark(refused.file, refused.findings);
  expect(isFailed([{ ...refused, findings: known ?? [] }], 'error')).toBe(false);
});

test('what a baseline knows fails no build, whatever its seqs; what is new does', () => {
  const before = report(NOISY);
  const baseline = FindingBaseline.read(findingsJson([before]));
  const later = report(`${V1}stderr x\nagent raw INFO again\nagent raw 42`);
  const findings = baseline?.mark('elsewhere/b.acptrace.jsonl', later.findings) ?? [];
  expect(findings.map(({ rule, known }) => [rule, known])).toEqual([
    ['frame/not-json', true],
    ['frame/not-object', undefined],
  ]);
  expect(summaryOf(findings)).toMatchObject({ error: 1 });
  expect(isFailed([{ ...later, findings }], 'error')).toBe(true);
  expect(isFailed([{ ...later, findings: findings.slice(0, 1) }], 'error')).toBe(false);
  expect(FindingBaseline.read('{"files":1}')).toBeUndefined();
  expect(FindingBaseline.read('nonsense')).toBeUndefined();
});
