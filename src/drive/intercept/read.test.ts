import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { decodeLossy, encodeUtf8 } from '../../lib/utf8.ts';
import { readScenario } from '../scenario/file/read.ts';
import { edited } from './engine.ts';
import { readRules } from './read.ts';
import { ACTION_KINDS, MOST_RULES, PRESETS } from './table.ts';

const problemsOf = (text: string) => {
  const read = readRules(text);
  return read.ok
    ? []
    : read.problems.map(({ line, pointer, message }) => `${line} ${pointer} ${message}`);
};
const ruleOf = (rule: object) => {
  const read = readRules(JSON.stringify({ rules: [rule] }));
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.rules[0];
};

test('every preset can be read, by its name and written out', () => {
  for (const { name, rule } of PRESETS) {
    expect(problemsOf(JSON.stringify({ rules: [name] })), name).toEqual([]);
    expect(ruleOf(rule)?.action).toBeDefined();
  }
});

test('a mistake is told with its line, its place and the way out', () => {
  for (const [text, words] of [
    ['', 'This is not JSON: it is empty'],
    ['{"rules": [', 'This is not JSON'],
    ['[]', 'Rules are a JSON document'],
    ['{"rules": []}', 'There is no rule'],
    ['{"rules": ["lose-update"]}', 'Did you mean lose-updates?'],
    ['{"rules": [\n{"on": "side:agent", "dropp": true}]}', 'There is no dropp. Did you mean drop?'],
    ['{"rules": [{"drop": true}]}', 'says not of which frames'],
    ['{"rules": [{"on": "side:agnt", "drop": true}]}', 'The query cannot be read'],
    [
      '{"rules": [{"on": "finding:any", "drop": true}]}',
      'is not known while a frame is on its way',
    ],
    ['{"rules": [{"on": "#12", "drop": true}]}', 'is not known while a frame is on its way'],
    [
      '{"rules": [{"on": "side:agent", "drop": true, "hold": true}]}',
      'hold and drop exclude each other',
    ],
    ['{"rules": [{"on": "side:agent", "delay": -1}]}', 'delay takes milliseconds, 0 or more'],
    ['{"rules": [{"on": "side:agent", "edit": {"set": {"$.a[0]": 1}}}]}', 'is no path of keys'],
    ['{"rules": [{"on": "side:agent", "edit": {"sett": {}}}]}', 'Did you mean set?'],
    ['{"rules": [{"on": "side:agent", "edit": {}}]}', 'Nothing is edited'],
    ['{"rules": [{"on": "side:agent", "inject": {"method": "x"}}]}', 'inject takes'],
    ['{"rules": [{"on": "side:agent", "answer": {}}]}', 'answer takes'],
    ['{"rules": [{"on": "side:agent", "reorder": 5}]}', 'reorder takes true, or a query'],
    ['{"rules": [{"on": "side:agent", "drop": true, "evry": 3}]}', 'Did you mean every?'],
  ] as const)
    expect(problemsOf(text).join('\n'), text).toContain(words);
});

test('P-15: as many rules as a frame can wait for are taken, and no more, from a file and from a scenario', () => {
  const list = (count: number) =>
    Array.from({ length: count }, () => ({ on: 'side:agent', drop: true }));
  const ofFile = (count: number) => problemsOf(JSON.stringify({ rules: list(count) }));
  const ofScenario = (count: number) => {
    const read = readScenario(JSON.stringify({ protocol: 1, steps: [{ intercept: list(count) }] }));
    return read.ok ? [] : read.problems.map(({ message }) => message);
  };
  for (const of of [ofFile, ofScenario]) {
    expect(of(MOST_RULES)).toEqual([]);
    expect(of(MOST_RULES + 1)).toEqual([expect.stringContaining('at most 100 are taken')]);
  }
});

test('P-15: a line is sent 1000 times more at most, by a rule and by a fault', () => {
  const ofRule = (copies: number) =>
    problemsOf(JSON.stringify({ rules: [{ on: 'side:agent', duplicate: copies }] }));
  const ofFault = (copies: number) => {
    const step = { request: 'session/list', fault: { duplicate: copies } };
    const read = readScenario(JSON.stringify({ protocol: 1, steps: [step] }));
    return read.ok ? [] : read.problems.map(({ message }) => message);
  };
  for (const of of [ofRule, ofFault]) {
    expect(of(1000)).toEqual([]);
    for (const copies of [1001, 1e9, 2 ** 53])
      expect(of(copies)).toEqual([
        expect.stringContaining('duplicate takes a whole number, 1 to 1000'),
      ]);
  }
});

test('an edit changes what is named and leaves every other byte of the line as it was', () => {
  const edit = (rule: object, line: string) => {
    const action = ruleOf({ on: 'side:agent', edit: rule })?.action;
    if (action?.kind !== 'edit') throw new Error('no edit');
    const done = edited(encodeUtf8(line), action);
    return done.ok ? decodeLossy(done.line) : done.problem;
  };
  const line =
    '\ufeff{ "id":1.0, "result" : {"agentCapabilities":{"loadSession":true,"x":1e2}} }\r';
  expect(edit({ set: { '$.result.agentCapabilities.loadSession': false } }, line)).toBe(
    line.replace('true', 'false'),
  );
  expect(edit({ set: { '$.result.a.b': [1] } }, '{"result":{}}')).toBe(
    '{"result":{"a":{"b":[1]}}}',
  );
  expect(edit({ remove: ['$.result.x'] }, '{"result":{"x":1,"y":2.0}}')).toBe(
    '{"result":{"y":2.0}}',
  );
  expect(edit({ replace: { one: 'two' } }, '{"say":"one"}')).toBe('{"say":"two"}');
  expect(edit({ line: 'noise' }, '{}')).toBe('noise');
  expect(edit({ remove: ['$.nothing'] }, '{"a": 1}')).toContain(
    'nothing in it that the rule changes',
  );
  expect(edit({ set: { '$.a': 1 } }, 'no json')).toContain('it is no JSON object');
});

test('docs/intercept.md has every action, and every preset as it is', () => {
  const page = readFileSync(new URL('../../../docs/intercept.md', import.meta.url), 'utf8');
  for (const kind of ACTION_KINDS) expect(page).toContain(`\`"${kind}": `);
  const rows = new Map(
    [...page.matchAll(/^\| `([a-z-]+)` +\| `(\{.*\})` +\|$/gm)].map(([, name, rule]) => [
      name ?? '',
      JSON.parse(rule ?? '') as object,
    ]),
  );
  expect(rows).toEqual(new Map(PRESETS.map(({ name, rule }) => [name, rule])));
});
