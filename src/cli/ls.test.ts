import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { at, err, folder, keepOutput, out } from '../test/programs/command-line.ts';
import { draw } from '../test/traces/draw.ts';
import { FORMAT, headerLine, TIMED_VERSION, type Header } from '../trace/format.ts';
import { EXIT, runCommand } from './command.ts';
import { ls } from './ls.ts';

keepOutput();

const STORY = `
  client  →0 initialize {"protocolVersion":1}
  agent   ←0 result {"protocolVersion":1,"agentInfo":{"name":"my-agent","version":"2.1"},"agentCapabilities":{"loadSession":true}}
  client  →1 session/load s1 {"cwd":"/w","mcpServers":[]}
  agent   update s1 agent_message_chunk "Hello"
  agent   ←1 result {}`;

function trace(path: string, header: object = {}): string {
  const created = '2026-11-22T10:00:00.000Z';
  const head: Header = {
    ...{ format: FORMAT, version: TIMED_VERSION, tool: 't', clock: 'monotonic', created },
    ...header,
  };
  // As a recorder writes them.
  const events = draw(STORY).map(({ type, seq, at, ...rest }) => ({ type, seq, at, ...rest }));
  const lines = [headerLine(head), ...events.map((event) => JSON.stringify(event))];
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
  return path;
}
const json = () => JSON.parse(out.join('')) as { traces: unknown[]; recordings: unknown[] };

test('without a file it says what waits here for a page, and where', async () => {
  expect(await runCommand(ls, [])).toBe(EXIT.ok);
  expect(out.join('')).toMatch(/^No recording waits in .*spool/);
});

test('a recording is told with its command, without what is likely a secret', async () => {
  const spool = join(folder, 'state', 'spool');
  mkdirSync(spool, { recursive: true });
  const argv = ['my-agent', '--api-key', 'hunter2', '--acp'];
  const file = trace(join(spool, 'r.acptrace.jsonl'), { name: 'my-agent', mode: 'tap', argv });
  expect(await runCommand(ls, [])).toBe(EXIT.ok);
  expect(out.join('\n')).toContain(file);
  expect(out.join('\n')).toContain('my-agent --api-key … --acp');
  out.length = 0;
  expect(await runCommand(ls, ['--format', 'json'])).toBe(EXIT.ok);
  expect(json().recordings).toMatchObject([{ file, mode: 'tap', state: 'cut', events: 5 }]);
  expect(out.join('\n')).not.toContain('hunter2');
});

test('R-50: it says until when each is kept, seven days from its last byte', async () => {
  const spool = join(folder, 'state', 'spool');
  mkdirSync(spool, { recursive: true });
  const written = Date.UTC(2026, 10, 20, 12) / 1000;
  utimesSync(trace(join(spool, 'r.acptrace.jsonl'), { name: 'my-agent' }), written, written);
  expect(await runCommand(ls, [])).toBe(EXIT.ok);
  expect(out.join('\n')).toMatch(/ · kept until 2026-11-2[678] \d\d:\d\d/);
  out.length = 0;
  expect(await runCommand(ls, ['--format', 'json'])).toBe(EXIT.ok);
  expect(json().recordings).toMatchObject([{ keptUntil: '2026-11-27T12:00:00.000Z' }]);
});

test('of a trace file it says what it holds; of a folder the same of each in it', async () => {
  const one = trace(at('one.acptrace.jsonl'));
  writeFileSync(at('notes.jsonl'), 'no trace\n');
  writeFileSync(
    at('two.ndjson'),
    '{"t":0,"dir":"client-to-agent","raw":"{}"}\n{"t":5,"dir":"stderr","raw":"up"}\nwhat\n',
  );
  expect(await runCommand(ls, [folder, '--format', 'json'])).toBe(EXIT.ok);
  const story = {
    ...{ file: one, format: 'acptrace', agent: 'my-agent 2.1', version: 1, frames: 5, span: 4 },
    ...{ sessions: 1, restores: 1, startedAt: '2026-11-22T10:00:00.000Z' },
  };
  expect(json().traces).toEqual([
    story,
    {
      ...{ file: at('two.ndjson'), format: 'recorder', frames: 1, span: 5 },
      ...{ sessions: 0, restores: 0, unread: 1 },
    },
  ]);
  out.length = 0;
  expect(await runCommand(ls, [one])).toBe(EXIT.ok);
  expect(out.join('')).toMatch(
    /one\.acptrace\.jsonl +acptrace +5 +4\.0 ms +1 +1 +my-agent 2\.1 · v1$/,
  );
});

test('a file that cannot be read ends with 3, and the others are told all the same', async () => {
  trace(at('one.acptrace.jsonl'));
  const files = ['on.acptrace.jsonl', 'one.acptrace.jsonl'].map((name) => at(name));
  expect(await runCommand(ls, files)).toBe(EXIT.environment);
  expect(err.join('\n')).toMatch(/no such file or folder\. Did you mean .*one\.acptrace\.jsonl\?$/);
  expect(out.join('\n')).toMatch(/acptrace +5 /);
});
