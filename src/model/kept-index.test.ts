import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { handshake, live, madeUp, replay, Script } from '../test/traces/arbitrary-conversation.ts';
import { draw } from '../test/traces/draw.ts';
import { recordings } from '../test/traces/recordings.ts';
import { connectionId, type TraceEvent } from '../trace/event.ts';
import { chipBook } from './facts/chips.ts';
import { INDEX_VERSION, keepIndex, recallIndex, type KeptIndex } from './kept-index.ts';
import { TraceIndex } from './trace-index.ts';

const CONNECTION = connectionId('c1');
const RECORDINGS = recordings();

function indexed(events: readonly TraceEvent[]): TraceIndex {
  const index = new TraceIndex(CONNECTION, chipBook());
  for (const event of events) index.append(event);
  return index;
}
/** What was kept, as the database gives it back. */
function reopened(kept: KeptIndex): TraceIndex {
  const index = new TraceIndex(CONNECTION, chipBook());
  recallIndex(index, structuredClone(kept));
  return index;
}
function said(index: TraceIndex) {
  const rows = Array.from({ length: index.length }, (_, at) => index.pinsFrom(at));
  const letters = rows.flatMap((pins) => pins.map(({ letter, value }) => [letter, value]));
  return { facts: index.facts(), windows: index.windows(), letters };
}
/** Kept at the cut, opened again and grown by the rest: the same as indexed in one go. */
function goesOn(events: readonly TraceEvent[], cut: number): void {
  const index = reopened(keepIndex(indexed(events.slice(0, cut))));
  for (const event of events.slice(cut)) index.append(event);
  const whole = indexed(events);
  expect(said(index)).toEqual(said(whole));
  expect(keepIndex(index)).toEqual(keepIndex(whole));
}

describe('an index that was kept', () => {
  test('is the index of the same events, for every recording of a real agent', () => {
    expect(RECORDINGS.length).toBeGreaterThan(50);
    for (const { name, events } of RECORDINGS) {
      const whole = indexed(events);
      const again = reopened(keepIndex(whole));
      expect(said(again), name).toEqual(said(whole));
      expect(keepIndex(again), name).toEqual(keepIndex(whole));
    }
  });

  test('grows like one that was never kept, wherever a recording was cut', () => {
    const recording = fc.constantFrom(...RECORDINGS.filter(({ events }) => events.length < 400));
    fc.assert(
      fc.property(recording, fc.double({ min: 0, max: 1, noNaN: true }), ({ events }, cut) =>
        goesOn(events, Math.floor(events.length * cut)),
      ),
      { numRuns: 60 },
    );
  });

  test('grows like one that was never kept, in conversations nobody had', () => {
    fc.assert(
      fc.property(madeUp, fc.constantFrom(1, 2), fc.nat(60), (made, version, cut) => {
        const script = new Script();
        handshake(script, version);
        live(script, made, version);
        replay(script, made, version);
        goesOn(script.frames, cut);
      }),
      { numRuns: 60 },
    );
  });

  test('keeps what a peer wrote as it was, also where a key is called like a prototype', () => {
    const events = draw(`
      client →0 initialize {"protocolVersion":1,"clientCapabilities":{"__proto__":{"fs":{}},"is":"map"}}
      agent ←0 result {"protocolVersion":1,"agentCapabilities":{"__proto__":{"polluted":true}}}`);
    const { handshake } = reopened(keepIndex(indexed(events))).facts();
    expect(JSON.stringify(handshake)).toBe(JSON.stringify(indexed(events).facts().handshake));
    expect(JSON.stringify(handshake)).toContain('"__proto__":{"polluted":true}');
    expect({}).not.toHaveProperty('polluted');
  });

  test('calls its sessions and cursors what the page calls them now', () => {
    const events = draw(`
      client →0 session/load {"sessionId":"s","cwd":"/w","mcpServers":[]}
      agent ←0 result {}`);
    const chips = chipBook();
    chips('another');
    const index = new TraceIndex(CONNECTION, chips);
    recallIndex(index, structuredClone(keepIndex(indexed(events))));
    expect(index.session(0)).toEqual({ sessionId: 's', chip: 'S2' });
  });

  test('is not taken for one where a column is missing, and the index stays as it was', () => {
    const kept = keepIndex(indexed(draw('start agent')));
    const index = new TraceIndex(CONNECTION, chipBook());
    const { at: _, ...columns } = kept.columns;
    expect(() => recallIndex(index, { ...kept, columns })).toThrow('no at was kept');
    expect(index.length).toBe(0);
  });
});

/** Everything in it as text; what was met before by its number. */
function told(value: unknown, seen: Map<object, number>): string {
  if (typeof value !== 'object' || value === null) return String(JSON.stringify(value) ?? value);
  const met = seen.get(value);
  if (met !== undefined) return `#${met}`;
  seen.set(value, seen.size);
  const all: readonly (readonly [unknown, unknown])[] =
    value instanceof Map ? [...value] : Object.entries(value);
  return `{${all.map(([key, one]) => `${String(key)}:${told(one, seen)}`).join()}}`;
}

/** Recordings do not change: where this does, what is kept does. Then raise INDEX_VERSION, and write it here. */
const MADE_BY = { version: 21, of: '822e25e3e0a97506' };

test('the same events are indexed to the same as ever, or to a new version', () => {
  const hash = createHash('sha256');
  for (const { name, events } of RECORDINGS)
    if (/^(opencode\/1\.18\.33|claude-agent-acp\/0\.\d+\.\d+)\//.test(name))
      hash.update(told(keepIndex(indexed(events)), new Map()));
  expect({ version: INDEX_VERSION, of: hash.digest('hex').slice(0, 16) }).toEqual(MADE_BY);
});
