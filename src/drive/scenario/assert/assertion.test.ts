import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draw } from '../../../test/traces/draw.ts';
import { nodeFinder } from '../../../cli/parts/node-finder.ts';
import { parseAssertion } from './assertion.ts';
import { judgeAssertion } from './judge.ts';
import { recordOf } from './record.ts';

const LIVE = `
  client  →0 initialize {"protocolVersion":1}
  agent   ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}
  client  →1 session/new {"cwd":"/w","mcpServers":[]}
  agent   ←1 result {"sessionId":"s1"}
  client  →2 session/prompt s1 "Hi"
  agent   update s1 agent_message_chunk "Hel" "lo"
  agent   ←2 result {"stopReason":"end_turn"}`;
const RESTORED = `
  client  →0 initialize {"protocolVersion":1}
  agent   ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}
  client  →1 session/load s1 {"cwd":"/w","mcpServers":[]}
  agent   update s1 user_message_chunk "Hi"
  agent   update s1 agent_message_chunk "Hello"
  agent   ←1 result {}`;

const RUN = recordOf([
  { events: draw(LIVE), began: 1000 },
  { events: draw(RESTORED), began: 5000 },
]);

const judged = (source: string) => {
  const read = parseAssertion(source);
  if (!read.ok) throw new Error(read.problem.message);
  return judgeAssertion(read.assertion, RUN, nodeFinder);
};

describe('an assertion', () => {
  test.each([
    ['count(update:agent_message_chunk) = 3', 'pass'],
    ['3 = count(update:agent_message_chunk)', 'pass'],
    ['count(connection:2 update:agent_message_chunk) = 1', 'pass'],
    ['count(-connection:c2 update:agent_message_chunk) = 2', 'pass'],
    ['count(connection:1,2 method:initialize type:req) = 2', 'pass'],
    ['count(is:replay) >= count(is:late)', 'pass'],
    ['count(type:err) != 0', 'fail'],
    ['exists(type:req method:session/load)', 'pass'],
    ['exists(type:req method:/load|resume/)', 'pass'],
    ['exists(")")', 'fail'],
    ['none(type:bad)', 'pass'],
    ['first(method:session/prompt) < first(method:session/load)', 'pass'],
    ['last(method:session/prompt) > first(method:session/load)', 'fail'],
    ['first(method:session/load).at >= 4s', 'pass'],
    ['first(method:session/load).at < 1500ms', 'fail'],
    ['first(type:bad) < first(type:req)', 'fail'],
    ['order(method:initialize type:req, method:session/prompt, method:session/load)', 'pass'],
    ['order(type:req,res method:initialize, connection:2 is:replay, type:res)', 'pass'],
    ['order(is:replay, method:session/prompt)', 'fail'],
    ['order(type:req, type:bad, type:res)', 'fail'],
    ['order("Hi", "Hi", "Hi")', 'fail'],
    ['max(latency, method:session/prompt) <= 3ms', 'pass'],
    ['max(latency, method:session/prompt) < 2', 'fail'],
    ['max(latency) < 1s', 'pass'],
    ['min(latency, method:session/prompt) >= max(latency, method:initialize)', 'pass'],
    ['max(gap, connection:1) = 1ms', 'pass'],
    ['max(size, type:req) < 1kb', 'pass'],
    ['min(size, type:req) > 0.1kb', 'fail'],
    ['max(latency, type:bad) < 1s', 'fail'],
    ['max(latency, type:ntf) < 1s', 'fail'],
    ['restore(last) = replayed-from-start', 'pass'],
    ['restore(c2#3) = replayed-from-start', 'pass'],
    ['restore(#3) = replayed-from-start', 'fail'],
    ['fidelity(S1) >= cosmetic', 'pass'],
    ['fidelity(all) = equal', 'fail'],
    ['finding(replay/missing-history) = 0', 'pass'],
    ['count(finding:any) < 100', 'pass'],
  ] as const)('%s: %s', async (source, verdict) => {
    expect((await judged(source)).verdict).toBe(verdict);
  });

  test.each([
    ['none(connection:3 type:err)', 'no connection 3 in this run'],
    ['count(-connection:c4 type:err) = 0', 'no connection 4 in this run'],
    ['none(session:S9)', 'no session S9 in this run'],
    ['first(type:req) < last(session:nope)', 'no session nope in this run'],
  ])('%s asks of nothing and fails', async (source, seen) => {
    expect(await judged(source)).toEqual({
      verdict: 'fail',
      seen,
      frames: [],
      asksOfNothing: true,
    });
  });

  test('of a session or connection that is there, by chip, id or its beginning, is judged', async () => {
    for (const query of ['session:s1', 'session:S1', 'session:s', 'session:none', 'connection:2'])
      expect((await judged(`none(${query} type:err)`)).verdict).toBe('pass');
  });

  test('that fails says what was seen, with frames', async () => {
    expect(await judged('count(update:agent_message_chunk) = 21')).toEqual({
      verdict: 'fail',
      seen: '3 frames match',
      frames: [
        { connection: 1, seq: 6 },
        { connection: 1, seq: 7 },
        { connection: 2, seq: 5 },
      ],
    });
    expect(await judged('restore(last) = rejected')).toMatchObject({
      seen: 'replayed-from-start',
      frames: [{ connection: 2, seq: 3 }],
    });
  });

  test.each([
    [
      'order(is:replay, method:session/prompt)',
      'nothing matches method:session/prompt after c2#4',
      1,
    ],
    ['order(type:bad, type:req)', 'nothing matches type:bad', 0],
    ['max(latency, method:session/prompt) < 1ms', 'the greatest latency is 3.0 ms, of c1#5', 1],
    ['min(size, method:session/prompt type:req) > 1mb', /^the least size is \d+ B, of c1#5$/, 1],
    ['max(latency, update:agent_message_chunk) < 1s', 'no frame that matches has a latency', 3],
    ['max(latency, type:bad) < 1s', 'nothing matches type:bad', 0],
  ])('%s says what was seen', async (source, seen, frames) => {
    const judgement = await judged(source);
    expect(judgement.seen).toMatch(seen);
    expect(judgement.frames).toHaveLength(frames);
  });

  test('a request that nobody answered took for ever', async () => {
    const open = recordOf([{ events: draw(`${LIVE}\n  client  →3 session/prompt s1 "And?"`) }]);
    const read = parseAssertion('max(latency, method:session/prompt) < 600s');
    expect(read.ok && (await judgeAssertion(read.assertion, open, nodeFinder))).toMatchObject({
      ...{ verdict: 'fail', seen: '#9 has no answer' },
      frames: [{ connection: 1, seq: 9 }],
    });
  });

  test('names a frame as whoever asks names its connection', async () => {
    const read = parseAssertion('first(type:err) > first(update:agent_message_chunk is:replay)');
    const named = recordOf([
      { events: draw(LIVE), name: 'c7' },
      { events: draw(RESTORED), name: 'c9' },
    ]);
    expect(read.ok && (await judgeAssertion(read.assertion, named, nodeFinder)).seen).toContain(
      'the first is c9#5',
    );
  });

  test('about which the record cannot decide is undecidable', async () => {
    const read = parseAssertion('fidelity(last) = equal');
    const alone = recordOf([{ events: draw(RESTORED) }]);
    expect(read.ok && (await judgeAssertion(read.assertion, alone, nodeFinder)).verdict).toBe(
      'undecidable',
    );
  });
});

describe('what is wrong with an assertion has its exact place', () => {
  test.each([
    ['count(type:errr) = 0', 'errr', /none of them/],
    ['none(connection:two)', 'two', /connection is a number, or a span/],
    ['count(type:err) 0', '0', /Write a comparison here/],
    ['count(type:err) = many', 'many', /compares with a number/],
    ['fidelity(S1) = equl', 'equl', /Did you mean equal\?/],
    ['restore(last) < rejected', 'rejected', /compares by = and !=/],
    [
      'restore(last) = replayed-from-strt',
      'replayed-from-strt',
      /Did you mean replayed-from-start\?/,
    ],
    ['first(type:err).seq = 1', '.seq', /it has \.at/],
    ['exists(type:err) = 1', '= 1', /has ended here/],
    ['count(type:err', 'count(type:err', /add a \)/],
    ['count()= 1', ')', /takes a query/],
    ['order(type:req)', 'type:req)', /takes two queries or more/],
    ['order(type:req, type:reqq)', 'reqq', /Did you mean req\?/],
    ['order(type:req, ) ', ' ', /takes a query/],
    ['order(type:req, type:res) = 1', '= 1', /has ended here/],
    ['1 = order(type:req, type:res)', 'order(type:req, type:res)', /stands alone/],
    ['max(latncy, type:req) < 1s', 'latncy', /Did you mean latency\?/],
    ['max(latency, type:reqq) < 1s', 'reqq', /Did you mean req\?/],
    ['max(latency, type:req, type:res) < 1s', ' type:res', /takes one query/],
    ['max(latency, type:req) < 1kb', '1kb', /compares with a time/],
    ['max(size, type:req) < 1s', '1s', /compares with a size/],
    ['max(size, type:req) < max(gap, type:req)', 'max(gap, type:req)', /compares with a size/],
    ['count(type:req) = 1kb', '1kb', /compares with a number/],
    ['1 = 2', '1', /ask something of the record/],
    ['finding(errors) = 0', 'errors', /There is no rule errors\. Did you mean error\?/],
    [
      'finding( replay/after-respons ) = 0',
      'replay/after-respons',
      /mean replay\/after-response\?/,
    ],
    ['finding(reply/*) = 0', 'reply/*', /No rule begins with reply\//],
    ['none(type:ntf finding:errors)', 'errors', /Did you mean error\?/],
    ['none(finding:replay/x*)', 'replay/x*', /No rule begins with replay\/x/],
    ['none(kind:request)', 'request', /There is no tool kind request\. .*Kinds are read/],
    ['none(type:"request")', '"request"', /type: takes req, res/],
    ['none(sev:/warn/)', '/warn/', /sev: takes error, warning, hint/],
  ])('%s', (source, at, message) => {
    const read = parseAssertion(source);
    if (read.ok) throw new Error('it was read');
    const { from, to } = read.problem;
    expect(read.problem.message).toMatch(message);
    expect(source.slice(from, to)).toBe(at);
  });

  test.each([
    'finding(replay/*) = 0',
    'none(finding:any,replay/*)',
    'none(finding:/respons/)',
    'none(kind:edit,_mine)',
    'none(method:_mine/x)',
    'none(method:"session/promt")',
  ])('%s is read', (source) => {
    expect(parseAssertion(source).ok).toBe(true);
  });

  test('whatever is written, it is read or its problem lies inside it', async () => {
    const words = fc.array(
      fc.constantFrom(
        'count(',
        'type:req',
        ')',
        '=',
        '<',
        '21',
        '"',
        '/',
        'first(',
        'order(',
        'max(latency',
        ', ',
        '.at',
        ' ',
        'equal',
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          words.map((all) => all.join('')),
        ),
        async (source) => {
          const read = parseAssertion(source);
          if (read.ok) return void (await judgeAssertion(read.assertion, RUN, nodeFinder));
          const { from, to } = read.problem;
          expect(from).toBeGreaterThanOrEqual(0);
          expect(from).toBeLessThanOrEqual(to);
          expect(to).toBeLessThanOrEqual(source.length);
        },
      ),
    );
  });
});
