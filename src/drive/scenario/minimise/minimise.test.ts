import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkTrace } from '../../../rules/check-trace.ts';
import { draw, inArrays } from '../../../test/traces/draw.ts';
import { indexed } from '../../../test/traces/indexed.ts';
import type { TraceEvent } from '../../../trace/event.ts';
import { lineText } from '../../../trace/line.ts';
import { parseAssertion } from '../assert/assertion.ts';
import { nodeFinder } from '../../../cli/parts/node-finder.ts';
import { failsAssertion, minimiseTrace } from './minimise.ts';
import { closed, traceOf, unitsOf } from '../../../model/excerpt/units.ts';

const TRACE = `
  start agent
  client  →0 initialize {"protocolVersion":1}
  agent   ←0 result {"protocolVersion":1}
  stderr  up
  client  →1 session/new {"cwd":"/w","mcpServers":[]}
  agent   ←1 result {"sessionId":"s1"}
  client  →2 session/new {"cwd":"/w","mcpServers":[]}
  agent   ←2 result {"sessionId":"s2"}
  client  →3 session/prompt s1 "Hi"
  agent   update s1 agent_message_chunk "Hel" "lo"
  agent   update s1 tool_call {"toolCallId":"t1","title":"x"}
  mark 3 look
  agent   update s1 tool_call_update {"toolCallId":"t1","status":"completed"}
  agent   ←3 result {"stopReason":"end_turn"}
  client  →4 session/prompt s2 "Hi"
  agent   ←4 result {"stopReason":"end_turn"}
  exit 0`;

const lines = (events: readonly TraceEvent[]) =>
  events.map((event) => (event.type === 'frame' ? lineText(event.line) : event.type));
const holds = (text: string) => (events: readonly TraceEvent[]) =>
  lines(events).some((line) => line.includes(text));

describe('the smallest trace that still fails', () => {
  test('keeps what the failing frame needs: handshake, session, prompt and tool call', async () => {
    const least = await minimiseTrace(draw(TRACE), holds('"completed"'));
    expect(least).toMatchObject({ isMinimal: true, units: { before: 12, after: 5 } });
    const kept = least?.events.map((event) =>
      event.type === 'frame' ? /"method":"([^"]+)"/.exec(lineText(event.line))?.[1] : event.type,
    );
    expect(kept).toEqual([
      ...['initialize', undefined, 'session/new', undefined, 'session/prompt'],
      ...['session/update', 'session/update', undefined],
    ]);
    expect(least?.events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('R-10 is whole lines if messages came in arrays', async () => {
    const events = inArrays(draw(TRACE), 3);
    expect(events.length).toBeLessThan(draw(TRACE).length);
    const least = await minimiseTrace(events, holds('"completed"'));
    const all = lines(events);
    const kept = lines(least?.events ?? []);
    expect(least?.isMinimal).toBe(true);
    expect(all.filter((line) => kept.includes(line))).toEqual(kept);
    for (const part of ['initialize', '"sessionId":"s1"', 'session/prompt', '"completed"'])
      expect(kept.join('')).toContain(part);
    expect(kept.length).toBeLessThan(all.length);
  });

  test('of an assertion about a session keeps the session', async () => {
    const read = parseAssertion('none(session:S1 update:tool_call)');
    if (!read.ok) throw new Error(read.problem.message);
    const least = await minimiseTrace(
      draw(TRACE),
      failsAssertion(read.assertion, undefined, nodeFinder),
    );
    expect(lines(least?.events ?? []).join('')).toContain('"tool_call"');
  });

  test('of a broken rule still breaks it', async () => {
    const broken = draw(`${TRACE.replace('exit 0', '')}
      client  →9 session/prompt s1 "Again"
      agent   update s1 tool_call_update {"toolCallId":"nobody","status":"completed"}
      agent   ←9 result {"stopReason":"end_turn"}`);
    const rules = checkTrace(broken).findings.filter(({ verdict }) => verdict === 'fail');
    const rule = rules.find(({ seqs }) => seqs.length === 1)?.rule ?? '';
    const least = await minimiseTrace(broken, (events) =>
      checkTrace(events).findings.some((one) => one.rule === rule && one.verdict === 'fail'),
    );
    expect(rule).not.toBe('');
    expect(least?.events.length).toBeLessThan(broken.length / 2);
  });

  test('is not looked for where nothing fails', async () => {
    expect(await minimiseTrace(draw(TRACE), holds('not there'))).toBeUndefined();
  });

  test('is what is left where it was stopped, and then nobody says that it is the smallest', async () => {
    const stop = new AbortController();
    let tries = 0;
    const fails = (events: readonly TraceEvent[]) => {
      if (++tries === 4) stop.abort();
      return holds('"completed"')(events);
    };
    const least = await minimiseTrace(draw(TRACE), fails, { stop: stop.signal });
    expect(least).toMatchObject({ isMinimal: false, tried: 4 });
    expect(holds('"completed"')(least?.events ?? [])).toBe(true);
    expect(await minimiseTrace(draw(TRACE), holds('"completed"'), { most: 2 })).toMatchObject({
      isMinimal: false,
      tried: 2,
    });
  });

  test('fails, and with any one part less it does not', async () => {
    const events = draw(TRACE);
    const { all } = unitsOf(indexed(events).index);
    const wanted = fc.subarray(
      all.map((_, unit) => unit),
      { minLength: 1, maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(wanted, fc.boolean(), async (needed, any) => {
        // Fails where the first events of these parts are there: all of them, or any.
        const texts = needed.flatMap((unit) => {
          const event = events[all[unit]?.places[0] ?? -1];
          return event === undefined ? [] : [`${event.at}`];
        });
        const fails = (some: readonly TraceEvent[]) => {
          const there = new Set(some.map(({ at }) => `${at}`));
          return any ? texts.some((at) => there.has(at)) : texts.every((at) => there.has(at));
        };
        const least = await minimiseTrace(events, fails);
        if (!least) throw new Error('it fails whole');
        expect(least.isMinimal).toBe(true);
        expect(fails(least.events)).toBe(true);
        const trace = indexed(least.events);
        const { all: units } = unitsOf(trace.index);
        const numbers = units.map((_, unit) => unit);
        for (const left of numbers) {
          const rest = closed(
            units,
            numbers.filter((unit) => unit !== left),
          );
          expect(fails(traceOf(trace, units, rest))).toBe(false);
        }
      }),
      { numRuns: 60 },
    );
  });
});
