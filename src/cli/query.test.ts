import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { at, err, folder, keepOutput, out } from '../test/programs/command-line.ts';
import { draw, inArrays } from '../test/traces/draw.ts';
import type { TraceEvent } from '../trace/event.ts';
import { eventLine, FORMAT, headerLine, TIMED_VERSION, type Header } from '../trace/format.ts';
import { indexedTrace } from '../model/indexed-trace.ts';
import { TimelineView } from '../model/timeline/timeline-view.ts';
import { EXIT, runCommand } from './command.ts';
import { readTrace } from './parts/trace-files.ts';
import { query } from './query.ts';

keepOutput();

const LIVE = `
  client  →0 initialize {"protocolVersion":1}
  +250ms
  agent   ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}
  client  →1 session/new {"cwd":"/w","mcpServers":[]}
  agent   ←1 result {"sessionId":"s1"}
  client  →2 session/prompt s1 "Hi"
  agent   update s1 agent_message_chunk "Hello"
  agent   raw not json \u009b31m`;
const RESTORED = `
  client  →0 initialize {"protocolVersion":1}
  agent   ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}
  client  →1 session/load s1 {"cwd":"/w","mcpServers":[]}
  agent   update s1 agent_message_chunk "Hello"
  agent   ←1 result {}`;

const trace = (name: string, picture: string) => eventsFile(name, draw(picture));

function eventsFile(name: string, events: readonly TraceEvent[]): string {
  const path = at(`${name}.acptrace.jsonl`);
  const header: Header = {
    ...{ format: FORMAT, version: TIMED_VERSION, tool: 't', clock: 'monotonic' },
    created: '2026-11-22T10:00:00.000Z',
  };
  const lines = [headerLine(header), ...events.map(eventLine)];
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
  return path;
}

const live = () => trace('live', LIVE);
const restored = () => trace('restored', RESTORED);
const said = () => out.join('\n');

describe('what is found', () => {
  test('is a line each, as the timeline says it, in aligned columns', async () => {
    expect(await runCommand(query, [live(), 'type:req,res'])).toBe(EXIT.ok);
    expect(said().split('\n')).toEqual([
      '#1  0:00.000  → req  initialize               protocol 1 · offers nothing',
      '#2  0:00.250  ← res  initialize               250 ms · protocol 1 · offers loadSession',
      '#3  0:00.251  → req  session/new              w',
      '#4  0:00.252  ← res  session/new          S1  1.0 ms · s1',
      '#5  0:00.253  → req  session/prompt       S1  “Hi”',
    ]);
  });

  test('in several files is named by the place of its file, and a session has one chip', async () => {
    const status = await runCommand(query, [live(), restored(), 'update:* session:S1']);
    expect(status).toBe(EXIT.ok);
    const lines = said().split('\n');
    expect(lines[0]).toMatch(/^c1#6 .* S1 {2}“Hello”$/);
    expect(lines[1]).toMatch(/^c2#4 .* S1 {2}replay · “Hello”$/);
    expect(lines).toHaveLength(2);
  });

  test('is counted with --count, over all files', async () => {
    await runCommand(query, [live(), restored(), 'method:initialize', '--count']);
    expect(said()).toBe('4');
  });

  test('is counted as the page counts: frames; lines of stderr and other events apart', async () => {
    const file = trace('besides', `${LIVE}\n  stderr up\n  exit 0`);
    const frames = draw(LIVE).length;
    expect(await runCommand(query, [file, '-text:nothing', '--count'])).toBe(EXIT.ok);
    expect([said(), err.join()]).toEqual([`${frames}`, 'Besides: 1 line of stderr · 1 event.']);
    out.length = 0;
    await runCommand(query, [file, '-text:nothing', '--count', '--format', 'json']);
    expect(JSON.parse(said())).toMatchObject({ count: frames, stderr: 1, events: 1 });
    // The page's counts for the same trace and query.
    const { index, eventAt } = indexedTrace((await readTrace(file)).events, 'c1');
    const view = new TimelineView(index, eventAt);
    await view.setQuery('-text:nothing');
    expect(view.state().counts).toMatchObject({ shown: frames, stderr: 1, events: 1 });
  });

  test.each(['-text:nothing', 'type:req', 'type:bad', 'session:S1', '-type:ntf', 'is:replay'])(
    '31.16 R-10 %s is counted the same by the command, the timeline and the footer if messages come in arrays',
    async (text) => {
      for (const most of [1, 2, 5]) {
        const file = eventsFile(
          'arrays',
          inArrays(draw(`${LIVE}\n  stderr up\n${RESTORED}`), most),
        );
        const { events } = await readTrace(file);
        const { index, eventAt } = indexedTrace(events, 'c1');
        const view = new TimelineView(index, eventAt);
        await view.setQuery(text);
        const { counts } = view.state();
        // A frame is a line: one with an array counts once.
        expect(counts.all).toBe(events.filter(({ type }) => type === 'frame').length);
        expect(counts.all).toBe(index.facts().frames);
        expect(counts.shown).toBeLessThanOrEqual(counts.all);
        expect(counts.live + counts.replay + counts.late).toBe(counts.shown);
        out.length = 0;
        await runCommand(query, [file, text, '--count', '--format', 'json']);
        const { count, stderr = 0 } = JSON.parse(said()) as Record<'count' | 'stderr', number>;
        expect([count, stderr]).toEqual([counts.shown, counts.stderr]);
      }
    },
  );

  test('is one JSON document, or one a line as it is found', async () => {
    const file = restored();
    await runCommand(query, [file, 'is:replay', '--format', 'json']);
    const row = {
      ...{ name: '#4', file, seq: 4, at: 3, from: 'agent', kind: 'ntf', update: true },
      ...{ method: 'agent_message_chunk', summary: '“Hello”', session: 'S1', history: 'replay' },
    };
    expect(JSON.parse(said())).toMatchObject({
      ...{ query: 'is:replay', count: 1, whole: true },
      ...{ files: [{ file, count: 1 }], rows: [row] },
    });
    out.length = 0;
    await runCommand(query, [file, 'type:req', '--format', 'ndjson']);
    const lines = said().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual([1, 3]);
  });

  test('is a table for an issue as Markdown; with --count, how many', async () => {
    await runCommand(query, [restored(), 'is:replay', '--format', 'markdown']);
    expect(said()).toContain('| #4 | ');
    expect(said()).toMatch(/`agent_message_chunk` \| S1 \| replay · “Hello” \|/);
    out.length = 0;
    await runCommand(query, [restored(), 'is:replay', '--count', '--format', 'html']);
    expect(said()).toContain('1 frame');
    expect(said()).not.toContain('agent_message_chunk');
  });

  test('is no more than --limit, which is said', async () => {
    expect(await runCommand(query, [live(), restored(), 'type:req', '--limit', '4'])).toBe(EXIT.ok);
    expect(said().split('\n')).toHaveLength(4);
    expect(err).toEqual(['The first 4; there may be more.']);
  });

  test('by findings is looked for with the checker', async () => {
    expect(await runCommand(query, [live(), 'finding:frame/not-json'])).toBe(EXIT.ok);
    expect(said()).toMatch(/^#7 .*not JSON/);
  });

  test('S-10: puts no byte on a terminal that it would obey', async () => {
    for (const format of ['text', 'json', 'ndjson', 'markdown', 'html'])
      await runCommand(query, [live(), 'type:bad', '--format', format]);
    expect(said()).not.toContain('\u009b');
  });
});

describe('exit status', () => {
  test('1 where nothing matches, with the nearest that would', async () => {
    expect(await runCommand(query, [live(), 'update:agent_message'])).toBe(EXIT.failed);
    expect(err.join('\n')).toContain('agent_message_chunk has 1.');
    expect(await runCommand(query, [live(), 'type:err'])).toBe(EXIT.failed);
    expect(err.at(-1)).toBe('No frame matches.');
    expect(out).toEqual([]);
  });

  test.each([
    ['type:req methd:x', /^There is no field methd\. Did you mean method\?/, 9, 6],
    ['type:reqq', /takes req/, 5, 4],
    ['is:live finding:errr', /Did you mean error\?/, 16, 4],
    ['(type:req', /has no end/, 0, 9],
  ])('2 for %s, with its place marked', async (text, sentence, from, length) => {
    expect(await runCommand(query, [live(), text])).toBe(EXIT.usage);
    const [message = '', shown, marks] = err.join('\n').split('\n');
    expect(message).toMatch(sentence);
    expect(shown).toBe(`  ${text}`);
    expect(marks).toBe(`  ${' '.repeat(from)}${'^'.repeat(length)}`);
    expect(out).toEqual([]);
  });

  test('2 for a pattern that takes too long, with what was found until then', async () => {
    const many = '  agent update s1 agent_message_chunk "Hello" ×5000';
    const file = trace('slow', `${many}\n  agent raw ${'a'.repeat(50)}!`);
    expect(await runCommand(query, [file, '/Hello|(a+)+$/'])).toBe(EXIT.usage);
    expect(said()).toMatch(/^ *#1 .*“Hello”/);
    expect(err.join('\n')).toMatch(/was stopped after .*: it takes too long on #5001/);
  });

  test('3 where a file cannot be read; the others are asked all the same', async () => {
    const missing = at('none');
    expect(await runCommand(query, [missing, live(), 'type:bad'])).toBe(EXIT.environment);
    expect(err[0]).toMatch(/Cannot read .*none: there is no such file/);
    expect(said()).toMatch(/^c2#7/);
  });
});

describe('--assert', () => {
  const hold = (...asserts: string[]) =>
    runCommand(query, [live(), restored(), ...asserts.flatMap((one) => ['--assert', one])]);

  test('ends with 0 where all hold, with 1 where one does not, and says which frames show it', async () => {
    expect(await hold('none(is:late)', 'order(method:session/new, is:replay)')).toBe(EXIT.ok);
    expect(said()).toBe('pass  none(is:late)\npass  order(method:session/new, is:replay)');
    out.length = 0;
    expect(await hold('max(latency, method:initialize) < 100ms', 'none(type:bad)')).toBe(
      EXIT.failed,
    );
    expect(said().split('\n')).toEqual([
      'FAIL  max(latency, method:initialize) < 100ms: the greatest latency is 250 ms, of c1#1 (c1#1)',
      'FAIL  none(type:bad): 1 frame matches (c1#7)',
    ]);
  });

  test('is a suite in JUnit, and one document in JSON', async () => {
    const files = [live(), restored()];
    const asserts = ['--assert', 'none(type:bad)'];
    await runCommand(query, [...files, ...asserts, '--format', 'junit']);
    expect(said()).toMatch(/<testsuite .*failures="1"/);
    out.length = 0;
    expect(await runCommand(query, [...files, ...asserts, '--format', 'json'])).toBe(EXIT.failed);
    expect(JSON.parse(said())).toEqual({
      ...{ passed: false, files },
      assertions: [
        {
          ...{ assert: 'none(type:bad)', verdict: 'fail', seen: '1 frame matches' },
          frames: ['c1#7'],
        },
      ],
    });
  });

  test('that cannot be read ends with 2 before a file is read, with its place marked', async () => {
    const asserts = ['--assert', 'none(type:badd)', '--assert', 'max(latncy) < 1s'];
    expect(await runCommand(query, ['none', ...asserts])).toBe(EXIT.usage);
    expect(err[0]).toMatch(/\n {2}none\(type:badd\)\n {2} {10}\^{4}$/);
    expect(err[1]).toMatch(/Did you mean latency\?\n/);
  });

  test('a name that ACP does not know is refused, or it would hold for ever; in quotes it is meant so', async () => {
    expect(await hold('none(type:req method:session/promt)')).toBe(EXIT.usage);
    expect(err).toHaveLength(1);
    expect(err[0]).toMatch(
      /^ACP has no method session\/promt\. Did you mean session\/prompt\? In quotes it is taken/,
    );
    expect(err[0]?.split('\n')[2]).toBe(`  ${' '.repeat(21)}${'^'.repeat(13)}`);
    err.length = 0;
    expect(await hold('none(type:req method:"session/promt")')).toBe(EXIT.ok);
    expect(err[0]).toMatch(/^ACP has no method session\/promt\./);
    expect(err[0]?.split('\n')[2]).toBe(`  ${' '.repeat(22)}${'^'.repeat(13)}`);
  });

  test('stands in the place of a query', async () => {
    expect(await runCommand(query, [live(), '--assert', 'none(is:late)', '--count'])).toBe(
      EXIT.usage,
    );
    expect(err.join('\n')).toContain(
      '--assert takes trace files, and no query, --count or --limit.',
    );
  });
});

test('a tool kind that ACP does not know is found where a trace holds it, with a warning', async () => {
  const file = trace(
    'kind',
    `  agent update s1 tool_call {"toolCallId":"t1","title":"Run","kind":"shell"}`,
  );
  expect(await runCommand(query, [file, 'kind:shell', '--count'])).toBe(EXIT.ok);
  expect(said()).toBe('1');
  expect(err.join('\n')).toMatch(/^There is no tool kind shell\./);
  expect(await runCommand(query, [file, '--assert', 'none(kind:"shell")'])).toBe(EXIT.failed);
});

test('a mistake behind letters that take two cells is marked where it stands', async () => {
  await runCommand(query, [live(), 'text:"日本語" type:badd']);
  expect(err[0]?.split('\n')[2]).toBe(`  ${' '.repeat(19)}^^^^`);
});

test('an unknown name of a list is told once, and marked alone', async () => {
  await runCommand(query, [live(), 'is:live method:session/new,session/promt,session/promt']);
  expect(err[0]?.split('\n')[2]).toBe(`  ${' '.repeat(27)}${'^'.repeat(13)}`);
  expect(err.join('\n').match(/ACP has no method/g)).toHaveLength(1);
});

test('the columns of ten files and more stand under each other', async () => {
  const files = Array.from({ length: 10 }, (_, at) => trace(`many-${at}`, LIVE));
  await runCommand(query, [...files, 'type:bad']);
  expect(
    new Set(
      said()
        .split('\n')
        .map((line) => line.indexOf('0:00')),
    ).size,
  ).toBe(1);
});

test('a file that is named twice, in whatever way, is asked once', async () => {
  const file = live();
  const again = `${folder}/./live.acptrace.jsonl`;
  await runCommand(query, [file, again, 'type:bad']);
  expect(said()).toMatch(/^#7/);
  expect(await runCommand(query, [file, file, again, '--assert', 'count(type:bad) = 1'])).toBe(
    EXIT.ok,
  );
});

test('a query may begin with a minus', async () => {
  expect(await runCommand(query, [live(), '-type:req,res,ntf', '--count'])).toBe(EXIT.ok);
  expect(said()).toBe('1');
});

test.each([
  [['a.ndjson'], 'query takes trace files and, behind them, a query in quotes.'],
  [[], 'query takes trace files and, behind them, a query in quotes.'],
])('%j is a mistake', async (args, sentence) => {
  expect(await runCommand(query, args)).toBe(EXIT.usage);
  expect(err.join('\n')).toContain(sentence);
});

test('a file where the query should be is told', async () => {
  expect(await runCommand(query, [live(), restored()])).toBe(EXIT.usage);
  expect(err.join('\n')).toMatch(
    /There is a file or folder .*: behind the files stands a query, .* write text:".*"\.$/m,
  );
});
