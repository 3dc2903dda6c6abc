import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nodeFinder } from '../../cli/parts/node-finder.ts';
import { OpenTrace } from '../../engine/traces/open-trace.ts';
import { encodeUtf8 } from '../../lib/utf8.ts';
import { draw } from '../../test/traces/draw.ts';
import { indexed } from '../../test/traces/indexed.ts';
import { plainPlaces } from '../../test/pages/query-reference.ts';
import { connectionId } from '../../trace/event.ts';
import { eventLine } from '../../trace/format.ts';
import { eventsAt, indexedTrace } from '../indexed-trace.ts';
import { TimelineView } from '../timeline/timeline-view.ts';
import { findIn, type Finder } from './find.ts';
import { searchedBy } from './match.ts';
import { parseQuery } from './parse.ts';
import { Search } from './search.ts';
import { valuesAt, vocabularyOf } from './vocabulary.ts';

const line = fc.oneof(
  fc.constantFrom(
    'client session/cancel q1',
    'agent update q1 agent_message_chunk "Hello aaa"',
    'agent update q2 tool_call {"toolCallId":"t1","title":"aab","status":"pending"}',
    'agent update q2 tool_call_update {"toolCallId":"t1","status":"completed","used":[1,20]}',
    'agent update q1 tool_call_update {"toolCallId":"t2","status":"failed"}',
    '+700ms',
    'exit 0',
    'agent raw aaaa!',
    'agent raw {"jsonrpc":"2.0","method":"_x/aa"}',
    'agent bytes ff 61 61',
    'stderr words of aab',
    'mark 1 aaa',
    'gap 2 aa went missing',
  ),
  fc
    .nat(5)
    .map((id) => `client →${id} session/prompt q${(id % 2) + 1} "aa"\nagent ←${id} result {}`),
  fc.nat(5).map((id) => `agent ←${id} error -32603 aab`),
);
const term = fc.constantFrom(
  ...[
    '/a+b/',
    '/a{3}/',
    'text:/^aa/,words',
    'text:aaa',
    'aab',
    '"\\"',
    'side:agent',
    'type:req,ntf',
  ],
  ...['type:std', 'method:session/*', 'method:/prompt|^_x/', 'method:/cancel/', 'update:/tool/'],
  ...[
    'update:tool_*',
    'session:/2$/',
    'session:q1',
    'session:/^q/',
    'session:none',
    '/missing|#1/',
  ],
  ...['id:2', 'id:→3', 'id:←*', 'status:completed', 'status:/e/', 'tool:t1', 'tool:t*', 'turn:1'],
  ...['turn>1', 'latency>=1', 'latency:*', 'latency<700', 'gap>500', 'size>60', 'size:..70'],
  ...['seq:2..5', '#3', 'near:#4±1', 'time:0.002..0.9', 'time>0.7', 'is:open', 'is:live,open'],
  ...['origin:peer', 'connection:1', 'connection>1', '$.params.update.title~"AAB"', '$.id>=2'],
  ...['$.params.update.used[*]>5', '$.params.update.used[0]=1', '$.error exists', '$.method~/^s/'],
  ...['$.params.sessionId!=q1', '$.params~aab', '$.params.update.*="t1"', '$.id=1'],
);
/** With brackets, `|` and `-`, some of them in each other. */
const { part } = fc.letrec<{ part: string; group: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3 },
    term,
    term.map((text) => `-${text}`),
    fc.tuple(tie('part'), tie('part')).map(([a, b]) => `${a} | ${b}`),
    tie('group'),
    tie('group').map((text) => `-${text}`),
  ),
  group: fc
    .array(tie('part'), { minLength: 1, maxLength: 3 })
    .map((parts) => `(${parts.join(' ')})`),
}));
const query = fc.array(part, { maxLength: 4 }).map((parts) => parts.join(' '));

/** As the page's worker looks: at the lines of the trace file. */
const byLines: Finder = {
  find: (ask) => Promise.resolve(findIn(ask, () => undefined)),
};

describe('a query finds what a plain reader finds that reads every frame', () => {
  const check = async (picture: string, text: string, cuts: readonly number[]) => {
    const events = draw(picture);
    const parsed = parseQuery(text);
    if (!parsed.ok) throw new Error(parsed.problem.message);
    const wanted = plainPlaces(parsed.query, events);
    const { index } = indexedTrace([], 'c1');
    const inNode = new Search(
      parsed.query,
      index,
      searchedBy(eventsAt(events), () => index.length, 1),
      nodeFinder,
    );
    const open = new OpenTrace(connectionId('c1'), () => 'S1', 'gone');
    const inPage = new Search(parsed.query, open.index, open.lines, byLines);
    for (const [i, event] of events.entries()) {
      index.append(event);
      open.take(encodeUtf8(`${eventLine(event)}\n`), 0, () => false);
      if (!cuts.includes(i) && i < events.length - 1) continue;
      expect(await inNode.ask()).toBeUndefined();
      expect(await inPage.ask()).toBeUndefined();
    }
    expect([inNode.end, inPage.end]).toEqual([events.length, events.length]);
    expect(inNode.places()).toEqual(wanted);
    expect(inPage.places()).toEqual(wanted);
  };

  test('whatever the trace, the query, and how the trace grew', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1, maxLength: 30 }),
        query,
        fc.array(fc.nat(40), { maxLength: 5 }),
        (lines, text, cuts) => check(lines.join('\n'), text, cuts),
      ),
      { numRuns: 200 },
    );
  });
});

/** Neighbours of it often differ in one thing alone. */
const change = fc
  .tuple(fc.nat(1), fc.nat(1), fc.constantFrom('completed', 'failed'))
  .map(
    ([session, tool, status]) =>
      `agent update q${session} tool_call_update {"toolCallId":"t${tool}","status":"${status}"}`,
  );

test('completion counts of each value the events that are found by it', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(line, change), { minLength: 1, maxLength: 30 }), (lines) => {
      const index = indexedTrace(draw(lines.join('\n')), 'c1').index;
      const counted = new Map<string, number>();
      for (let at = 0; at < index.length; at++)
        for (const [field, value] of valuesAt(index, at))
          counted.set(`${field}:${value}`, (counted.get(`${field}:${value}`) ?? 0) + 1);
      const offered = Object.entries(vocabularyOf(index)).flatMap(([field, values]) =>
        values.map(([value, count]) => [`${field}:${value}`, count] as const),
      );
      const both = offered.filter(([term]) => counted.has(term));
      expect(both).toEqual(both.map(([term]) => [term, counted.get(term)]));
      const terms = new Set<string>(offered.map(([term]) => term));
      // What is near a frame is asked for, and not offered.
      const missing = [...counted.keys()].filter((term) => !terms.has(term));
      expect(missing.filter((term) => !term.startsWith('near:'))).toEqual([]);
    }),
  );
});

const ENDLESS = 'a'.repeat(40);
const TRACE = `
  client →0 initialize {"protocolVersion":1}
  agent  ←0 result {"protocolVersion":1}
  agent  raw ${ENDLESS}!
  client →1 session/prompt s1 "Hi"`;

describe('attack row 7 (S-08): a catastrophic pattern', () => {
  test('is a problem at its place that says where it stopped; the last good result stays, and a next query works', async () => {
    const { view } = indexed(TRACE);
    await view.setQuery('type:req');
    expect(view.state()).toMatchObject({ counts: { shown: 2 } });
    await view.setQuery('-type:req text:x,/(a+)+$/');
    expect(view.state()).toMatchObject({
      counts: { shown: 2 },
      queryProblem: { from: 17, to: 25 },
    });
    expect(view.state().queryProblem?.message).toMatch(
      /^The pattern \/\(a\+\)\+\$\/ was stopped after [\d.]+ s: it takes too long on #3\. Make it simpler, /,
    );
    await view.setQuery('/a{40}!/');
    expect(view.state().queryProblem).toBeUndefined();
    expect(view.state()).toMatchObject({ rows: 1 });
  });

  test.each([
    ['method:/^(a+)+$/', `client →1 ${ENDLESS}!`],
    ['update:/^(a+)+$/', `agent update s1 ${ENDLESS}!`],
    ['session:/^(a+)+$/', `client →1 session/prompt ${ENDLESS}! "Hi"`],
    ['-kind:/^(a+)+$/', `agent update s1 tool_call {"toolCallId":"t","kind":"${ENDLESS}!"}`],
  ])('of names is stopped as well: %s', async (query, line) => {
    const { view } = indexed(`client →0 initialize {}\n${line}`);
    await view.setQuery(query);
    expect(view.state().queryProblem?.message).toMatch(/it takes too long on “a{40}!”/);
    expect(view.state().counts.shown).toBe(2);
  });

  test('met by a frame that came later is told, and what it had found stays', async () => {
    const events = draw(TRACE);
    const { index } = indexedTrace([], 'c1');
    for (const event of events.slice(0, 2)) index.append(event);
    let told: () => void = () => undefined;
    const view = new TimelineView(index, eventsAt(events), {
      finder: nodeFinder,
      changed: () => told(),
    });
    await view.setQuery('/(protocol|a+)+$|Version/');
    expect(view.state()).toMatchObject({ counts: { shown: 2 } });
    const stopped = new Promise<void>((resolve) => (told = resolve));
    for (const event of events.slice(2)) index.append(event);
    view.grow();
    expect(view.state()).toMatchObject({ counts: { shown: 2 } });
    await stopped;
    expect(view.state()).toMatchObject({ rows: 2, counts: { all: 2 } });
    expect(view.state().queryProblem?.message).toMatch(/on #3\..* What comes from there on is/);
    await view.setQuery('');
    expect(view.state()).toMatchObject({ counts: { shown: 4 } });
  });
});

test('frames that come while a pattern holds are shown once it was asked of them', async () => {
  const events = draw(TRACE);
  const { index } = indexedTrace([], 'c1');
  for (const event of events.slice(0, 2)) index.append(event);
  let told: () => void = () => undefined;
  const view = new TimelineView(index, eventsAt(events), {
    finder: nodeFinder,
    changed: () => told(),
  });
  await view.setQuery('/prompt|aaa/');
  const grown = new Promise<void>((resolve) => (told = resolve));
  for (const event of events.slice(2)) index.append(event);
  view.grow();
  const before = view.version;
  expect(view.state()).toMatchObject({ rows: 0 });
  await grown;
  expect(view.state()).toMatchObject({ counts: { all: 4, shown: 2 } });
  expect(view.version).toBeGreaterThan(before);
});

test('of two queries the later one holds, whichever patterns are answered first', async () => {
  const waiting: (() => void)[] = [];
  const finder: Finder = {
    find: (ask, signal) =>
      new Promise((resolve) => {
        signal?.addEventListener('abort', () => resolve({ kind: 'aborted' }));
        waiting.push(() => resolve(findIn(ask, () => undefined)));
      }),
  };
  const { index, eventAt } = indexed(TRACE);
  const view = new TimelineView(index, eventAt, { finder });
  const first = view.setQuery('/initialize/');
  expect(view.state()).toMatchObject({ counts: { shown: 4 }, query: '/initialize/', searching: 0 });
  const second = view.setQuery('/prompt/');
  await first;
  for (const answer of waiting.reverse()) answer();
  await second;
  expect(view.state()).toMatchObject({ counts: { shown: 1 }, query: '/prompt/' });
  expect(view.state().searching).toBeUndefined();
});
