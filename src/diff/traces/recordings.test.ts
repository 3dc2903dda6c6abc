import { expect, test } from 'vitest';
import { encodeUtf8 } from '../../lib/utf8.ts';
import type { IndexedTrace } from '../../model/indexed-trace.ts';
import { sourcesOf } from '../../test/traces/fidelity-sources.ts';
import { recordings } from '../../test/traces/recordings.ts';
import { seq } from '../../trace/event.ts';
import { eventLine } from '../../trace/format.ts';
import { PackedEvents } from '../../trace/packed-events.ts';
import { diffTraces } from './diff.ts';
import { diffJson } from './report/many.ts';
import type { DiffOptions, TraceDiffReport } from './report/report.ts';

const all = new Map(recordings().map(({ name, events }) => [name, events]));

function compare(a: string, b: string, options?: DiffOptions): Promise<TraceDiffReport> {
  const [left, right] = sourcesOf([all.get(a) ?? [], all.get(b) ?? []]);
  if (!left || !right) throw new Error('two recordings were named');
  return diffTraces(left, right, options);
}
const LIVE = 'opencode/1.18.33/live-v1.ndjson';
const LOAD = 'opencode/1.18.33/load-v1.ndjson';

test('what OpenCode replays is what it said live: the same messages and tool calls', async () => {
  const { counts, differences } = await compare(LIVE, LOAD, { b: { query: 'is:replay' } });
  expect(counts).toMatchObject({ equal: 21, changed: 0, extra: 0, moved: 0 });
  // Only what no history replay tells is live alone.
  expect(new Set(differences.map(({ of }) => of))).toEqual(
    new Set([
      ...['initialize', 'session/new', 'available_commands_update', 'session/list'],
      ...['session/request_permission', 'fs/write_text_file', 'session/cancel', 'turn end'],
    ]),
  );
});

test('two loads of one session replay it alike, and the second what came since', async () => {
  const replayed = { query: 'is:replay' };
  const report = await compare(LOAD, 'opencode/1.18.33/load2-v1.ndjson', {
    a: replayed,
    b: { ...replayed, to: seq(30) },
  });
  expect(report.counts).toMatchObject({ equal: 21, changed: 0, missing: 0, extra: 2 });
});

test('two versions of one real agent: what changed is told by name', async () => {
  const report = await compare(
    'claude-code-acp/0.16.2/live-v1.ndjson',
    'claude-agent-acp/0.100.0/live-v1.ndjson',
    { view: 'handshake' },
  );
  expect(report.differences).toContainEqual(
    expect.objectContaining({
      kind: 'changed',
      path: '$.info.version',
      before: '0.16.2',
      after: '0.100.0',
    }),
  );
  const story = await compare(
    'claude-code-acp/0.16.2/live-v1.ndjson',
    'claude-agent-acp/0.100.0/live-v1.ndjson',
  );
  expect(story.aliases.filter(({ kind }) => kind === 'tool').every(({ a, b }) => a && b)).toBe(
    true,
  );
  expect(story.unrelated).toBe(false);
});

test('of two agents asked the same, every prompt is found again', async () => {
  const { rows } = await compare(LIVE, 'codex-acp/0.16.0/live-v1.ndjson');
  const prompts = Array.from({ length: rows.length }, (_, row) => rows.row(row)).filter(
    ({ of }) => of === 'user',
  );
  expect(prompts.length).toBeGreaterThan(4);
  expect(prompts.every(({ mark }) => mark === 'equal')).toBe(true);
});

/** The same trace, of which texts are taken out of lines where they can be. */
function fromLines(trace: IndexedTrace): IndexedTrace {
  const lines = new PackedEvents();
  for (let place = 0; place < trace.index.length; place++)
    lines.add(encodeUtf8(eventLine(trace.eventAt(place))));
  const eventAt = (place: number) => lines.at(place);
  return { ...trace, eventAt, textAt: (place) => lines.textAt(place) };
}

test('traces whose lines are read are compared as those whose events are at hand', async () => {
  const names = [...all.keys()].filter((_, at) => at % 6 === 0);
  for (const [at, name] of names.entries()) {
    const events = [name, names[at + 1] ?? LIVE].map((one) => all.get(one) ?? []);
    const [a, b] = sourcesOf(events);
    if (!a || !b) throw new Error('two recordings were named');
    for (const view of ['story', 'frames'] as const) {
      const told = diffJson(await diffTraces(a, b, { view }));
      expect(diffJson(await diffTraces(fromLines(a), fromLines(b), { view }))).toEqual(told);
    }
  }
});
