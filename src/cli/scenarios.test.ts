// Scenarios from the command line, against agents that are programs.
import { rmSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { buildAgentProgram } from '../test/programs/agent-program.ts';
import { convert } from './convert.ts';
import { EXIT, runCommand } from './command.ts';
import { minimise } from './minimise.ts';
import { traceName } from './parts/record-run.ts';
import { record } from './record.ts';

const EXAMPLE = fileURLToPath(
  new URL('../../docs/crash-and-resume.scenario.json', import.meta.url),
);

let folder: string;
let out: string[];
let err: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scenarios-'));
  [out, err] = [[], []];
  vi.spyOn(console, 'log').mockImplementation((text: string) => void out.push(text));
  vi.spyOn(console, 'error').mockImplementation((text: string) => void err.push(text));
});
afterEach(() => void vi.restoreAllMocks());
const at = (name: string) => join(folder, name);

/** Says that it is up, and then what it reads, chunk by chunk. It answers nothing. */
const CHUNKS = [
  process.execPath,
  '-e',
  'console.log("{}"); process.stdin.on("data", (data) => console.log(JSON.stringify({ chunk: String(data) })))',
];

test('an agent that ends is told with what it wrote to stderr', async () => {
  writeFileSync(at('s.json'), '{"steps":[{"quiet":1}],"assert":["none(type:bad)"]}');
  const dying = [process.execPath, '-e', 'console.error("no such model: x"); process.exit(4)'];
  const args = ['--out', at('r.acptrace.jsonl'), '--script', at('s.json'), '--', ...dying];
  expect(await runCommand(record, args)).toBe(EXIT.failed);
  expect(out.at(-1)).toContain(
    'before it answered initialize. It wrote to stderr: no such model: x',
  );
});

test('a scenario is never written over by its own trace, named or in a folder', async () => {
  mkdirSync(at('mine'));
  const path = at('mine/a.scenario.json');
  writeFileSync(path, '{"steps":[{"quiet":1}]}');
  for (const script of [path, at('mine')])
    expect(await runCommand(record, ['--out', path, '--script', script, '--', 'x'])).toBe(
      EXIT.usage,
    );
  expect(err.at(-1)).toContain('it would be lost');
  expect(readFileSync(path, 'utf8')).toBe('{"steps":[{"quiet":1}]}');
});

test('the example of the docs passes, becomes a scenario that passes, and its trace gets small', async () => {
  const program = await buildAgentProgram();
  const agent = [...program({ store: at('store'), pace: 0 })];
  const trace = at('run.acptrace.jsonl');
  const run = (script: string, ...more: string[]) =>
    runCommand(record, ['--out', trace, '--script', script, ...more, '--', ...agent]);

  expect([await run(EXAMPLE, '--format', 'junit'), err]).toEqual([EXIT.ok, expect.anything()]);
  expect(out.at(-1)).toContain('tests="6" failures="0"');
  expect(out.at(-1)).toContain('name="nothing is lost"');
  const second = traceName(trace, 1, 2);

  expect(await runCommand(convert, [trace, second, at('again.scenario.json')])).toBe(EXIT.ok);
  const document = JSON.parse(readFileSync(at('again.scenario.json'), 'utf8')) as {
    assert: string[];
  };
  document.assert.push('count(type:req method:session/new) = 7');
  writeFileSync(at('again.scenario.json'), JSON.stringify(document));
  // Files that nobody named are never overwritten: those of the first run make room.
  const before = [trace, second].map((path) => readFileSync(path));
  rmSync(second);
  const twice = ['--repeat', '2', '--force', '--format', 'json'];
  expect(await run(at('again.scenario.json'), ...twice)).toBe(EXIT.failed);
  expect([trace, second].map((path) => readFileSync(path))).not.toEqual(before);
  expect(JSON.parse(out.at(-1) ?? '')).toMatchObject({
    passed: false,
    rate: { passed: 0, of: 2 },
    runs: [
      {
        assertions: [
          { assert: 'restore(last) = replayed-from-start', verdict: 'pass' },
          { verdict: 'fail', seen: '1 frame matches', frames: [expect.stringMatching(/^c1#/)] },
        ],
        traces: [trace, second],
      },
      { traces: [traceName(trace, 2, 1), traceName(trace, 2, 2)] },
    ],
  });

  const small = ['--assert', 'none(update:tool_call_update)'];
  expect(await runCommand(minimise, [trace, at('small.acptrace.jsonl'), ...small])).toBe(EXIT.ok);
  const kept = readFileSync(at('small.acptrace.jsonl'), 'utf8').trim().split('\n').slice(1);
  expect(kept.filter((line) => line.includes('tool_call_update'))).toHaveLength(1);
  expect(kept).toHaveLength(7);
  const asJson = [trace, at('again.acptrace.jsonl'), ...small, '--format', 'json'];
  expect(await runCommand(minimise, asJson)).toBe(EXIT.ok);
  expect(JSON.parse(out.at(-1) ?? '')).toMatchObject({
    ...{ in: trace, out: at('again.acptrace.jsonl') },
    ...{ fails: true, events: 7, minimal: true },
  });
  const whole = [trace, at('none.acptrace.jsonl'), '--assert', 'exists(type:req)'];
  expect(await runCommand(minimise, [...whole, '--format', 'markdown'])).toBe(EXIT.failed);
  expect(out.at(-1)).toContain('does not fail: there is nothing to make smaller.');
});

test('a line split over two writes reaches the agent in two, and is one frame of the record', async () => {
  const line = '{"jsonrpc":"2.0","method":"n","params":{}}';
  const script = {
    handshake: false,
    steps: [
      { expect: 'side:agent' },
      { line, fault: { split: 10, pause: 500 } },
      { expect: 'side:agent', nth: 2 },
    ],
    assert: [`count(side:client) = 1`],
  };
  writeFileSync(at('s.json'), JSON.stringify(script));
  const args = ['--out', at('r.acptrace.jsonl'), '--script', at('s.json'), '--', ...CHUNKS];
  expect([await runCommand(record, args), out]).toEqual([EXIT.ok, expect.anything()]);
  const frames = readFileSync(at('r.acptrace.jsonl'), 'utf8')
    .split('\n')
    .filter((text) => text.includes('"from":"agent"'))
    .map((text) => (JSON.parse(text) as { line: { text: string } }).line.text)
    .flatMap((text) => (JSON.parse(text) as { chunk?: string }).chunk ?? []);
  expect(frames).toEqual([line.slice(0, 10), `${line.slice(10)}\n`]);
});

test('a step that fails is status 1 and says why; a broken file is status 2, each problem a line', async () => {
  writeFileSync(
    at('s.json'),
    '{"handshake": false, "steps": [{"expect": "type:req", "within": 20}], "assert": ["none(type:res)"]}',
  );
  const run = ['--out', at('r.acptrace.jsonl'), '--script', at('s.json'), '--', ...CHUNKS];
  expect(await runCommand(record, run)).toBe(EXIT.failed);
  expect(out.join('\n')).toContain(
    'FAIL   step 1, expect type:req: No frame matched type:req in 20 ms; ',
  );
  expect(out.join('\n')).toContain('pass   none(type:res)');
  writeFileSync(at('s.json'), '{"steps": [\n{"wayt": 5},\n{"kill": 9}]}');
  expect(await runCommand(record, run)).toBe(EXIT.usage);
  expect(err.join('\n')).toMatch(/s\.json: Line 2, \/steps\/0\/wayt: .*Did you mean wait\?/);
  expect(err.join('\n')).toMatch(/s\.json: Line 3, \/steps\/1\/kill: kill is one of SIGKILL/);
  // Searched for as text it would match nothing, and hold for ever.
  writeFileSync(at('s.json'), '{"steps": [], "assert": ["count(latencyy>500) = 0"]}');
  expect(await runCommand(record, run)).toBe(EXIT.usage);
  expect(err.join('\n')).toMatch(/\/assert\/0: .*There is no field latencyy\./);
});

test('several scenarios, of files and of folders, have one report and traces of their own', async () => {
  const step = (query: string) => ({ handshake: false, steps: [{ expect: query, within: 5000 }] });
  mkdirSync(at('all'));
  writeFileSync(at('all/b.scenario.json'), JSON.stringify({ ...step('side:agent'), name: 'up' }));
  const wrong = { ...step('side:agent'), assert: ['none(side:agent)'] };
  writeFileSync(at('all/a.scenario.json'), JSON.stringify(wrong));
  writeFileSync(at('all/notes.json'), 'no scenario');
  writeFileSync(at('b.json'), JSON.stringify(step('side:agent')));
  const run = (...more: string[]) => {
    const scripts = ['--script', at('all'), '--script', at('b.json')];
    return runCommand(record, [
      '--out',
      at('r.acptrace.jsonl'),
      ...scripts,
      ...more,
      '--',
      ...CHUNKS,
    ]);
  };
  expect(await run()).toBe(EXIT.failed);
  const text = out.join('\n');
  expect(text).toMatch(/^a\.scenario\.json\n {2}pass {3}1 step\n {2}FAIL {3}none\(side:agent\): /m);
  expect(text).toMatch(/^up\n {2}pass {3}1 step\n/m);
  expect(text).toContain('2 of 3 scenarios passed.');
  // Files that nobody named are never overwritten: those of a run make room for the next.
  const again = (format: string) => {
    for (const name of ['r.a', 'r.b', 'r.b-2']) rmSync(at(`${name}.acptrace.jsonl`));
    return run('--format', format);
  };
  expect(await again('json')).toBe(EXIT.failed);
  expect(JSON.parse(out.at(-1) ?? '')).toMatchObject({
    passed: false,
    scenarios: [
      { passed: false, runs: [{ traces: [at('r.a.acptrace.jsonl')] }] },
      { scenario: 'up', passed: true, runs: [{ traces: [at('r.b.acptrace.jsonl')] }] },
      { scenario: 'b.json', passed: true, runs: [{ traces: [at('r.b-2.acptrace.jsonl')] }] },
    ],
  });
  expect(await again('junit')).toBe(EXIT.failed);
  expect(out.at(-1)?.match(/<testsuite /g)).toHaveLength(3);
  expect(await run('--watch', at('b.json'))).toBe(EXIT.usage);
  expect(err.join('\n')).toContain('--watch takes one scenario');

  writeFileSync(at('all/b.scenario.json'), '{}');
  mkdirSync(at('none'));
  expect(await run()).toBe(EXIT.usage);
  expect(err.join('\n')).toContain('b.scenario.json: Line 1: ');
  expect(await run('--script', at('none'))).toBe(EXIT.usage);
  expect(err.join('\n')).toContain('holds no *.scenario.json.');
});

test('a script of a name that no disk can hold is a sentence and status 2', async () => {
  const run = ['--out', at('r.acptrace.jsonl'), '--script', at('n'.repeat(300)), '--', 'agent'];
  expect(await runCommand(record, run)).toBe(EXIT.usage);
  expect(err.join('\n')).toMatch(/^The script \S+n cannot be read. Check the path./);
});

test.each([
  [['--repeat', '0'], '--repeat 0 is no number of runs. Give 1 to 1000.'],
  [['--watch', 'x', '--repeat', '2'], '--watch goes with neither --repeat nor --format'],
  [['--watch', 'not-there'], '--watch not-there: there is no such file.'],
  [['--format', 'xml'], '--format xml is not one of text, json, markdown, html, junit.'],
])('record %j is a sentence and status 2', async (more, sentence) => {
  const run = ['--out', at('r.acptrace.jsonl'), ...more, '--', 'agent'];
  expect(await runCommand(record, run)).toBe(EXIT.usage);
  expect(err.join('\n')).toContain(sentence);
});

test.each([
  [['--assert', 'none(type:badd)'], 'At character 11 of --assert: type: takes'],
  [['--rule', 'replay/after-respons'], 'There is no rule replay/after-respons. Did you mean'],
  [[], 'minimise needs one thing that fails: --assert EXPR or --rule ID.'],
])('minimise %j is a sentence and status 2', async (more, sentence) => {
  expect(await runCommand(minimise, [at('a'), at('b'), ...more])).toBe(EXIT.usage);
  expect(err.join('\n')).toContain(sentence);
});

test('each connection of each run has a file of its own, named after --out', () => {
  expect(traceName('a.acptrace.jsonl', 1, 1)).toBe('a.acptrace.jsonl');
  expect(traceName('a.acptrace.jsonl', 2, 3)).toBe('a.run2.c3.acptrace.jsonl');
  expect(traceName('d.x/a.ndjson.gz', 1, 2)).toBe('d.x/a.c2.ndjson.gz');
  expect(traceName('a', 2, 1)).toBe('a.run2');
});
