import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { at, err, keepOutput, out } from '../test/programs/command-line.ts';
import { draw } from '../test/traces/draw.ts';
import { eventLine, headerLine } from '../trace/format.ts';
import { recorderLine } from '../trace/import/recorder.ts';
import { EXIT, runCommand } from './command.ts';
import { diff } from './diff.ts';

keepOutput();

const TRACE = (session: string, tool: string) => `
  client →0 session/new {"cwd":"/w","mcpServers":[]}
  agent ←0 result {"sessionId":"${session}"}
  client →1 session/prompt ${session} "Hello"
  agent update ${session} agent_message_chunk "Hi " "there"
  agent update ${session} tool_call {"toolCallId":"${tool}","title":"Read","kind":"read","status":"failed"}
  agent update ${session} usage_update {"used":${tool.length},"size":10}
  agent ←1 result {"stopReason":"end_turn"}`;

/** Our format by default, the recorder's or gzip where the name says so. */
function write(name: string, picture: string): string {
  const path = at(name);
  const events = draw(picture);
  const header = headerLine({
    format: 'acptrace',
    version: 1,
    created: '2026-01-01T00:00:00.000Z',
    tool: 'test',
    clock: 'imported',
  });
  const isRecorder = /\.ndjson/.test(name);
  const lines = isRecorder ? events.map(recorderLine) : [header, ...events.map(eventLine)];
  const text = `${lines.join('\n')}\n`;
  writeFileSync(path, name.endsWith('.gz') ? gzipSync(text) : text);
  return path;
}

interface Document {
  equal: boolean;
  view: string;
  differences: object[];
  aliases: Record<string, object>;
  table: object[];
}
const json = () => JSON.parse(out.join('\n')) as Document;
const run = (...args: string[]) => runCommand(diff, args);

test('two runs of one story are equal, in whichever formats they were written', async () => {
  const a = write('a.acptrace.jsonl', TRACE('ses_one', 't1'));
  for (const name of ['b.ndjson', 'b.acptrace.jsonl.gz']) {
    const b = write(name, TRACE('ses_two', 'call_2'));
    expect(await run(a, b)).toBe(EXIT.ok);
  }
  expect(out[0]).toMatch(/story {5}5 steps {2}= 5 equal/);
  expect(out[0]).toMatch(/left out {2}1 difference by 1 rule: usage_update 1/);
});

test('differences end with status 1, and are one JSON document', async () => {
  const a = write('a.ndjson', TRACE('ses_one', 't1'));
  const b = write('b.ndjson', TRACE('ses_two', 't2').replace('failed', 'completed'));
  expect(await run(a, b, '--format', 'json')).toBe(EXIT.failed);
  expect(json()).toMatchObject({
    equal: false,
    view: 'story',
    differences: [
      {
        kind: 'changed',
        a: { seq: 6 },
        b: { seq: 6 },
        path: '$.status',
        before: 'failed',
        after: 'completed',
      },
    ],
    aliases: { S1: { kind: 'session', a: 'ses_one', b: 'ses_two' } },
  });
  out.length = 0;
  expect(await run(a, b, '--format', 'markdown', '--view', 'frames')).toBe(EXIT.failed);
  expect(out.join('\n')).toContain('`$.params.update.status`: `failed` → `completed`');
  out.length = 0;
  expect(await run(a, b, '--ignore', 'tool:$.status')).toBe(EXIT.ok);
});

test('ignore rules are read from a file, and --strict leaves out nothing by itself', async () => {
  const a = write('a.ndjson', TRACE('ses_one', 't1'));
  const b = write('b.ndjson', TRACE('ses_two', 'call_2').replace('failed', 'completed'));
  const rules = at('rules.txt');
  writeFileSync(rules, '# what we know\ntool*:$..status # and why\n\nusage_*\n');
  expect(await run(a, b, '--strict')).toBe(EXIT.failed);
  expect(await run(a, b, '--strict', '--ignore', `@${rules}`)).toBe(EXIT.ok);
});

test('a slice of one trace is compared with another slice of it', async () => {
  const a = write(
    'a.ndjson',
    `${TRACE('ses_one', 't1')}
     client →2 session/prompt ses_one "Hello"
     agent update ses_one agent_message_chunk "Hi there"
     agent ←2 result {"stopReason":"end_turn"}`,
  );
  expect(await run(a, a, '--turns', '1,2')).toBe(EXIT.failed);
  expect(out.join('\n')).toMatch(/− +#6 +T1 read Read · failed/);
  expect(await run(a, a, '--turns', '2')).toBe(EXIT.ok);
  expect(await run(a, a, '--view', 'state', '--at', '4,7')).toBe(EXIT.failed);
  expect(await run(a, a, '--left', 'type:req', '--right', 'type:req')).toBe(EXIT.ok);
});

test('several traces are one table of what differs from the first', async () => {
  const a = write('a.ndjson', TRACE('ses_one', 't1'));
  const b = write('b.ndjson', TRACE('ses_two', 't2').replace('failed', 'completed'));
  expect(await run(a, a, b)).toBe(EXIT.failed);
  expect(out.join('\n')).toMatch(/#6 +tool status +failed +=  +completed/);
  out.length = 0;
  expect(await run(a, a, b, '--format', 'json')).toBe(EXIT.failed);
  expect(json().table).toEqual([
    { seq: 6, of: 'tool', path: '$.status', first: 'failed', others: ['same', 'completed'] },
  ]);
});

test('S-11: a terminal obeys nothing that stands in a trace', async () => {
  const a = write('a.ndjson', TRACE('ses_one', 't1'));
  const b = write(
    'b.ndjson',
    TRACE('ses_one', 't1').replace('"Read"', '"\\u001b[31mRed \\u009b2J"'),
  );
  for (const format of ['text', 'json', 'markdown'])
    for (const view of ['story', 'frames', 'state'])
      expect(await run(a, b, '--format', format, '--view', view)).toBe(EXIT.failed);
  expect(await run(a, a, b)).toBe(EXIT.failed);
  expect(out.join('\n')).not.toMatch(/[\u001b\u009b]/);
});

test('mistakes in the command line are told with what to do', async () => {
  const a = write('a.ndjson', TRACE('ses_one', 't1'));
  for (const args of [
    [],
    ['--view', 'all'],
    ['--raw', 'names'],
    ['--turns', 'x'],
    ['--turns', '7'],
    ['--ignore', '$'],
    ['--ignore', '@nowhere.txt'],
    ['--left', 'is:nothing'],
  ])
    expect([args, await run(a, ...args, ...(args.length > 0 ? [a] : []))]).toEqual([
      args,
      EXIT.usage,
    ]);
  expect(err.join('\n')).toMatch(
    /two or more[^]*--view all is not one of[^]*--raw names[^]*--turns 3,5[^]*no turn 7[^]*leave out everything[^]*cannot be read[^]*is: takes/,
  );
  expect(await run(a, at('none.ndjson'))).toBe(EXIT.environment);
});
