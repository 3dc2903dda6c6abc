// The command line of the probes, on a small agent that is a process.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { at, err, folder, keepOutput, out } from '../test/programs/command-line.ts';
import { EXIT, runCommand } from './command.ts';
import { probe } from './probe.ts';

/** Speaks version 1, or repeats whatever version it is asked for; has no sessions, or says yes to all. */
const AGENT = `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const asked = params?.protocolVersion;
    const protocolVersion = process.argv[2] === 'echo' && asked > 2 ? asked : 1;
    const lenient = process.argv[2] === 'lenient' && method !== 'initialize';
    const body = lenient ? { result: {} } : method === 'initialize' ? { result: { protocolVersion, agentInfo: { name: 'tiny', version: '1' }, agentCapabilities: {}, authMethods: [] } } : { error: { code: -32601, message: 'none' } };
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
  });`;

keepOutput();
beforeEach(() => writeFileSync(at('agent.cjs'), AGENT));

const probed = (own: readonly string[], ...args: string[]) =>
  runCommand(probe, [...own, '--', process.execPath, at('agent.cjs'), ...args]);

interface Document {
  probes: { id: string; verdict: string; trace?: string }[];
}

test('a failure ends with 1 and keeps its trace alone; the baseline forgives it', async () => {
  const own = ['--only', 'ver/v1,ver/future', '--quiet', '10', '--format', 'json'];
  expect(await probed(own, 'echo')).toBe(EXIT.failed);
  const { probes } = JSON.parse(out[0] ?? '') as Document;
  expect(probes.map(({ id, verdict }) => [id, verdict])).toEqual([
    ['ver/v1', 'pass'],
    ['ver/future', 'fail'],
  ]);
  const [good, bad] = probes;
  expect(good?.trace).toBeUndefined();
  expect(existsSync(bad?.trace ?? '')).toBe(true);
  expect(readdirSync(join(bad?.trace ?? '', '..'))).toHaveLength(1);
  expect(err[0]).toMatch(/ACP version 1: 2 probes, at most 0 prompts/);
  writeFileSync(at('known.json'), out[0] ?? '');
  expect(await probed([...own, '--baseline', at('known.json')], 'echo')).toBe(EXIT.ok);
});

test('--out keeps the trace of every connection', async () => {
  const traces = at('traces');
  expect(await probed(['--only', 'ver/v1', '--out', traces])).toBe(EXIT.ok);
  expect(readdirSync(traces).sort()).toEqual([
    '001-handshake.acptrace.jsonl',
    '002-ver-v1-a.acptrace.jsonl',
  ]);
});

test('an agent that cannot start ends with 3, and a sentence', async () => {
  expect(await runCommand(probe, ['--', 'acp-scope-no-such-program'])).toBe(EXIT.environment);
  expect(err.at(-1)).toContain('was not found');
});

test('--fail-on warn ends with 1 for a warning, and --all asks what is left out', async () => {
  const own = ['--only', 'caps/negative', '--quiet', '10', '--format', 'junit'];
  expect(await probed(own, 'lenient')).toBe(EXIT.ok);
  expect(out[0]).toMatch(/failures="0".*<system-out>warn: /s);
  expect(await probed([...own, '--fail-on', 'warn'], 'lenient')).toBe(EXIT.failed);
  expect(out[1]).toContain('<failure type="warn"');
  expect(await runCommand(probe, ['--list', '--protocol', '1', '--all'])).toBe(EXIT.ok);
  expect(out[2]).toContain('load/tools');
});

test('a run that asked nothing ends with 1 and says why', async () => {
  expect(await probed(['--only', 'resume2/*', '--format', 'junit'])).toBe(EXIT.failed);
  expect(err.at(-1)).toMatch(/^Nothing was asked: what was named is of version 2, .*--protocol 2/);
  expect(await probed(['--only', 'load/roundtrip', '--quiet', '10'])).toBe(EXIT.failed);
  expect(out.at(-1)).toMatch(/Nothing could be judged: .* does not advertise loadSession/);
});

test('what --only names of the other version is told as left out, and what asks it', async () => {
  const own = ['--only', 'ver/v1,resume2/*,fork/basic', '--quiet', '10'];
  expect(await probed([...own, '--format', 'json'])).toBe(EXIT.ok);
  expect(JSON.parse(out[0] ?? '')).toMatchObject({
    leftOut: [
      {
        id: 'resume2/*',
        why: 'Of version 2; this run spoke version 1.',
        asks: '--protocol 2',
      },
    ],
  });
  expect(await probed(own)).toBe(EXIT.ok);
  expect(out[1]).toMatch(/left out {2}--protocol 2 asks them\n +resume2\/\* +Of version 2/);
  expect(await probed([...own, '--format', 'junit'])).toBe(EXIT.ok);
  expect(out[2]).toContain('name="resume2/*"><skipped message="Left out: --protocol 2 asks it.');
});

test('an --out that cannot be made ends with 3, and a sentence', async () => {
  const inFile = join(folder, 'agent.cjs', 'x');
  expect(await probed(['--only', 'ver/v1', '--out', inFile])).toBe(EXIT.environment);
  expect(err).toEqual([expect.stringMatching(/cannot be made \(E\w+\)\. Give another --out\.$/)]);
});

test('--list says what would be asked, and starts nothing', async () => {
  expect(await runCommand(probe, ['--list', '--protocol', '2', '--only', 'resume2/*'])).toBe(
    EXIT.ok,
  );
  expect(out[0]).toMatch(/^Version 2: \d+ probes, at most \d+ prompts/);
  expect(out[0]).toContain('resume2/unknown-cursor');
});

test.each([
  [['--protocol', '3'], 'Give 1 or 2'],
  [['--only', 'nothing/*'], 'names no probe'],
  [['--only', 'ver/*,nothing/*'], '--only nothing/* names no probe'],
  [['--only', ','], 'names no probe'],
  [['--format', 'xml'], 'text, json, markdown, html, junit'],
  [['--max-prompts', 'many'], 'not a whole number'],
  [['--max-prompts', '2.5'], 'not a whole number'],
  [['--all', '--only', 'ver/*'], 'contradict'],
  [['--fail-on', 'info'], 'fail, warn'],
  [['--cursor', '{"type":"_at"}'], '$ID'],
  [['--prompt', 'Hello'], '$MARKER'],
])('a wrong command line is a sentence: %s', async (own, words) => {
  expect(await probed(own)).toBe(EXIT.usage);
  expect(err.at(-1)).toContain(words);
});

test('a baseline that cannot be read ends it with 3, as it does check and lab', async () => {
  expect(await probed(['--baseline', 'no-such-file'])).toBe(EXIT.environment);
  expect(err.at(-1)).toContain('Cannot read the baseline no-such-file.');
});
