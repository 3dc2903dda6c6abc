import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { at, err, folder, keepOutput, out } from '../test/programs/command-line.ts';
import { serveCanary } from './canary-mcp.ts';
import { EXIT, runCommand } from './command.ts';
import { baselineIn, lab, labOrder } from './lab.ts';
import { baselineAt } from './parts/option-values.ts';

keepOutput();

describe('the command line', () => {
  test('names axes, and leaves out the cursors where it does', () => {
    const { values, agent } = lab.read([
      ...['--variant', 'load, resume', '--stop', 'kill', '--repeat', '3', '--patience', '5'],
      ...['--', 'agent', '--stop', 'x'],
    ]);
    const { wish, settings } = labOrder(values);
    expect(wish).toEqual({
      values: { variant: ['load', 'resume'], stop: ['kill'] },
      full: false,
      repeat: 3,
      cursors: false,
    });
    expect(settings.patience).toBe(5000);
    expect(agent).toEqual(['agent', '--stop', 'x']);
    expect(labOrder(lab.read(['--', 'agent']).values).wish.cursors).toBe(true);
  });

  test.each([
    [['--stop', 'sudden', '--', 'a'], /--stop sudden is not one of stdin, term, kill/],
    [['--repeat', '0', '--', 'a'], /--repeat 0 is not a whole number of 1 or more/],
    [
      ['--format', 'pdf', '--', 'a'],
      /--format pdf is not one of text, json, markdown, html, junit/,
    ],
    [['--stop', 'kill'], /lab needs the agent’s command after --/],
  ])('%j is a usage error', async (args, sentence) => {
    expect(await runCommand(lab, args)).toBe(EXIT.usage);
    expect(err[0]).toMatch(sentence);
  });
});

test('an agent that cannot be started is a sentence, and an end with 3', async () => {
  const args = ['--out', folder, '--', 'acp-scope-no-such-program'];
  expect(await runCommand(lab, args)).toBe(EXIT.environment);
  expect(err.join('\n')).toMatch(/was not found. Install it/);
});

/** Answers by method; whatever is not here is not found. */
const agent = (results: object) => [
  process.execPath,
  '-e',
  `const results = ${JSON.stringify(results)};
   let text = '';
   process.stdin.on('data', (chunk) => {
     text += chunk;
     for (let end; (end = text.indexOf('\\n')) >= 0; text = text.slice(end + 1)) {
       const { id, method } = JSON.parse(text.slice(0, end));
       if (id === undefined) continue;
       const result = results[method];
       const error = { code: method === 'session/new' ? -32000 : -32601, message: 'No' };
       console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }));
     }
   });`,
];

test('an agent that can restore nothing is skipped with the reason, and does not pass', async () => {
  const results = {
    initialize: { protocolVersion: 1, agentInfo: { name: 'plain', version: '9' } },
  };
  const html = at('report.html');
  const args = ['--format', 'json', '--out', folder, '--html', html, '--', ...agent(results)];
  expect(await runCommand(lab, args)).toBe(EXIT.failed);
  expect(err.at(-1)).toMatch(/^Nothing was tried: the agent does not advertise /);
  expect(err[0]).toMatch(/^plain 9: 0 cells, 0 prompts, at most 0\. Traces: /);
  const report = JSON.parse(out.join('')) as { cells: { verdict: string; why: string }[] };
  expect(report).toMatchObject({ agent: { name: 'plain' }, passed: false, prompts: { sent: 0 } });
  expect(report.cells[0]?.why).toMatch(/does not advertise/);
  expect(readFileSync(html, 'utf8')).toContain('<!doctype html>');
});

test.skipIf(process.platform !== 'linux')(
  'every write can fail (R-21): a report of the lab that the disk takes at first and refuses at last is said, with 3',
  async () => {
    const results = { initialize: { protocolVersion: 1, agentInfo: { name: 'a', version: '9' } } };
    const args = ['--out', folder, '--html', '/dev/full', '--', ...agent(results)];
    expect(await runCommand(lab, args)).toBe(EXIT.environment);
    expect(err.at(-1)).toBe('The report cannot be written to /dev/full (ENOSPC).');
    expect(out.join('')).toContain('does not advertise');
  },
);

test('a variant of the other version alone is nothing tried, and an end with 1', async () => {
  const results = {
    initialize: { protocolVersion: 1, agentCapabilities: { loadSession: true } },
  };
  const own = ['--variant', 'start', '--format', 'junit', '--out', folder];
  expect(await runCommand(lab, [...own, '--', ...agent(results)])).toBe(EXIT.failed);
  const why = /Nothing was tried: --variant start is of v2, and this run speaks v1\./;
  expect(err.at(-1)).toMatch(why);
  expect(out.join('\n')).toMatch(
    /errors="1".*name="the run"><error type="ended" message="Nothing/s,
  );
});

test.each([
  [(at: string) => ['--out', join(at, 'file', 'x')], /^The folder .* cannot be made \(E\w+\)\./],
  [
    (at: string) => ['--html', join(at, 'no', 'x.html')],
    /^The report cannot be written to .*ENOENT/,
  ],
])('what cannot be written is told before anything is sent, case %#', async (own, sentence) => {
  writeFileSync(at('file'), '');
  const started = at('started');
  const touch = ['-e', `require('node:fs').writeFileSync(${JSON.stringify(started)}, '')`];
  const args = [...own(folder), '--', process.execPath, ...touch];
  expect(await runCommand(lab, args)).toBe(EXIT.environment);
  expect(err).toEqual([expect.stringMatching(sentence)]);
  expect(existsSync(started)).toBe(false);
});

test('a report file is left alone until there is a report', async () => {
  const html = at('old.html');
  writeFileSync(html, 'old');
  const unmade = at('new.html');
  for (const path of [html, unmade])
    await runCommand(lab, ['--html', path, '--out', folder, '--', 'acp-scope-no-such-program']);
  expect(readFileSync(html, 'utf8')).toBe('old');
  expect(existsSync(unmade)).toBe(false);
});

test('a lab that could try no cell with its prompts says so and does not pass', async () => {
  const results = {
    initialize: { protocolVersion: 1, agentCapabilities: { loadSession: true } },
    'session/new': { sessionId: 's' },
  };
  const own = ['--variant', 'load', '--max-prompts', '0', '--out', folder];
  expect(await runCommand(lab, [...own, '--', ...agent(results)])).toBe(EXIT.failed);
  expect(out.join('\n')).toMatch(/Nothing was tried: a cell takes more prompts than may be sent/);
});

test('an agent that wants a sign-in ends it with 3 and what to do', async () => {
  const initialize = { protocolVersion: 1, agentCapabilities: { loadSession: true } };
  const args = ['--protocol', '1', '--out', folder, '--', ...agent({ initialize })];
  expect(await runCommand(lab, args)).toBe(EXIT.environment);
  expect(err.at(-1)).toBe('The agent wants a sign-in first. Sign in with it, then run again.');
});

describe('a baseline', () => {
  const known = (path: string | undefined) => baselineAt(path, 'acp-scope lab', baselineIn);

  test('names the cells that fail or warn, and the cursor algebra', () => {
    const path = at('base.json');
    const cells = [
      { id: 'load', verdict: 'fail' },
      { id: 'resume', verdict: 'pass' },
      { id: 'load cwd=slash', verdict: 'warn' },
    ];
    writeFileSync(path, JSON.stringify({ cells, cursors: { verdict: 'fail' } }));
    expect([...(known(path) ?? [])]).toEqual([
      ['load', 'fail'],
      ['load cwd=slash', 'warn'],
      ['cursor algebra', 'fail'],
    ]);
    expect(known(undefined)).toBeUndefined();
  });

  test('that is none is a sentence', () => {
    const path = at('x.json');
    writeFileSync(path, '{}');
    expect(() => known(path)).toThrow(/is no baseline. Make one/);
    expect(() => known(at('none'))).toThrow(/Cannot read the baseline/);
  });
});

test('the canary notes who lists and calls its tool, and answers what an MCP server must', async () => {
  const note = at('note');
  const input = new PassThrough();
  const said: { id: number; result?: { tools?: { name: string }[] }; error?: { code: number } }[] =
    [];
  const served = serveCanary(input, (line) => said.push(JSON.parse(line) as never), note, 'bird');
  const ask = (id: number | undefined, method: string, params = {}) =>
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  ask(1, 'initialize', { protocolVersion: '2025-03-26' });
  ask(undefined, 'notifications/initialized');
  input.write('not JSON\n');
  ask(2, 'tools/list');
  ask(3, 'tools/call', { name: 'bird' });
  ask(4, 'prompts/list');
  input.end();
  await served;
  expect(readFileSync(note, 'utf8')).toBe('started\nlisted\ncalled\n');
  expect(said.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  expect(said[0]?.result).toMatchObject({ protocolVersion: '2025-03-26' });
  expect(said[1]?.result?.tools?.map(({ name }) => name)).toEqual(['bird']);
  expect(said[3]?.error?.code).toBe(-32601);
});
