// Recordings of real agents, made through the page and filed by agent and version: whatever we
// change, these read, write back to the same bytes, and say what they said.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { reduce } from '../model/fold/reduce.ts';
import { freshState } from '../model/fold/state.ts';
import { saidBy } from '../model/timeline/digest.ts';
import type { TraceEvent } from '../trace/event.ts';
import { eventLine, headerLine } from '../trace/format.ts';
import { TraceReader } from '../trace/read.ts';
import { story } from './traces/fold.ts';
import { indexed } from './traces/indexed.ts';

const FIXTURES = fileURLToPath(new URL('fixtures', import.meta.url));
const files = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.acptrace.jsonl'))
  .map((name) => join(FIXTURES, name));

function read(path: string) {
  const reader = new TraceReader();
  const items = [...reader.push(readFileSync(path)), ...reader.end()];
  const events: TraceEvent[] = [];
  for (const item of items) {
    if ('problem' in item) throw new Error(`${path}, line ${item.line}: ${item.problem}`);
    events.push(item.event);
  }
  if (!reader.header) throw new Error(`${path}: ${reader.problem}`);
  return { header: reader.header, events };
}

const index = (events: readonly TraceEvent[]) => indexed(events).index;

/** What was said in the trace's one session, without turn ends and other notes. */
function told(path: string): readonly string[] {
  const { events } = read(path);
  const trace = index(events);
  const [window] = trace.windows();
  const sessionId = window?.sessionId ?? trace.facts().sessions[0]?.sessionId ?? '';
  let state = freshState(sessionId);
  for (const event of events) {
    const replay =
      window !== undefined && event.seq > window.request && event.seq < (window.answer ?? 0);
    const message = saidBy(event);
    state = reduce(state, event, message, { replay, late: false });
  }
  return story(state).filter((line) => /^(user|agent|tool)/.test(line));
}

describe('recordings of real agents', () => {
  test('there are some of v1 and of v2', () => {
    const versions = files.map((path) => index(read(path).events).facts().handshake?.version);
    expect(new Set(versions)).toEqual(new Set([1, 2]));
  });

  test.each(files.map((path) => [path.slice(FIXTURES.length + 1), path] as const))(
    '%s writes back to the same bytes',
    (_, path) => {
      const { header, events } = read(path);
      const lines = [headerLine(header), ...events.map(eventLine)].map((line) => `${line}\n`);
      expect(lines.join('')).toBe(readFileSync(path, 'utf8'));
    },
  );

  test.each(files.map((path) => [path.slice(FIXTURES.length + 1), path] as const))(
    '%s holds no late history and no broken frame',
    (_, path) => {
      const trace = index(read(path).events);
      const restored = /load|resume/.test(basename(path));
      expect(
        trace.windows().map(({ outcome, late, forbidden }) => ({ outcome, late, forbidden })),
      ).toEqual(restored ? [{ outcome: 'answered', late: 0, forbidden: false }] : []);
      const kinds = Array.from({ length: trace.length }, (_, i) => trace.columns.kindOf(i));
      expect(kinds).not.toContain('bad');
    },
  );

  test.each([
    ['opencode/1.18.33', 'turn-v1', 'load-v1'],
    ['claude-agent-acp/0.100.0', 'turn-v2', 'resume-start-v2'],
  ])('%s tells the same after its restore as it told live', (agent, live, restored) => {
    const of = (name: string) => told(join(FIXTURES, agent, `${name}.acptrace.jsonl`));
    const roles = (lines: readonly string[]) => lines.map((line) => line.split(':')[0]);
    expect(roles(of(restored))).toEqual(roles(of(live)));
    expect(of(live)).toContain('user: [[read hello.txt]] [[run echo hi]] Tell me about it');
    expect(of(restored)[0]).toBe(of(live)[0]);
    expect(of(restored).at(-1)).toBe(of(live).at(-1));
  });
});
