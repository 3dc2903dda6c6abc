import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readScenario } from './read.ts';
import { problemWords } from './text-problem.ts';
import { scenarioSchema, STEP_KINDS } from './table.ts';

const problems = (text: string) => {
  const read = readScenario(text);
  return read.ok ? [] : read.problems.map(problemWords);
};
const scenario = (value: unknown) => {
  const read = readScenario(JSON.stringify(value));
  if (!read.ok) throw new Error(read.problems.map(problemWords).join('\n'));
  return read.scenario;
};

describe('a scenario', () => {
  test('is one JSON document: steps, and what must hold', () => {
    const { steps, asserts, name, protocol, handshake } = scenario({
      name: 'n',
      protocol: 2,
      steps: [
        { request: 'session/new', capture: { $a: '/result/sessionId' }, fault: { duplicate: 1 } },
        { answer: 'session/request_permission', select: 'reject_once', times: 'all', late: 5 },
        { restart: true, protocol: 1 },
      ],
      assert: ['none(type:bad)', { that: 'count(type:err) = 0', name: 'no errors' }],
    });
    expect({ name, protocol, handshake }).toEqual({ name: 'n', protocol: 2, handshake: true });
    expect(steps).toMatchObject([
      { kind: 'request', wait: true, fault: { kind: 'duplicate', more: 1 }, params: {} },
      { kind: 'answer', rule: { times: Infinity, late: 5, says: { option: 'reject_once' } } },
      { kind: 'restart', protocol: 1 },
    ]);
    expect(asserts.map(({ name }) => name)).toEqual([undefined, 'no errors']);
  });

  test('a request whose line is lost is not waited for, unless it says so', () => {
    const step = (more: object) => scenario({ steps: [{ request: 'a', ...more }] }).steps[0];
    expect(step({ fault: { drop: true } })).toMatchObject({ wait: false });
    expect(step({ fault: { drop: true }, wait: true })).toMatchObject({ wait: true });
    expect(step({ fault: { delay: 5 } })).toMatchObject({ wait: true });
  });

  test('scripts of before, one step a line, are read on; their requests have no time limit', () => {
    const read = readScenario('# first\n{"request":"session/list"}\n\n{"wait":5}\n{"line":"x"}');
    expect(read).toMatchObject({
      ok: true,
      scenario: {
        steps: [
          { kind: 'request', method: 'session/list', params: {}, within: Infinity },
          { kind: 'wait', ms: 5 },
          { kind: 'line', text: 'x' },
        ],
      },
    });
    expect(readScenario('{"wait":1}')).toMatchObject({ ok: true, scenario: { steps: [{}] } });
  });
});

describe('what is wrong with a file is a sentence with its place', () => {
  test.each([
    [
      '{"steps": [\n  {"wait": 1},\n  {"exspect": "type:err"}\n]}',
      'Line 3, /steps/1/exspect: There is no step exspect. Did you mean expect? A step is one of',
    ],
    [
      '{"steps": [\n  {"expect": "type:errr"}\n]}',
      'Line 2, /steps/0/expect: The query cannot be read: type: takes req, res, err, ntf, bad, std, evt; errr is none of them.',
    ],
    [
      '{"steps": [{"expect": "type:std"}]}',
      'Line 1, /steps/0/expect: type:std is no frame, and only frames are expected.',
    ],
    [
      '{"steps": [{"expect": "finding:any"}]}',
      'Line 1, /steps/0/expect: finding:any is known only when all is over.',
    ],
    [
      '{"steps": [\n {"request": "a",\n  "withn": 5}]}',
      'Line 3, /steps/0/withn: request has no field withn. Did you mean within?',
    ],
    [
      '{"steps": [{"quiet": "long"}]}',
      'Line 1, /steps/0/quiet: quiet takes milliseconds, 0 or more; this is "long".',
    ],
    [
      '{"steps": [{"kill": "SIGKIL"}]}',
      'Line 1, /steps/0/kill: kill is one of SIGKILL, SIGTERM, stdin; this is "SIGKIL". Did you mean SIGKILL?',
    ],
    [
      '{"steps": [{"line": "a", "fault": {"delay": 1, "drop": true}}]}',
      'delay and drop exclude each other: a fault is one thing. Keep one.',
    ],
    [
      '{"steps": [{"intercept": ["slo"]}]}',
      'Line 1, /steps/0/intercept/0: There is no preset slo. Did you mean slow?',
    ],
    [
      '{"steps": [], "intercept": [{"on": "side:agnt", "drop": true}]}',
      'Line 1, /intercept/0/on: ',
    ],
    [
      '{"steps": [{"intercept": {"drop": true}}]}',
      'intercept takes a list of rules and names of presets; this is an object.',
    ],
    [
      '{"steps": [{"answer": "a", "never": true, "late": 5}]}',
      'late and never exclude each other. Keep one.',
    ],
    ['{"steps": [{"line": "a\\nb"}]}', 'line takes a text without a line break; this is "a\\nb".'],
    [
      '{"steps": [{"request":"a","params":{"sessionId":"$sesionId"}}]}',
      'Line 1, /steps/0/params/sessionId: No step before gives $sesionId a value. Did you mean $sessionId?',
    ],
    [
      '{"steps": [],\n "assert": ["cuont(type:err) = 0"]}',
      'Line 2, /assert/0: At character 1 of "cuont(type:err) = 0": There is no cuont(…). Did you mean count?',
    ],
    ['{"step": []}', 'A scenario has no field step. Did you mean steps?'],
    [
      '{"faults": [{"fault": {"drop": true}, "on": "session/prompt"}], "steps": [{"wait": 1}]}',
      'A scenario has no field faults. What befalls lines is written as rules: "intercept": [{"on": "side:client method:session/prompt", "drop": true}].',
    ],
    [
      '{"steps": [{"fault": {"drop": true}, "on": "session/prompt"}]}',
      'There is no step fault. What befalls lines from here on is written as rules: {"intercept": [',
    ],
    [
      '{"stepps": []}',
      'Did you mean steps? Fields are $schema, name, protocol, handshake, capabilities, subagents, steps, assert, intercept.',
    ],
    ['', 'Line 1: The file is empty.'],
    ['# nothing\n', 'Line 1: The file holds no step'],
    ['{"steps": [],\n "assert": []}', 'Line 1: Nothing is done here and nothing asked'],
    [
      '{"steps": [{"wait": 1}],\n "steps": [{"wait": 2}]}',
      'Line 2: steps stands twice in one object, and only the last would count. Keep one.',
    ],
    ['{"wait":1}\n{"wait":1,"wait":2}', 'Line 2: wait stands twice'],
    [
      '{"steps": [{"request":"a","params":{"x":"a ${nope} b"}}]}',
      '/steps/0/params/x: No step before gives $nope a value. To send ${nope} as it stands, write $${nope}.',
    ],
    [
      '{"steps": [\n{"line":"${sesionId}"}]}',
      'Line 2, /steps/0/line: No step before gives $sesionId a value. Did you mean $sessionId?',
    ],
    ['{"wait":1}\n{"line":"${nope}"}', 'Line 2, /line: No step before gives $nope a value.'],
    [
      '{"steps": [{"request":"a","params":{"x":"$cwd/x"}}]}',
      'Inside a text a name has braces: ${cwd}/x. To send $cwd as it stands, write $$cwd.',
    ],
    [
      '{"steps": [{"expect": "kind:edt"}]}',
      '/steps/0/expect: There is no tool kind edt. Did you mean edit?',
    ],
    [
      '{"steps": [],\n "assert": ["finding(errors) = 0"]}',
      'Line 2, /assert/0: At character 9 of "finding(errors) = 0": There is no rule errors. Did you mean error?',
    ],
    ['{"steps": [\n}', 'Line 2: This is not JSON: expected a value, found } '],
    ['[1]', 'Line 1: A scenario is a JSON document, {"steps": […]}; this is an array.'],
    ['{"wait":1}\nnonsense', 'Line 2: This is no step: expected a value, found n'],
    ['{"wait":1}\n{"wait":-1}', 'Line 2, /wait: wait takes milliseconds, 0 or more; this is -1.'],
  ])('%s', (text, sentence) => {
    expect(problems(text).join('\n')).toContain(sentence.trimEnd());
  });

  test('a text that begins with $ and is near no name is a text', () => {
    expect(problems('{"steps": [{"request": "a", "params": {"prompt": "$100"}}]}')).toEqual([]);
    expect(problems('{"steps": [{"request": "a", "params": {"env": "$HOME"}}]}')).toEqual([]);
  });

  test('a fault that is two things is told so, and no more', () => {
    expect(problems('{"steps": [{"line": "a", "fault": {"drop": true, "split": 5}}]}')).toEqual([
      'Line 1, /steps/0/fault: drop and split exclude each other: a fault is one thing. Keep one.',
    ]);
  });

  test('an answer may have a name that is captured after it; a $ more makes a name a text', () => {
    const answer = { answer: 'session/request_permission', result: { t: '${tool}', u: '$tool' } };
    const ask = { request: 'a', params: ['$$cwd/x', '$${nope}'], capture: { $tool: '/result' } };
    expect(problems(JSON.stringify({ steps: [answer, ask] }))).toEqual([]);
  });

  test('whatever a file holds, it is read or its problems are told', () => {
    const step = fc.dictionary(
      fc.constantFrom(...STEP_KINDS, 'params', 'within', 'times', 'nth', 'x'),
      fc.oneof(
        fc.json().map((text) => JSON.parse(text) as unknown),
        fc.constantFrom(true, 1, 'a'),
      ),
    );
    const texts = fc.oneof(
      fc.string(),
      fc.json(),
      fc.array(step).map((steps) => JSON.stringify({ steps })),
      fc.array(step).map((steps) => steps.map((one) => JSON.stringify(one)).join('\n')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const read = readScenario(text);
        if (read.ok) return;
        expect(read.problems.length).toBeGreaterThan(0);
        for (const { line } of read.problems)
          expect(line).toBeLessThanOrEqual(text.split('\n').length);
      }),
    );
  });
});

test('methods and updates that ACP does not know are warned of, at their place', () => {
  const read = readScenario(
    JSON.stringify({
      steps: [
        { request: 'session/promt' },
        { request: 'nobody/knows' },
        { request: '_mine/x' },
        { answer: 'session/request_permision' },
        { intercept: ['slow', { on: 'side:client method:session/*', drop: true }] },
        { expect: 'method:session/lst' },
      ],
      assert: ['none(update:"tool_cal")', 'none(update:tool_call* method:_mine,session/update)'],
    }),
  );
  expect(read.ok && read.warnings.map(problemWords)).toEqual([
    'Line 1, /steps/0/request: ACP has no method session/promt. Did you mean session/prompt?',
    'Line 1, /steps/3/answer: ACP has no method session/request_permision. Did you mean session/request_permission?',
    'Line 1, /steps/5/expect: ACP has no method session/lst. Did you mean session/list?',
    'Line 1, /assert/0: ACP has no update tool_cal. Did you mean tool_call?',
  ]);
});

test('docs/scenario.schema.json says what the table holds (npm run unit -- -u writes it)', async () => {
  const text = `${JSON.stringify(scenarioSchema(), undefined, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../../../docs/scenario.schema.json');
});
