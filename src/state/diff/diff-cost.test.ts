// The cost of choosing two long traces for a comparison, and of comparing them: frames that are read, counted.
import { expect, test, vi } from 'vitest';
import { nodeFinder } from '../../cli/parts/node-finder.ts';
import { Diffs } from '../../engine/diff/diffs.ts';
import { loadReader } from '../../engine/engine.ts';
import { Fidelities } from '../../engine/fidelity/fidelities.ts';
import { Catalog } from '../../engine/library/catalog.ts';
import { importFile } from '../../engine/library/import-file.ts';
import { Intake } from '../../engine/traces/intake.ts';
import type { OpenTrace } from '../../engine/traces/open-trace.ts';
import { OpenTraces } from '../../engine/traces/open-traces.ts';
import { MemoryStore } from '../../storage/memory-store.ts';
import { runningApp } from '../../test/programs/running-app.ts';
import { draw } from '../../test/traces/draw.ts';
import type { ConnectionId } from '../../trace/event.ts';
import { eventLine, headerLine } from '../../trace/format.ts';
import { Diff } from './diff.svelte.ts';

const TURNS = 60;

/** Turns of one session, and every tenth a load that brings all of them back. */
function picture(edit: string): string {
  const lines = [
    'client →0 initialize {"protocolVersion":1}',
    'agent ←0 result {"protocolVersion":1,"agentInfo":{"name":"toy"},"agentCapabilities":{"loadSession":true}}',
    'client →1 session/new {"cwd":"/w","mcpServers":[]}',
    'agent ←1 result {"sessionId":"s1"}',
  ];
  for (let turn = 2; turn < TURNS; turn++) {
    lines.push(`client →${turn * 2} session/prompt s1 "Question ${turn}"`);
    for (let chunk = 0; chunk < 5; chunk++)
      lines.push(
        `agent update s1 agent_message_chunk "Words ${chunk} of ${turn}${turn % 20 === 0 ? edit : ''} "`,
      );
    lines.push(`agent ←${turn * 2} result {"stopReason":"end_turn"}`);
    if (turn % 10 !== 0) continue;
    const id = turn * 2 + 1;
    lines.push(`client →${id} session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}`);
    for (let back = 2; back <= turn; back++)
      lines.push(
        `agent update s1 user_message_chunk "Question ${back}"`,
        `agent update s1 agent_message_chunk "Words of ${back}"`,
      );
    lines.push(`agent ←${id} result {}`);
  }
  return lines.join('\n');
}

/** The engine as far as Diff asks it, over two such traces; how many of their frames were read. */
async function two() {
  const ignore = () => undefined;
  const store = new MemoryStore(undefined);
  const catalog = new Catalog(store, { changed: ignore, purged: ignore, problem: ignore });
  const intake = new Intake<OpenTrace>((trace) =>
    catalog.know(trace.connection, { events: trace.lines.length, facts: trace.index.facts() }),
  );
  const traces = new OpenTraces({ store, intake, catalog }, ignore, loadReader);
  await traces.ready();
  const parts = {
    store,
    catalog,
    traces,
    intake,
    begun: () => undefined,
    givenUp: () => undefined,
  };
  let read = 0;
  let frames = 0;
  const add = async (drawn: string): Promise<ConnectionId> => {
    const created = '2026-11-21T08:00:00.000Z';
    const header = headerLine({
      ...{ format: 'acptrace', version: 1, created, tool: 't', clock: 'monotonic' },
    });
    const text = [header, ...draw(drawn).map(eventLine)].map((line) => `${line}\n`).join('');
    const answer = await importFile(new File([text], 'a.acptrace.jsonl'), parts);
    if (!answer.ok) throw new Error(answer.message);
    const trace = await traces.whole(answer.connection);
    frames += trace.lines.length;
    for (const way of ['read', 'frameText'] as const) {
      const { [way]: real } = trace.lines;
      vi.spyOn(trace.lines, way).mockImplementation((place: number) => {
        read++;
        return Reflect.apply(real, trace.lines, [place]) as never;
      });
    }
    return answer.connection;
  };
  const [left, right] = [await add(picture('')), await add(picture(' edited'))];
  const library = { catalog, traces, finder: nodeFinder };
  const [diffs, fidelities] = [new Diffs(library), new Fidelities(library)];
  const app = await runningApp({
    diff: {
      compare: (ask) => diffs.compare(ask),
      hasReplay: (connection) => diffs.hasReplay(connection),
      livedIn: (connection) => diffs.livedIn(connection),
    },
    fidelity: {
      of: (...ask) => fidelities.of(...ask),
    },
  });
  app.receive({ type: 'traces', traces: catalog.summaries() });
  return { diff: new Diff(app), left, right, frames, reads: () => read };
}

test('that a chosen trace replays what another lived is known without a frame being read', async () => {
  const { diff, left, frames, reads } = await two();
  expect(await diff.livedIn(left)).toBe(left);
  expect(frames).toBeGreaterThan(1000);
  expect(reads()).toBe(0);
});

test('a comparison of two traces that are nearly equal reads each frame a few times', async () => {
  const { diff, left, right, frames, reads } = await two();
  void diff.livedIn(left);
  diff.set({ left, right, view: 'story' });
  diff.compareAgain();
  await expect.poll(() => diff.look).toBeDefined();
  expect(diff.look?.counts.changed).toBeGreaterThan(0);
  expect(reads() / frames).toBeLessThan(2.5);
});
