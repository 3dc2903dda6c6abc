import { expect, test } from 'vitest';
import type { FindingsState, FindingView } from '../../engine/findings/finding-messages.ts';
import { CONNECTION, runningApp, type SomeCalls } from '../../test/programs/running-app.ts';
import { connectionId, seq, type Seq } from '../../trace/event.ts';
import { FindingList } from './finding-list.svelte.ts';

const STATE: FindingsState = {
  connection: CONNECTION,
  version: 1,
  checked: 10,
  done: true,
  counts: { error: 1, warning: 2, hint: 1, undecidable: 5, suppressed: 3 },
  choice: { edition: 'auto', together: [] },
  edition: 'v1-2.4.0',
  words: 'v1 as of SDK 2.4.0',
  reason: 'The handshake settles on version 1.',
  editions: [{ edition: 'v1-2.4.0', words: 'v1 as of SDK 2.4.0', contradicts: false }],
  together: [],
};
const FINDING: FindingView = {
  key: 'k',
  rule: 'a/rule',
  verdict: 'fail',
  severity: 'error',
  side: 'agent',
  session: 's1',
  method: 'session/load',
  frames: 1,
  places: [{ seq: seq(4), pointer: '', seen: 'this' }],
  seen: 'this',
  due: 'that',
  source: { words: 'a page', url: 'https://example.org' },
};

async function app(engine: SomeCalls = {}) {
  const made = await runningApp(engine);
  made.receive({ type: 'findings', state: STATE });
  return made;
}

test('what the checker says is of the trace looked at, and of no other', async () => {
  const { findings } = await app();
  expect(findings.total).toBe(4);
  findings.receive({ ...STATE, connection: connectionId('another') });
  expect(findings.state).toBeUndefined();
  expect(findings.total).toBe(0);
});

test('the next finding is one that is shown; where none is, any', async () => {
  const asked: boolean[] = [];
  const located: Seq[] = [];
  const made = await app({
    findings: {
      next: (_, from, direction, among) => {
        asked.push(among?.shown === true);
        return Promise.resolve(among?.shown ? undefined : seq(from + 7 * direction));
      },
    },
    timeline: {
      locate: (_, at) => {
        located.push(at);
        return Promise.resolve({ row: -1, hiddenBy: ['is:live'] });
      },
    },
  });
  await made.timeline.select(seq(3));
  await made.findings.step(1);
  expect(asked).toEqual([true, false]);
  expect(located).toEqual([10]);
  expect(made.timeline.hidden).toEqual({ seq: 10, terms: ['is:live'] });
});

test('where there is no further finding, the page says so, and how far the check is', async () => {
  const made = await app({ findings: { next: () => Promise.resolve(undefined) } });
  await made.findings.step(1);
  expect(made.news.at(-1)?.text).toBe('No finding below this one.');
  made.findings.receive({ ...STATE, done: false, checked: 1200 });
  await made.findings.step(-1);
  expect(made.news.at(-1)?.text).toMatch(
    /^No finding above so far: 1,200 of \d+ frames? are checked\.$/,
  );
});

test('a finding is set aside where a person says, and can be had back', async () => {
  const said: unknown[] = [];
  const taken: unknown[] = [];
  const made = await app({
    traces: {
      annotate: (_, annotation) => Promise.resolve(void said.push(annotation)),
      unannotate: (_, annotation) => Promise.resolve(void taken.push(annotation)),
    },
  });
  const list = new FindingList(made);
  await list.suppress(FINDING, 'here', ' known ');
  await list.suppress(FINDING, 'session', 'known');
  await list.suppress(FINDING, 'trace', 'known');
  const plain = { kind: 'suppress', rule: 'a/rule', reason: 'known' };
  expect(said).toEqual([
    { ...plain, session: 's1', method: 'session/load' },
    { ...plain, session: 's1' },
    plain,
  ]);
  made.news.at(-1)?.action?.run();
  expect(taken).toEqual([plain]);
  await list.countAgain({ ...FINDING, suppressed: { ...plain, kind: 'suppress' } });
  expect(taken).toEqual([plain, plain]);
});

test('all frames of a finding are a query for its rule, or for what is not decided', async () => {
  const made = await app({ timeline: { setQuery: () => new Promise(() => undefined) } });
  const list = new FindingList(made);
  void list.showAllFrames(FINDING);
  expect(made.timeline.query).toBe('finding:a/rule');
  expect(made.view).toBe('trace');
  void list.showAllFrames({ ...FINDING, verdict: 'undecidable' });
  expect(made.timeline.query).toBe('finding:undecidable');
});

test('a finding asked for from elsewhere is shown, also if the filter of the list hides it', async () => {
  const made = await app({
    findings: { all: () => Promise.resolve({ version: 1, findings: [FINDING] }) },
  });
  const list = new FindingList(made);
  made.findings.list = list;
  list.watch();
  await expect.poll(() => list.findings).toHaveLength(1);
  list.filter({ side: 'agent' });
  made.findings.show(FINDING.key);
  expect(list.filters.side).toBe('agent');
  list.filter({ side: 'client' });
  made.findings.askWhy(FINDING.key);
  expect(list.isFiltered).toBe(false);
  expect([made.view, made.findings.selected, made.findings.asking]).toEqual(['checks', 'k', 'k']);
});

test('what is looked at stays so while a list grows, though others come before it, or around it', async () => {
  const other: FindingView = { ...FINDING, key: 'worse', rule: 'b/rule', places: [] };
  const same: FindingView = { ...FINDING, key: 'same rule', places: [] };
  let findings: readonly FindingView[] = [FINDING];
  let version = 0;
  const made = await app({ findings: { all: () => Promise.resolve({ version, findings }) } });
  const list = new FindingList(made);
  const grow = async (next: readonly FindingView[]) => {
    findings = next;
    made.receive({ type: 'findings', state: { ...STATE, version: ++version } });
    list.watch();
    await expect.poll(() => list.findings).toHaveLength(next.length);
  };
  await grow([FINDING]);
  expect(list.shown?.key).toBe('k');
  await grow([other, FINDING]);
  expect([list.shown?.key, list.at]).toEqual(['k', 1]);
  await grow([other, same, FINDING]);
  expect(list.shown?.key).toBe('k');
  const rule = list.rows.findIndex(({ type }) => type === 'rule');
  list.select(rule);
  expect(list.shown?.key).toBe('same rule');
  await grow([{ ...same, key: 'newer' }, other, same, FINDING]);
  expect(list.shown?.key).toBe('same rule');
});
