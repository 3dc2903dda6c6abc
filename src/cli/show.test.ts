import { writeFileSync } from 'node:fs';
import { beforeEach, expect, test, vi } from 'vitest';
import { at, err, keepOutput, out } from '../test/programs/command-line.ts';
import { draw } from '../test/traces/draw.ts';
import { eventLine, FORMAT, headerLine, TIMED_VERSION, type Header } from '../trace/format.ts';
import { EXIT, runCommand } from './command.ts';
import { show } from './show.ts';

keepOutput();
let raw: Uint8Array[];
beforeEach(() => {
  raw = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((bytes) => {
    raw.push(bytes as Uint8Array);
    return true;
  });
});

const STORY = `
  client  →0 initialize {"protocolVersion":1}
  agent   ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}
  +250ms
  client  →1 session/load s1 {"cwd":"/w","mcpServers":[]}
  agent   update s1 agent_message_chunk "Hello"
  agent   ←1 result {}
  agent   update s1 agent_message_chunk "too late"
  agent   bytes ff fe
  stderr  up
  agent   raw {"title":"\u009b31m"}
  agent   cut {"jsonrpc"
  exit 0`;

function trace(name = 'a.acptrace.jsonl'): string {
  const path = at(name);
  const created = '2026-11-22T10:00:00.000Z';
  const head: Header = {
    ...{ format: FORMAT, version: TIMED_VERSION, tool: 't', clock: 'monotonic', created },
  };
  const lines = [headerLine(head), ...draw(STORY).map(eventLine)];
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
  return path;
}

const shown = async (...args: string[]) => {
  expect(await runCommand(show, args)).toBe(EXIT.ok);
  return out.join('\n');
};

test('a request is told with who sent it and when, its answer, and its exact line', async () => {
  const text = await shown(`${trace()}#3`);
  expect(text).toMatch(/^#3 +session\/load$/m);
  expect(text).toMatch(
    /from +client · request\n +at +0:00\.251 \(\+250 ms\) · 2026-11-22T10:00:00\.251Z/,
  );
  expect(text).toMatch(/exchange +→1 · answered by #5 after 2\.0 ms/);
  expect(text).toMatch(/session +S1 {2}s1/);
  expect(text).toMatch(/#3 → \{"jsonrpc":"2.0","id":1,"method":"session\/load",/);
});

test('history replay, what came too late and what is live are told apart', async () => {
  const text = await shown(`${trace()}#3..6`);
  expect([...text.matchAll(/ is +(.*)/g)].map(([, words]) => words)).toEqual([
    'live',
    'history replay, asked for by #3',
    'live',
    'late history: the replay that #3 asked for had ended',
  ]);
});

test('the findings that stand on a frame are told with it', async () => {
  const text = await shown(`${trace()}#7`);
  expect(text).toMatch(/finding +error frame\/utf8 {2}bytes that are not UTF-8/);
});

test('JSON has the exact line, as text or as base64', async () => {
  const { frames } = JSON.parse(await shown(`${trace()}#4,7,11`, '--format', 'json')) as {
    frames: Record<string, unknown>[];
  };
  expect(frames[0]).toMatchObject({
    ...{ seq: 4, kind: 'ntf', from: 'agent', title: 'agent_message_chunk', update: true },
    ...{ history: 'replay', replayOf: 3, session: 'S1', sessionId: 's1', summary: '“Hello”' },
  });
  expect(frames[0]?.['text']).toMatch(/^\{"jsonrpc".*Hello/);
  expect(frames[1]).toMatchObject({ kind: 'bad', base64: '//4=', bytes: 2 });
  expect(frames[2]).toMatchObject({ type: 'exit' });
});

test('raw is the bytes as they crossed and nothing else', async () => {
  await shown(`${trace()}#7..8,10`, '--format', 'raw');
  expect(Buffer.concat(raw)).toEqual(
    Buffer.concat([Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from('up\n{"jsonrpc"')]),
  );
  expect(out).toEqual([]);
});

test('S-10: no byte of a frame reaches a terminal that would obey it', async () => {
  const file = trace();
  const text = await shown(`${file}#9`);
  expect(text).toContain('[U+009B]31m');
  expect(text).not.toContain('\u009b');
  const { isTTY } = process.stdout;
  process.stdout.isTTY = true;
  try {
    expect(await runCommand(show, [`${file}#9`, '--format', 'raw'])).toBe(EXIT.usage);
  } finally {
    process.stdout.isTTY = isTTY;
  }
  expect(raw).toEqual([]);
  expect(err.join('\n')).toMatch(/#9 holds characters that a terminal would obey/);
});

test('frames of several files are named by the place of their file', async () => {
  const text = await shown(trace(), trace('b.acptrace.jsonl'), 'c2#1', 'c1#2');
  expect(text.indexOf('b.acptrace.jsonl')).toBeLessThan(text.indexOf('a.acptrace.jsonl'));
  expect(text).toMatch(/#1 +initialize/);
});

test.each([
  ['#99', EXIT.usage, /has no #99: its last is #11\.$/],
  ['#20..30', EXIT.usage, /has no #20\.\.30: its last is #11\.$/],
  ['#99999999999999999999', EXIT.usage, /its last is #11\.$/],
  ['#12..', EXIT.usage, /show takes frames of files, such as [^#]*a\.acptrace\.jsonl#12\.$/],
  ['#12,', EXIT.usage, /show takes frames of files, such as [^#]*a\.acptrace\.jsonl#12\.$/],
  ['', EXIT.usage, /show takes frames of files, such as .*a\.acptrace\.jsonl#12\./],
])('%s is a sentence', async (place, status, sentence) => {
  expect(await runCommand(show, [`${trace()}${place}`])).toBe(status);
  expect(err[0]?.split('\n')[0]).toMatch(sentence);
});

test('a file that is not there is told with the nearest that is', async () => {
  trace();
  const missing = at('b.acptrace.jsonl#1');
  expect(await runCommand(show, [missing])).toBe(EXIT.environment);
  expect(err.join('')).toMatch(
    /there is no such file or folder\. Did you mean .*a\.acptrace\.jsonl\?$/,
  );
});
