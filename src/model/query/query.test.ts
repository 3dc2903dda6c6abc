import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexed } from '../../test/indexed.ts';
import { parseQuery } from './query.ts';
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
  return TRACE.rows().map(({ seq }) => seq);
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
  ['latency>500', 'There is no field latency. Fields are text, side,', 0, 7],
  ['side:agent typ=req', 'There is no field typ. Did you mean type?', 11, 14],
  ['-params.update~bash', 'There is no field params.update.', 1, 14],
  ['params.update:bash', 'There is no field params.update.', 0, 14],
  ['time>=2', 'There is no operator >=: a field and its value are joined by a colon', 4, 6],
  ['type!=req', 'There is no operator !=:', 4, 6],
  ['$.params.update="x"', 'A query has no paths into the message.', 0, 19],
  ['-$[0]', 'A query has no paths into the message.', 1, 5],
  ['type:req or type:res', 'Terms are joined by space, and all must match.', 9, 11],
  ['a AND b', 'For one of several, write type:req,res', 2, 5],
  ['a || b', 'Text such as || goes in quotes.', 2, 4],
  ['(type:req type:res)', 'Terms are joined by space', 0, 9],
  ['a type:nope', 'type: takes req, res, err, ntf, bad, std, evt; nope is none of them.', 7, 11],
  ['side:agent,me', 'side: takes client, agent; me is none of them.', 11, 13],
  ['is:odd', 'is: takes replay, late, live, marked; odd is none of them.', 3, 6],
  ['method:', 'method: needs a value, such as method:session/prompt.', 6, 7],
  ['method:a, b', 'method: needs a value, such as method:session/prompt.', 8, 9],
  ['"open', 'The quoted text has no end: add a ".', 0, 5],
  ['""', 'The quotes are empty.', 0, 2],
  ['/(/', 'The pattern is broken: ', 0, 3],
  ['text:/abc', 'A pattern ends in /, such as text:/time(d out|out)/.', 5, 9],
  ['a | b', 'Terms are joined by space, and all must match.', 2, 3],
])('%s is broken, and says where', (query, message, from, to) => {
  const parsed = parseQuery(query);
  expect(parsed).toMatchObject({ ok: false, problem: { from, to } });
  expect(!parsed.ok && parsed.problem.message).toContain(message);
});

test('a term keeps its source and its place', () => {
  const parsed = parseQuery('  -update:a,"b c"  x');
  expect(parsed).toMatchObject({
    ok: true,
    terms: [
      { field: 'update', negated: true, source: '-update:a,"b c"', from: 2, to: 17 },
      { field: 'text', negated: false, source: 'x', from: 19, to: 20 },
    ],
  });
});

test('anything typed parses or has a problem inside the text', () => {
  const piece = fc.constantFrom(
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
  );
  fc.assert(
    fc.property(
      fc.array(piece).map((pieces) => pieces.join('')),
      (query) => {
        const parsed = parseQuery(query);
        if (parsed.ok) {
          for (const { source, from, to } of parsed.terms)
            expect(query.slice(from, to)).toBe(source);
          return;
        }
        const { from, to } = parsed.problem;
        expect(from).toBeGreaterThanOrEqual(0);
        expect(to).toBeGreaterThan(from);
        expect(to).toBeLessThanOrEqual(query.length);
      },
    ),
  );
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
      ['S1', 5],
      ['none', 5],
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
    time: [['0.001..0.011', 11]],
  });
});

test.each([
  ['kind:reed', 'No frame has kind:reed; read has 2.'],
  ['update:call', 'No frame has update:call; tool_call has 2.'],
  ['session:S9', 'No frame has session:S9; S1 has 5.'],
  ['method:zzzz', 'No frame has method:zzzz.'],
])('%s finds nothing, and hints at what does', (query, message) => {
  TRACE.view.setQuery(query);
  expect(TRACE.view.state().queryProblem?.message).toBe(message);
});

test('a term of a closed set that finds nothing is no fault', () => {
  TRACE.view.setQuery('is:late');
  expect(TRACE.view.state()).toMatchObject({ rows: 0, hiddenBy: [{ term: 'is:late', count: 10 }] });
  expect(TRACE.view.state().queryProblem).toBeUndefined();
});
