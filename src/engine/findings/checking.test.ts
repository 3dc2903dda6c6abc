import type { EditionId } from '../../acp/editions/edition.ts';
import { EDITION_IDS, removeEdition } from '../../acp/editions/editions.ts';
import { makeEdition } from '../../acp/editions/make-edition.ts';
import { editionShapes } from '../../acp/schema/load.ts';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { encodeUtf8 } from '../../lib/utf8.ts';
import { checkTrace } from '../../rules/check-trace.ts';
import { loadRemarks } from '../../rules/steps.ts';
import { World } from '../../rules/connection.ts';
import { Agents, fileOf, page } from '../../test/programs/checked-page.ts';
import { MemoryStore } from '../../storage/memory-store.ts';
import { draw } from '../../test/traces/draw.ts';
import { recordings } from '../../test/traces/recordings.ts';
import { V1, V1_SESSION, V2_SESSION } from '../../test/traces/rule-case.ts';
import { seq, type ConnectionId, type Seq } from '../../trace/event.ts';
import { inFront } from '../traces/intake.ts';
import type { FindingsState } from './finding-messages.ts';
import { until as soon } from '../../test/programs/until.ts';

const WITH_FAULTS = `
  ${V1_SESSION}
  agent ←9 result {}
  client →2 session/list []
  agent ←9 result {}
`;

afterEach(() => vi.restoreAllMocks());

describe('an opened trace', () => {
  test('is checked behind its timeline, and says how far and what it found', async () => {
    const { engine, open, checked } = await page();
    const one = await open(WITH_FAULTS);
    const state = await checked(one, 7);
    const answer = await engine.findings.all(one);
    const failed = answer?.findings.filter(({ verdict }) => verdict === 'fail') ?? [];
    expect(failed.map(({ rule }) => rule)).toContain('rpc/params-type');
    const { error, warning, hint } = state.counts;
    expect(error + warning + hint).toBe(failed.length);
    expect(state).toMatchObject({
      edition: 'v1-2.4.0',
      words: 'v1 as of SDK 2.4.0',
      choice: { edition: 'auto' },
    });
    expect(state.reason).toBe('The handshake settles on version 1.');
    const against = state.editions.filter(({ contradicts }) => contradicts);
    expect(against.map(({ edition }) => edition)).toEqual(
      EDITION_IDS.filter((id) => id.startsWith('v2')),
    );
  });

  test('is hardly checked while a person waits for other work, and to its end then', async () => {
    const { open, until, checked } = await page();
    await checked(await open(V1_SESSION), 4);
    const words = '\n  agent update s1 agent_message_chunk "Word"'.repeat(20_000);
    const { checked: early } = await inFront(async () => {
      await open(`${V1_SESSION}${words}`);
      return until((state) => state.checked > 100);
    });
    expect(early).toBeLessThan(10_000);
    await until(({ done, checked }) => done && checked === 20_004);
  });

  test('is the one that was asked for last, whichever is read first', async () => {
    class Slow extends MemoryStore {
      slow: ConnectionId | undefined;
      override async blocks(connection: ConnectionId, after: Seq) {
        if (connection === this.slow) await new Promise((resolve) => setTimeout(resolve, 30));
        return super.blocks(connection, after);
      }
    }
    const store = new Slow(undefined);
    const before = await page(store);
    const [one, two] = [await before.open(V1_SESSION), await before.open(WITH_FAULTS)];
    store.slow = one;
    const { engine, states, checked } = await page(store);
    await Promise.all([engine.timeline.open(one, ''), engine.timeline.open(two, '')]);
    await checked(two, 7);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(states.at(-1)?.connection).toBe(two);
  });

  test('has its findings by frame, each with where and what was seen there', async () => {
    const { engine, open, checked } = await page();
    const one = await open(WITH_FAULTS);
    await checked(one, 7);
    const here = await engine.findings.ofFrame(one, seq(7));
    expect(here.find(({ rule }) => rule === 'rpc/params-type')).toMatchObject({
      ...{ verdict: 'fail', severity: 'error', side: 'client', frames: 1 },
      place: { seq: 7, pointer: '/params', seen: '`params` is an array' },
    });
    expect(await engine.findings.ofFrame(one, seq(2))).toEqual([]);
  });

  test('marks its rows, and the way goes from one finding to the next', async () => {
    const { engine, open, checked } = await page();
    const one = await open(WITH_FAULTS);
    await checked(one, 7);
    const { rows } = await engine.timeline.rows(one, 0, 99);
    expect(rows.filter((row) => row.findings).map((row) => row.seq)).toEqual([6, 7, 8]);
    expect(await engine.findings.next(one, seq(1), 1)).toBe(6);
    expect(await engine.findings.next(one, seq(6), 1)).toBe(7);
    expect(await engine.findings.next(one, seq(6), -1)).toBeUndefined();
    const found = (await engine.findings.all(one))?.findings.find(({ frames }) => frames === 2);
    expect(await engine.findings.next(one, seq(6), 1, { key: found?.key ?? '' })).toBe(8);
    await engine.timeline.setQuery(one, 'side:client');
    expect(await engine.findings.next(one, seq(1), 1, { shown: true })).toBe(7);
    expect(await engine.findings.rows(one, 100)).toEqual([{ row: 2, worst: 'error' }]);
  });

  test('a finding set aside counts no more, says why, and comes back', async () => {
    const { engine, open, checked, until } = await page();
    const one = await open(WITH_FAULTS);
    const marksOf = async (at: number) => {
      const { rows } = await engine.timeline.rows(one, at - 1, at);
      return rows[0]?.findings?.count ?? 0;
    };
    const { counts } = await checked(one, 7);
    const marked = await marksOf(7);
    const aside = { kind: 'suppress', rule: 'rpc/params-type', reason: 'known since May' } as const;
    await engine.traces.annotate(one, aside);
    const after = await until((state) => state.counts.suppressed === 1);
    expect(after.counts.error).toBe(counts.error - 1);
    const found = (await engine.findings.all(one))?.findings.find(
      ({ rule }) => rule === aside.rule,
    );
    expect(found).toMatchObject({ suppressed: aside });
    expect(await marksOf(7)).toBe(marked - 1);
    const text = await (await engine.library.exportFile(one)).blob.text();

    const other = await engine.library.importFile(new File([encodeUtf8(text)], 'b.acptrace.jsonl'));
    if (!other.ok) throw new Error(other.message);
    await engine.timeline.open(other.connection, '');
    expect((await checked(other.connection, 7)).counts).toEqual(after.counts);

    await engine.timeline.open(one, '');
    await engine.traces.unannotate(one, aside);
    expect((await until((state) => state.counts.suppressed === 0)).counts).toEqual(counts);
  });

  test('without its handshake it can be held against a version of the person’s choice', async () => {
    const { engine, open, checked, until, store } = await page();
    const one = await open(`
      client →1 session/new {"cwd":"/w"}
      agent ←1 result {"sessionId":"s1"}
    `);
    const before = await checked(one, 2);
    expect(before.words).toBe('every version');
    expect(before.editions.map(({ edition }) => edition)).toEqual(EDITION_IDS);
    await engine.findings.choose(one, { edition: 'v1-2.4.0', together: [] });
    const after = await until((state) => state.done && state.counts.error > before.counts.error);
    expect(after.version).toBeGreaterThan(before.version);
    expect(after).toMatchObject({ edition: 'v1-2.4.0', choice: { edition: 'v1-2.4.0' } });
    const again = await page(store);
    await again.engine.timeline.open(one, '');
    expect((await again.checked(one, 2)).counts).toEqual(after.counts);
  });

  test('against its handshake it can be held too, says so, and goes back to what it agreed on', async () => {
    const { engine, open, checked, until, store } = await page();
    const one = await open(V2_SESSION);
    const before = await checked(one, 4);
    await engine.findings.choose(one, { edition: 'v1-2.4.0', together: [] });
    const after = await until((state) => state.done && state.counts.error > 0);
    expect(before.counts.error).toBe(0);
    expect(after).toMatchObject({ edition: 'v1-2.4.0', choice: { edition: 'v1-2.4.0' } });
    expect(after.reason).toBe(
      'Chosen by you, against the handshake, which settles on version 2. Schemas and rules are those of v1 as of SDK 2.4.0; timeline, conversation and state stay as the handshake has them.',
    );
    const reported = checkTrace(draw(V2_SESSION), {
      edition: 'v1-2.4.0',
      remarksOf: await loadRemarks(),
    });
    const found = (await engine.findings.all(one))?.findings ?? [];
    expect(found.map(({ rule }) => rule)).toEqual(reported.findings.map(({ rule }) => rule));

    const again = await page(store);
    await again.engine.timeline.open(one, '');
    expect((await again.checked(one, 4)).counts).toEqual(after.counts);
    await again.engine.findings.choose(one, { edition: 'auto', together: [] });
    const back = await again.until((state) => state.done && state.choice.edition === 'auto');
    expect(back.counts).toEqual(before.counts);
    expect(back.reason).toBe(before.reason);
  });

  test('an edition from a file is what it is checked against, also after a reload, until it is forgotten', async () => {
    const { engine, open, checked, until, store } = await page();
    const one = await open(`${WITH_FAULTS}client →3 session/new {"cwd":5,"mcpServers":[]}`);
    const before = await checked(one, 8);
    const rules = async () => (await engine.findings.all(one))?.findings.map(({ rule }) => rule);
    expect(await rules()).toContain('schema/params');
    expect(await engine.findings.openEdition('{}')).toBe('`format` is not "acp-edition"');
    const shapes = await editionShapes(1, 'v1-2.4.0');
    const names = { id: 'v1-9.9.9', version: 1, date: '2027-01-01', source: 'x' } as const;
    const made = makeEdition(names, { ...shapes, methods: {} }, new Set());
    const text = JSON.stringify({ ...made, counts: { 'rpc/params-type': 'hint' } });
    const opened = await engine.findings.openEdition(text);
    expect(opened).toMatchObject({ edition: names.id, version: 1, isStored: true });
    // The opened edition is in force, although nobody chose an edition for this trace.
    const after = await until((state) => state.done && state.editions.length > 5);
    expect(after).toMatchObject({ edition: made.id, choice: { edition: 'auto' } });
    expect(after.editions.filter(({ own }) => own)).toMatchObject([{ edition: names.id }]);
    expect(after.counts.error).toBeLessThan(before.counts.error);
    // Its schemas are asked, which have no method.
    expect(await rules()).not.toContain('schema/params');

    // The built-in schemas are loaded first: a choice that is made meanwhile is the newer one.
    const auto = { edition: 'auto', together: [] } as const;
    const sdk = { edition: 'v1-2.4.0' as EditionId, together: [] };
    const slow = engine.findings.choose(one, sdk);
    await Promise.all([slow, engine.findings.choose(one, auto)]);
    const kept = { text: '{"edition":"auto"}' };
    expect(await store.draft(`check/${one}`)).toMatchObject({ value: kept });
    await engine.findings.choose(one, sdk);
    const builtIn = await until((state) => state.done && state.edition === 'v1-2.4.0');
    expect(builtIn.counts).toEqual(before.counts);
    expect(await rules()).toContain('schema/params');
    const choice = { edition: made.id, together: [] };
    await engine.findings.choose(one, choice);
    const chosen = await until((state) => state.done && state.edition === made.id);
    expect(chosen.counts).toEqual(after.counts);

    // The first page goes on, and its worker is this one.
    await engine.findings.choose(one, auto);
    await store.putDraft({ key: `check/${one}`, text: JSON.stringify(choice) });
    removeEdition(made.id);
    const again = await page(store);
    await again.engine.timeline.open(one, '');
    expect(await again.checked(one, 8)).toMatchObject({ choice, counts: after.counts });
    const later = JSON.stringify({ ...made, id: 'v1-9.9.10', on: made.id });
    await again.engine.findings.openEdition(later);
    expect(await again.engine.findings.forgetEdition(made.id)).toContain('changes this edition');
    expect(await again.engine.findings.forgetEdition('v1-9.9.10' as EditionId)).toBeUndefined();
    expect(await again.engine.findings.forgetEdition(made.id)).toBeUndefined();
    const back = await again.until((state) => state.done && state.choice.edition === 'auto');
    expect(back.counts).toEqual(before.counts);
    expect(await store.draft('editions')).toMatchObject({ value: undefined });
  });

  test('another edition of a version is read from what was found, without a new check', async () => {
    const { engine, open, checked, until } = await page();
    const one = await open(`
      ${V2_SESSION}
      client →2 session/prompt {"sessionId":"s1","prompt":[{"type":"text","text":"x"}]}
      agent ←2 result {}
    `);
    const { checked: frames, version } = await checked(one, 6);
    await engine.findings.choose(one, { edition: 'v2-2.4.0', together: [] });
    const after = await until((state) => state.edition === 'v2-2.4.0' && state.version > version);
    expect(after).toMatchObject({ checked: frames, done: true });
  });
});

/** Returns a function that opens a file of a folder in the page. */
function opener({ library }: Awaited<ReturnType<typeof page>>['engine'], folder: string) {
  return async (name: string): Promise<ConnectionId> => {
    const bytes = readFileSync(new URL(`${folder}${name}`, import.meta.url));
    const imported = await library.importFile(new File([bytes], name));
    if (!imported.ok) throw new Error(imported.message);
    return imported.connection;
  };
}

describe('connections of the page', () => {
  test('files of unknown time are one set in the order of what they show, whichever was opened first', async () => {
    const { engine, until } = await page();
    const opened = opener(engine, '../../test/fixtures/codex-acp/0.16.0/');
    const restored = await opened('permission-cut-load-v1.ndjson');
    const lived = await opened('permission-cut-v1.ndjson');
    await engine.timeline.open(restored, '');
    await engine.findings.choose(restored, { edition: 'auto', together: [lived] });
    await until(({ connection, together, done }) =>
      Boolean(connection === restored && together.length > 0 && done),
    );
    const { findings } = (await engine.findings.all(restored)) ?? { findings: [] };
    expect(findings).toContainEqual(
      expect.objectContaining({ rule: 'replay/unfaithful', verdict: 'fail' }),
    );
  });

  test('a file is read with the files that share its session, until a person chooses otherwise', async () => {
    const { engine, store, until } = await page();
    const opened = opener(engine, '../../test/fixtures/codex-acp/0.16.0/');
    const lived = await opened('permission-cut-v1.ndjson');
    const restored = await opened('permission-cut-load-v1.ndjson');
    const text = fileOf(draw(V1_SESSION));
    const stranger = await engine.library.importFile(new File([text], 'stranger.acptrace.jsonl'));
    expect(stranger.ok).toBe(true);
    const isRead = ({ connection, done }: FindingsState) => connection === restored && done;
    await engine.timeline.open(restored, '');
    await until((state) => isRead(state) && state.together.join() === lived);

    await engine.findings.choose(restored, { edition: 'v1-2.4.0', together: [lived] });
    expect(await store.draft(`check/${restored}`)).toMatchObject({
      value: { text: JSON.stringify({ edition: 'v1-2.4.0' }) },
    });
    await engine.findings.choose(restored, { edition: 'auto', together: [] });
    await until((state) => isRead(state) && state.together.length === 0);
    const again = await page(store);
    await again.engine.timeline.open(restored, '');
    expect((await again.until(isRead)).together).toEqual([]);
  });

  test('files of unknown time that share a session are read apart where nothing says which is older', async () => {
    const { engine, until } = await page();
    const opened = opener(engine, '../../test/cases/order/');
    const names = ['A-1-delete.ndjson', 'A-2-load.ndjson'];
    for (const [first = '', second = ''] of [names, names.toReversed()]) {
      const [one, other] = [await opened(first), await opened(second)];
      await engine.timeline.open(one, '');
      await engine.findings.choose(one, { edition: 'auto', together: [other] });
      const state = await until(
        ({ connection, done, choice }) =>
          connection === one && done && choice.together.includes(other),
      );
      expect(state.together).toEqual([]);
      expect(state.counts).toMatchObject({ error: 0, warning: 0 });
    }
  });

  test('are one set, in the order they began; a file is alone unless it is added', async () => {
    const agents = new Agents();
    const { engine, open, show, until, checked } = await page(new MemoryStore(undefined), agents);
    const first = await agents.begin('first', '2026-11-21T10:00:00.000Z');
    await show(first);
    agents.record(first, draw(V1_SESSION));
    const second = await agents.begin('second', '2026-11-21T10:00:10.000Z');
    await show(second);
    agents.record(second, draw(V1));
    const state = await checked(second, 2);
    expect(state.together).toEqual([first]);

    const file = await open(V1_SESSION);
    expect((await checked(file, 4)).together).toEqual([]);
    await engine.findings.choose(file, { edition: 'auto', together: [second] });
    expect((await until((one) => one.together.length > 0 && one.done)).together).toEqual([second]);
  });

  test('a restore of a running agent is judged once nothing came for a while', async () => {
    const agents = new Agents();
    const { engine, show, until } = await page(new MemoryStore(undefined), agents);
    const one = await agents.begin('one', '2026-11-21T10:00:00.000Z');
    await show(one);
    agents.record(
      one,
      draw(`${V1_SESSION}client →2 session/prompt s1 "Mend it"
      agent update s1 agent_message_chunk m1 "Mended"
      agent ←2 result {"stopReason":"end_turn"}
      client →3 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
      agent update s1 user_message_chunk "Mend it"
      agent ←3 result {}`),
    );
    await until(({ counts, done }) => done && counts.error > 0);
    const findings = (await engine.findings.all(one))?.findings ?? [];
    expect(findings.filter(({ severity }) => severity === 'error')).toMatchObject([
      { rule: 'replay/missing-history', side: 'agent' },
    ]);
  });

  test('a session that goes on in a later one is judged with the earlier one, also when both are stored', async () => {
    const agents = new Agents();
    const { show, checked, store } = await page(new MemoryStore(undefined), agents);
    const first = await agents.begin('first', '2026-11-21T10:00:00.000Z');
    await show(first);
    agents.record(
      first,
      draw(`${V1_SESSION}client →2 session/prompt s1 "Hello"
      agent ←2 result {"stopReason":"end_turn"}
      exit 0`),
    );
    await checked(first, 6);
    agents.leave(first);
    const second = await agents.begin('second', '2026-11-21T10:00:10.000Z');
    await show(second);
    agents.record(
      second,
      draw(`${V1}client →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
      agent ←1 result {}`),
    );
    expect((await checked(second, 4)).together).toEqual([first]);
    await soon(async () => {
      const stored = await store.traces();
      expect(stored.ok && stored.value.every(({ events }) => events > 3)).toBe(true);
      expect(await store.draft('check/second')).toMatchObject({ value: { key: 'check/second' } });
    });
    const later = await page(store);
    await later.show(second);
    expect((await later.checked(second, 4)).together).toEqual([first]);
    const findings = (await later.engine.findings.all(second))?.findings ?? [];
    const missing = findings.find(({ rule }) => rule === 'replay/missing-history');
    expect(missing?.seen).toContain('the prompt "Hello" (c1#6)');
  });

  test('a running one is not judged as if it had ended', async () => {
    const agents = new Agents();
    const { show, checked, until } = await page(new MemoryStore(undefined), agents);
    const one = await agents.begin('one', '2026-11-21T10:00:00.000Z');
    await show(one);
    const events = draw(`${V1}client →1 session/list {}\nexit 0`);
    agents.record(one, events.slice(0, -1));
    const running = await checked(one, 3);
    agents.record(one, events.slice(-1));
    const total = ({ counts }: FindingsState) => Object.values(counts).reduce((a, b) => a + b, 0);
    await until((state) => total(state) > total(running));
  });
});

/** One of each agent. */
function someRecordings() {
  const byAgent = new Map(recordings().map((one) => [one.name.split('/')[0], one]));
  return byAgent.values();
}

test('the page finds in recordings of agents what the command line finds', async () => {
  const remarksOf = await loadRemarks();
  const { engine, checked } = await page();
  for (const { name, events } of someRecordings()) {
    const imported = await engine.library.importFile(
      new File([encodeUtf8(fileOf(events))], 'a.jsonl'),
    );
    if (!imported.ok) throw new Error(imported.message);
    const { connection } = imported;
    await engine.timeline.open(connection, '');
    const world = new World();
    const report = checkTrace(events, { remarksOf, world });
    await checked(connection, report.frames);
    const answer = await engine.findings.all(connection);
    expect([
      name,
      answer?.findings.map(({ rule, verdict, severity, frames, seen }) => {
        return { rule, verdict, severity, frames, seen };
      }),
    ]).toEqual([
      name,
      report.findings.map(({ rule, verdict, severity, seqs, seen }) => {
        return { rule, verdict, severity, frames: seqs.length, seen };
      }),
    ]);
  }
});
