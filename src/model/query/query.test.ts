import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexed, seqsOf } from '../../test/traces/indexed.ts';
import { parseQuery } from './parse.ts';
import { FIELD_FACTS, QUERY_FIELD_NAMES } from './fields.ts';
import { queryPieces } from './cut.ts';
import { termsIn } from './query.ts';
import { vocabularyOf } from './vocabulary.ts';

const TRACE = indexed(`
  start my-agent
  client →0 initialize {"protocolVersion":1}
  agent  ←0 result {"protocolVersion":1}
  client →1 session/prompt s1-long-id "Fix the \\"flaky\\" test, naïvely"
  agent  update s1-long-id agent_message_chunk "Reading"
  agent  update s1-long-id tool_call {"toolCallId":"t1","title":"config","kind":"read"}
  agent  update s1-long-id tool_call_update {"toolCallId":"t1","status":"completed"}
  agent  update s2 tool_call {"toolCallId":"t2","kind":"edit"}
  agent  raw npm warn deprecated
  stderr listening on 4711
  agent  ←1 error -32603 Internal error
  agent  raw {"jsonrpc":"2.0","method":"_x","params":{"text":"na\\u00efve"}}
`);

/** Seqs that a query shows. */
async function found(query: string): Promise<number[]> {
  await TRACE.view.setQuery(query);
  expect(TRACE.view.state().queryProblem).toBeUndefined();
  return TRACE.rows()
    .filter(({ type }) => type !== 'turn')
    .map(({ seq }) => seq);
}

test.each([
  ['side:client', [2, 4]],
  ['-side:agent', [1, 2, 4, 10]],
  ['type:req,err', [2, 4, 11]],
  ['type:bad', [9]],
  ['type:std', [10]],
  ['type:evt', [1]],
  ['method:session/prompt', [4, 11]],
  ['method:session/*', [4, 5, 6, 7, 8, 11]],
  ['method:session/update', [5, 6, 7, 8]],
  ['method:/^_/', [12]],
  ['update:tool_call', [6, 8]],
  ['update:tool_*', [6, 7, 8]],
  ['kind:read', [6, 7]],
  ['kind:read,edit', [6, 7, 8]],
  ['session:S1', [4, 5, 6, 7, 11]],
  ['session:s1', [4, 5, 6, 7, 11]],
  ['session:s1-long', [4, 5, 6, 7, 11]],
  ['session:S1,S2 type:ntf', [5, 6, 7, 8]],
  ['connection:1 type:bad', [9]],
  ['-connection:c2 type:bad', [9]],
  // One of several, none of several, and what stands in brackets.
  ['type:req | type:err', [2, 4, 11]],
  ['side:client | side:agent type:req', [2, 4]],
  ['(side:client type:req) | type:std', [2, 4, 10]],
  ['-(side:agent | type:evt)', [2, 4, 10]],
  ['-(type:ntf session:S1)', [1, 2, 3, 4, 8, 9, 10, 11, 12]],
  ['(((type:std)))', [10]],
  ['type:std|type:evt', [1, 10]],
  // Numbers: compared, as spans, with units.
  ['seq:3..5', [3, 4, 5]],
  ['seq>=11', [11, 12]],
  ['#4', [4]],
  ['c1#4', [4]],
  ['c2#4', []],
  ['#3..5', [3, 4, 5]],
  ['#3,5', [3, 5]],
  ['#4±1', [3, 4, 5]],
  ['c1#11..', [11, 12]],
  ['seq≥11', [11, 12]],
  ['near:#4±1', [3, 4, 5]],
  ['near:4+-1 side:client', [4]],
  ['latency>5 side:client', [4]],
  ['latency:1..5', [2, 3]],
  ['latency:*', [2, 3, 4, 11]],
  ['size>0.1kb type:req', [4]],
  ['size<30b', [9, 10]],
  ['gap>=1s', []],
  ['turn:1', [4, 5, 6, 7, 11]],
  ['turn:*', [4, 5, 6, 7, 11]],
  ['time<3ms', [1, 2, 3]],
  // Exactly, with or without the side that asked.
  ['id:1', [4, 11]],
  ['id:→0', [2, 3]],
  ['id:*', [2, 3, 4, 11]],
  ['status:completed', [7]],
  ['session:*', [4, 5, 6, 7, 8, 11]],
  ['session:S1*', [4, 5, 6, 7, 11]],
  ['session:s1-l*', [4, 5, 6, 7, 11]],
  // In quotes nothing is more than a letter.
  ['-method:"session/*" type:req', [2, 4]],
  ['-session:"S1" type:req', [2, 4]],
  ['session:"s1-long-id" type:req', [4]],
  ['tool:t1', [6, 7]],
  ['tool:t*', [6, 7, 8]],
  ['tool:/^t[2-9]$/', [8]],
  ['origin:peer type:req', [2, 4]],
  ['is:open', []],
  // Paths into the message.
  ['$.params.update.kind="edit"', [8]],
  ['$.params.update.toolCallId=t1', [6, 7]],
  ['$.params.update.title~"CONF"', [6]],
  ['$.params.update.title~/^con/', [6]],
  ['$.error exists', [11]],
  ['-$.method exists type:res,err', [3, 11]],
  ['$.error.code<-32000', [11]],
  ['$.params.prompt[0].text~fix', [4]],
  ['$.params.prompt[*].type=text', [4]],
  ['$.params.update["kind"]!=edit', [6]],
  ['-$["a b"] exists type:req', [2, 4]],
  ['$["a|b)c"]=1 | type:std', [10]],
  ['-($["a) b"] exists) type:err', [11]],
  ['$.params.protocolVersion=1', [2]],
  ['$.params.protocolVersion="1"', []],
  ['$.id=1 | $.params.text exists', [4, 11, 12]],
  ['is:live', [2, 3, 4, 5, 6, 7, 8, 9, 11, 12]],
  ['READING', [5]],
  ['-npm type:bad', []],
  ['"npm warn"', [9]],
  ['text:4711', [10]],
  ['text:4711,npm', [9, 10]],
  ['/dep.ecated$/', [9]],
  ['text:/list(en|ed)/', [10]],
  ['"flaky\\"', [4]],
  ['naïve', [4, 12]],
  ['my-agent', [1]],
  ['https://nowhere', []],
  // Quotes are always text, and a pattern a pattern.
  ['"latency>500"', []],
  ['"or"', [11]],
  ['text:"$.params"', []],
  ['/(on 4711|$.params)/', [10]],
])('%s finds %j', async (query, seqs) => {
  expect(await found(query)).toEqual(seqs);
});

test.each([
  ['fild:x', 'There is no field fild.', 0, 5],
  ['a medthod:x', 'There is no field medthod. Did you mean method? Fields are', 2, 10],
  ['latencyy>500', 'There is no field latencyy. Did you mean latency?', 0, 8],
  ['dir:agent', 'There is no field dir.', 0, 4],
  ['rule:x', 'There is no field rule.', 0, 5],
  ['side:agent typ=req', 'There is no field typ. Did you mean type?', 11, 14],
  ['-params.update~bash', 'There is no field params.update.', 1, 14],
  ['params.update:bash', 'There is no field params.update.', 0, 14],
  ['type>2', 'type is no number and has none', 4, 5],
  ['type!=req', 'There is no operator !=: a field and its value are joined by a colon', 4, 6],
  ['latency=5', 'There is no operator =:', 7, 8],
  ['latency>soon', 'latency is a number, also with ms, s, m, min, h, or a span', 7, 12],
  ['size>5ms', 'size is a number, also with b, kb, mb', 4, 8],
  ['seq:9..2', 'seq is a number, or a span, such as seq:12..40', 4, 8],
  ['near:here', 'near: takes a frame, such as near:#12±5; here is none.', 5, 9],
  ['$.params.update', 'What is asked of a path stands right behind it', 0, 15],
  ['$.params.=3', 'A path is written as $.params.update.title', 0, 11],
  ['-$[x]=1', 'A path is written as', 1, 7],
  ['$.a=', 'Write a value after =.', 3, 4],
  ['$.a>"x"', '> compares numbers.', 4, 7],
  ['$.a=/x/', 'A pattern stands behind ~, not behind =.', 4, 7],
  ['$.a["\\x"] exists', 'A path is written as', 0, 9],
  ['$.id=12345678901234567891', 'A number beyond 2^53 is not read exactly', 5, 25],
  ['$.a~/x', 'A pattern ends in /', 4, 6],
  ['$params.x=1', 'A path is written as', 0, 11],
  ['.params.x=1', 'A path is written as', 0, 11],
  ['latency > 500', 'Field, operator and value stand together', 8, 9],
  ['latency >100', 'Field, operator and value stand together', 8, 12],
  ['type :req', 'Field, operator and value stand together', 5, 9],
  ['!side:agent', 'Field, operator and value stand together', 0, 11],
  ['^side:agent', 'Field, operator and value stand together', 0, 11],
  ['- side:agent', 'A - stands right before what it denies', 0, 1],
  ['#12-20', 'seq is a number, or a span', 0, 6],
  ['/retry/i', 'No letter stands behind a pattern', 0, 8],
  ['text:/retry/i', 'No letter stands behind a pattern', 5, 13],
  ['method:/prompt', 'A pattern ends in /', 7, 14],
  [
    '/(a?)(a?)(a?)(a?)(a?)(a?)(a?)(a?)(a?)(a?)(a?)(a?)(a?)(a?)(a?)(a?)(a?)(a?)(a?)(a?)(a?)/',
    'The pattern has 21 repeats',
    0,
    86,
  ],
  ['type:req or type:res', 'Terms are joined by space, and all must match.', 9, 11],
  ['a AND b', 'For one of several, write a | b or type:req,res', 2, 5],
  ['a || b', 'A | stands between two terms', 2, 3],
  ['| a', 'A | stands between two terms', 0, 1],
  ['a |', 'A | stands between two terms', 2, 3],
  ['(type:req type:res', 'The ( has no end: add a ).', 0, 18],
  ['type:req)', 'No ( was opened for this ).', 8, 9],
  ['a ()', 'The brackets are empty.', 2, 4],
  ['(a)b', 'Write a space or | after the ).', 3, 4],
  ['type:(req|res)', 'One of several values is written with commas', 5, 14],
  ['a type:nope', 'type: takes req, res, err, ntf, bad, std, evt; nope is none of them.', 7, 11],
  ['side:agent,me', 'side: takes client, agent; me is none of them.', 11, 13],
  ['is:replya', 'replya is none of them. Did you mean replay?', 3, 9],
  ['method:', 'method: needs a value, such as method:session/prompt.', 6, 7],
  ['method:a, b', 'method: needs a value, such as method:session/prompt.', 8, 9],
  ['"open', 'The quoted text has no end: add a ".', 0, 5],
  ['""', 'The quotes are empty.', 0, 2],
  ['"a"b', 'Write a space after the quotes.', 3, 4],
  ['text:"a"b', 'Write a comma or a space after', 8, 9],
  ['/(/', 'The pattern is broken: ', 0, 3],
  ['text:/abc', 'A pattern ends in /, such as text:/time(d out|out)/.', 5, 9],
])('%s is broken, and says where', (query, message, from, to) => {
  const parsed = parseQuery(query);
  expect(parsed).toMatchObject({ ok: false, problem: { from, to } });
  expect(!parsed.ok && parsed.problem.message).toContain(message);
});

test('a part keeps its source and its place, and so does each term in it', () => {
  const parsed = parseQuery('  -update:a,"b c"  x | (side:agent  y)');
  expect(parsed).toMatchObject({
    ok: true,
    query: [
      { expr: { kind: 'not' }, source: '-update:a,"b c"', from: 2, to: 17 },
      { expr: { kind: 'any' }, source: 'x | (side:agent  y)', from: 19, to: 38 },
    ],
  });
  const terms = parsed.ok ? termsIn(parsed.query) : [];
  expect(terms.map(({ source, from }) => [source, from])).toEqual([
    ['update:a,"b c"', 3],
    ['x', 19],
    ['side:agent', 24],
    ['y', 36],
  ]);
});

test('anything typed parses or has a problem inside the text, and is cut where it is parsed', () => {
  const piece = fc.constantFrom(
    ...[
      '-',
      ':',
      ',',
      '"',
      '/',
      '\\',
      'is',
      'type',
      'req',
      ' ',
      'é',
      '(',
      '*',
      ')',
      '|',
      '$',
      '.a',
    ],
    ...['>', '=', '~', 'latency', '5', 's', '..', '#', '±', '[', ']', 'exists', 'session', '+'],
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join('')),
      (query) => {
        const parsed = parseQuery(query);
        const pieces = queryPieces(query);
        if (parsed.ok) {
          expect(parsed.query.map(({ from, to }) => ({ from, to }))).toEqual(pieces);
          for (const { source, from, to } of [...parsed.query, ...termsIn(parsed.query)])
            expect(query.slice(from, to)).toBe(source);
          // Each part means the same by itself.
          for (const { source } of parsed.query) expect(parseQuery(source).ok).toBe(true);
          return;
        }
        const { from, to } = parsed.problem;
        expect(from).toBeGreaterThanOrEqual(0);
        expect(to).toBeGreaterThan(from);
        expect(to).toBeLessThanOrEqual(query.length);
      },
    ),
    { numRuns: 2000 },
  );
});

test('every field has an example that can be read, and asks for that field', () => {
  for (const field of QUERY_FIELD_NAMES) {
    const parsed = parseQuery(FIELD_FACTS[field].example);
    expect(parsed.ok && termsIn(parsed.query)).toMatchObject([{ kind: 'field', field }]);
  }
});

test('completion offers a tool call beside a thousand messages of more frames each', () => {
  const said = Array.from(
    { length: 1100 },
    (_, n) =>
      `agent update s1 agent_message_chunk {"messageId":"m${n}","content":{"type":"text","text":"a"}}`,
  );
  const { index } = indexed(
    ['agent update s1 tool_call {"toolCallId":"t1","title":"x"}', ...said, ...said].join('\n'),
  );
  expect(vocabularyOf(index)['tool']).toEqual([['t1', 1]]);
});

test('of sessions that are named as often the second stands before the tenth', () => {
  const all = Array.from({ length: 10 }, (_, n) => `agent update s${n} agent_message_chunk "x"`);
  const { session = [] } = vocabularyOf(indexed(all.join('\n')).index);
  expect(session.map(([chip]) => chip)).toEqual(all.map((_, n) => `S${n + 1}`));
});

test('completion offers what the trace holds, most frequent first', () => {
  expect(vocabularyOf(TRACE.index)).toEqual({
    method: [
      ['session/update', 4],
      ['initialize', 2],
      ['session/prompt', 2],
      ['_x', 1],
    ],
    update: [
      ['tool_call', 2],
      ['agent_message_chunk', 1],
      ['tool_call_update', 1],
    ],
    kind: [
      ['read', 2],
      ['edit', 1],
    ],
    session: [
      ['none', 5],
      ['S1', 5],
      ['S2', 1],
    ],
    type: [
      ['ntf', 5],
      ['req', 2],
      ['bad', 1],
      ['err', 1],
      ['evt', 1],
      ['res', 1],
      ['std', 1],
    ],
    side: [
      ['agent', 8],
      ['client', 2],
    ],
    is: [['live', 10]],
    finding: [],
    sev: [],
    status: [['completed', 1]],
    tool: [
      ['t1', 2],
      ['t2', 1],
    ],
    turn: [['1', 5]],
    window: [],
    id: [
      ['→0', 2],
      ['→1', 2],
    ],
    origin: [['peer', 10]],
    time: [['0.001..0.011', 11]],
  });
});

test.each([
  ['kind:reed', { term: 'kind:read', count: 2 }],
  ['update:call', { term: 'update:tool_call', count: 2 }],
  ['session:S9', { term: 'session:S1', count: 5 }],
  ['id:"1"', undefined],
  ['status:complete', { term: 'status:completed', count: 1 }],
  ['method:zzzz', undefined],
])('%s finds nothing, and a similar term that finds frames is named', (query, near) => {
  TRACE.view.setQuery(query);
  const { nothing, queryProblem } = TRACE.view.state();
  expect(nothing).toEqual({ term: query, ...(near && { near }) });
  expect(queryProblem).toBeUndefined();
});

test('a term of a closed set that finds nothing is no fault', () => {
  TRACE.view.setQuery('is:late');
  expect(TRACE.view.state()).toMatchObject({
    rows: 0,
    parts: [{ source: 'is:late', matches: 0, hides: 10 }],
  });
  expect(TRACE.view.state().nothing).toBeUndefined();
});

test('what restores replay is found by their windows, and what comes late by the turn it is in', () => {
  const trace = indexed(`
    client →0 initialize {"protocolVersion":1}
    agent  ←0 result {"protocolVersion":1}
    client →1 session/prompt s1 "a"
    agent  ←1 result {}
    client →2 session/load s1
    agent  update s1 agent_message_chunk "old"
    agent  ←2 result {}
    agent  update s1 agent_message_chunk "old too"
    client →3 session/prompt s1 "b"
    client →4 session/load s1
    exit 1
  `);
  expect(seqsOf(trace, 'window:#5')).toEqual([5, 6, 7, 8]);
  expect(seqsOf(trace, 'window:5 is:replay')).toEqual([6]);
  expect(seqsOf(trace, 'window:*')).toEqual([5, 6, 7, 8, 10]);
  expect(seqsOf(trace, 'turn:1')).toEqual([3, 4]);
  expect(seqsOf(trace, 'turn:2..')).toEqual([9]);
  // Nobody answers any more.
  expect(seqsOf(trace, 'is:open')).toEqual([]);
});
