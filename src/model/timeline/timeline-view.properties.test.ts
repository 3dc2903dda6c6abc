import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draw } from '../../test/traces/draw.ts';
import { indexed } from '../../test/traces/indexed.ts';
import { eventsAt, indexedTrace } from '../indexed-trace.ts';
import { TimelineView } from './timeline-view.ts';

function longLoad(count: number, inside = ''): string {
  const updates = Array.from(
    { length: count },
    (_, i) =>
      `agent update s1 agent_message_chunk m${i} "text ${i}"${i === 40 ? `\n${inside}` : ''}`,
  );
  return `client →1 session/load s1\n${updates.join('\n')}\nagent ←1 result {}`;
}

/** Lines that meet each other in every way the rows know of. */
const line = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('s1', 's2').map((s) => `agent update ${s} agent_message_chunk "x"`),
  },
  {
    weight: 3,
    arbitrary: fc.nat(5).map((n) => `agent update s1 agent_message_chunk m${n} "text"`),
  },
  fc.nat(3).map((n) => `client →${n} session/load s${n % 2}`),
  fc
    .nat(5)
    .map(
      (n) =>
        `client →${n} session/resume {"sessionId":"s1","replayFrom":{"type":"m","id":"m${n}"}}`,
    ),
  fc.nat(3).map((n) => `agent ←${n} result {}`),
  fc.nat(3).map((n) => `agent ←${n} error -32602 No`),
  fc.constantFrom(
    'client →9 session/prompt s1 "go"',
    'agent →0 session/request_permission s1',
    'agent raw noise',
    'stderr words',
    'exit 1',
  ),
  fc.integer({ min: 1, max: 60 }).map((n) => `mark ${n} here`),
);
const picture = fc
  .tuple(fc.array(line, { maxLength: 80 }), fc.nat(80), fc.array(line, { maxLength: 30 }))
  .map(([before, replayed, after]) =>
    [
      'client →0 initialize {"protocolVersion":2}',
      'agent ←0 result {"protocolVersion":2}',
      ...before,
      longLoad(replayed),
      ...after,
    ].join('\n'),
  );
/** A run that begins in a window which the end of the agent closes, and goes on behind it. */
const RUN_OVER_AN_END = `client →0 session/resume {"sessionId":"s1","replayFrom":{"type":"m","id":"m0"}}
agent update s1 agent_message_chunk "x"
exit 1
agent update s1 agent_message_chunk "x"
agent update s1 agent_message_chunk "x"
client →1 session/load s1`;
const query = fc.constantFrom(
  ...['', 'is:replay', '-update:agent_message_chunk', 'session:S1', 'text', 'is:open', '-is:open'],
  ...['latency>=3', 'is:marked | is:open', 'turn:1', 'session:S1+', '$.params.sessionId=s1'],
);

/** Lines are searched apart: until all that came was. */
async function settled(view: TimelineView): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    view.grow();
    await Promise.resolve();
  }
}

test('growing in batches of any size gives the rows of one pass', async () => {
  await fc.assert(
    fc.asyncProperty(
      picture,
      query,
      fc.array(fc.integer({ min: 1, max: 9 })),
      async (drawn, text, sizes) => {
        const events = draw(drawn);
        const { index } = indexedTrace([], 'c1');
        const grown = new TimelineView(index, eventsAt(events));
        await grown.setQuery(text);
        let batch = 0;
        let left = sizes[0] ?? 4;
        for (const event of events) {
          index.append(event);
          if (--left > 0) continue;
          grown.grow();
          left = sizes[++batch % Math.max(1, sizes.length)] ?? 4;
        }
        await settled(grown);
        const once = indexed(events);
        await once.view.setQuery(text);
        expect(grown.rows(0, 1e6)).toEqual(once.rows());
        expect(grown.state()).toEqual(once.view.state());
      },
    ),
    { numRuns: 150 },
  );
});

test('any slice of rows agrees with all of them, and tall rows are the window heads', async () => {
  await fc.assert(
    fc.asyncProperty(picture, query, fc.nat(150), fc.nat(60), async (drawn, text, from, count) => {
      const { view, rows } = indexed(drawn);
      await view.setQuery(text);
      const all = rows();
      expect(view.rows(from, from + count)).toEqual(all.slice(from, from + count));
      const heads = all.flatMap((row, i) =>
        row.type === 'window' || row.type === 'turn' ? [i] : [],
      );
      expect(view.state().tall).toEqual(heads);
      expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
    }),
    { numRuns: 100 },
  );
});

test('every visible frame is found: in its own row, its run or its fold', () => {
  fc.assert(
    fc.property(picture, fc.array(fc.nat(200), { maxLength: 5 }), (drawn, toggles) => {
      const { view, rows, events } = indexed(drawn);
      for (const at of toggles) view.toggle(rows()[at % rows().length]?.key ?? '');
      for (const event of events) {
        const { row } = view.locate(event.seq);
        const shown = view.rows(row, row + 1)[0];
        expect(shown).toBeDefined();
        if (shown?.type === 'frame')
          expect(shown.run && !shown.run.open ? shown.run.last >= event.seq : true).toBe(true);
        expect(shown?.seq).toBeLessThanOrEqual(event.seq);
        expect(shown?.type).not.toBe('fold');
      }
    }),
    { numRuns: 60, examples: [[RUN_OVER_AN_END, [0]]] },
  );
});

test('opening and closing twice changes nothing', () => {
  fc.assert(
    fc.property(picture, fc.nat(200), (drawn, at) => {
      const { view, rows } = indexed(drawn);
      const before = rows();
      const row = before[at % before.length];
      if (row === undefined || row.type === 'fold') return;
      view.toggle(row.key);
      view.toggle(row.key);
      expect(rows()).toEqual(before);
    }),
    { numRuns: 60 },
  );
});
