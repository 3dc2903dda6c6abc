import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toBase64 } from '../../lib/utf8.ts';
import { sourcesOf } from '../../test/traces/fidelity-sources.ts';
import { diffTraces } from './diff.ts';
import { textReport } from '../../report/text.ts';
import { diffDocument } from './report/document.ts';
import type { DiffOptions, TraceDiffReport } from './report/report.ts';

const START = `
  client →0 session/new {"cwd":"/w","mcpServers":[]}
  agent ←0 result {"sessionId":"s1"}
  client →1 session/prompt s1 "Go"`;
const END = `
  agent ←1 result {"stopReason":"end_turn"}`;
const chunks = (texts: readonly string[], variant = 'agent_message_chunk') =>
  texts
    .map((text) => {
      const content = JSON.stringify({ content: { type: 'text', text } });
      return `\n  agent update s1 ${variant} ${content}`;
    })
    .join('');
const TOOL = (status: string) =>
  `\n  agent update s1 tool_call {"toolCallId":"t1","title":"Read","kind":"read","status":"${status}"}`;

function compare(a: string, b: string, options: DiffOptions = {}): Promise<TraceDiffReport> {
  const [left, right] = sourcesOf([START + a + END, START + b + END]);
  if (!left || !right) throw new Error('two drawings give two traces');
  return diffTraces(left, right, { view: 'frames', ...options });
}
const told = ({ differences }: TraceDiffReport) =>
  differences.map(({ kind, path, before, after }) => [kind, path, before, after]);
const pieces = (text: string, length: number) =>
  text.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? [];
const STORY = 'The limit of retries is set in config.json, and nothing else reads it at all.';

test('a text that is cut into other chunks is no difference, and told apart', async () => {
  const report = await compare(chunks(pieces(STORY, 8)), chunks(pieces(STORY, 7)));
  expect(told(report)).toEqual([]);
  expect(report.equal).toBe(true);
  expect(report.sameText).toMatchObject([
    { of: 'agent_message_chunk', a: { seq: 4, last: 13, frames: 10 }, b: { frames: 11 } },
  ]);
  expect(report.compared).toEqual({ a: 14, b: 15 });
  expect(report.rows.row(3).a?.words).toContain('10 chunks');
  expect(textReport(diffDocument(report, { left: 'a', right: 'b' }))).toContain(
    '= 5 equal, 1 the same text in 10 | 11 chunks',
  );
});

test('where every chunk is to be compared, it is one', async () => {
  const { equal, sameText } = await compare(chunks(['Hel', 'lo']), chunks(['Hello']), {
    eachChunk: true,
  });
  expect([equal, sameText]).toEqual([false, []]);
});

test('chunks that are cut alike stay rows of their own', async () => {
  const said = chunks(pieces(STORY, 8));
  const { rows, counts } = await compare(said + TOOL('failed'), said + TOOL('completed'));
  expect(rows.length).toBe(15);
  expect(counts).toMatchObject({ equal: 14, changed: 1 });
});

test('a chunk that is lost is missing, and no other is told', async () => {
  const all = pieces(STORY, 8);
  const report = await compare(chunks(all), chunks(all.filter((_, at) => at !== 3)));
  expect(report.counts).toMatchObject({ missing: 1, extra: 0, changed: 0 });
  expect(report.differences[0]?.a?.seq).toBe(7);
});

test('of a message that is cut otherwise and says another word, the word is told', async () => {
  const report = await compare(
    chunks(pieces(STORY, 8)),
    chunks(pieces(STORY.replace('retries', 'attempts'), 5)),
  );
  expect(told(report)).toEqual([
    ['changed', '$.params.update.content.text', STORY, STORY.replace('retries', 'attempts')],
  ]);
});

test('a thought and a message beside each other are held apart, however they are cut', async () => {
  const both = (cut: number, words: string) =>
    chunks(pieces(`I think so. ${STORY}`, cut), 'agent_thought_chunk') +
    chunks(pieces(words, cut)) +
    TOOL('failed');
  const { differences } = await compare(both(9, STORY), both(6, `${STORY} Or not.`));
  expect(differences).toMatchObject([{ kind: 'changed', path: '$.params.update.content.text' }]);
});

test('a whole message that is said elsewhere has moved, once', async () => {
  const mode = '\n  agent update s1 current_mode_update {"currentModeId":"plan"}';
  const said = chunks(pieces(STORY, 20));
  const { counts } = await compare(
    said + TOOL('failed') + mode + chunks(['Done.']),
    TOOL('failed') + mode + chunks(['Done.']) + TOOL('pending').replace('t1', 't2') + said,
  );
  expect(counts).toMatchObject({ moved: 1, missing: 0, extra: 1 });
});

const words = fc.array(fc.string({ maxLength: 6, unit: fc.constantFrom(...'ab c\n😀漢') }), {
  maxLength: 12,
});
/** A text, cut at these places. */
const cut = (text: string, at: readonly number[]) => {
  const letters = [...text];
  const places = [...new Set(at.map((one) => one % (letters.length + 1)))].sort((x, y) => x - y);
  return [0, ...places]
    .map((from, nth) => letters.slice(from, places[nth] ?? letters.length).join(''))
    .filter((piece) => piece !== '');
};

test('wherever the same texts are cut, nothing differs', async () => {
  const cuts = fc.array(fc.nat(40), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(words, cuts, cuts, cuts, cuts, async (all, one, two, three, four) => {
      const [first, second] = [all.slice(0, 5).join(''), all.slice(5).join('')];
      const trace = (x: readonly number[], y: readonly number[]) =>
        chunks(cut(first, x)) + TOOL('failed') + chunks(cut(second, y));
      const report = await compare(trace(one, two), trace(three, four));
      expect(told(report)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test('a terminal that says the same bytes in other chunks is no difference, wherever a character is cut', async () => {
  const bytes = new TextEncoder().encode('été: 3 tests pass ✓\n');
  const cutAt = (place: number) =>
    [bytes.subarray(0, place), bytes.subarray(place)]
      .map((part) => JSON.stringify({ terminalId: 'x', data: toBase64(part) }))
      .map((body) => `\n  agent update s1 terminal_output_chunk ${body}`)
      .join('');
  const story = await compare(cutAt(1), cutAt(5), { view: 'story' });
  expect(told(story)).toEqual([]);
  expect(JSON.stringify(story.rows)).not.toContain('\uFFFD');
  const other = await compare(cutAt(1), cutAt(1) + cutAt(3), { view: 'story' });
  expect(told(other)).toMatchObject([
    ['changed', '$.output', 'été: 3 tests pass ✓\n', expect.any(String)],
  ]);
});
