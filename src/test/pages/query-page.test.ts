// docs/query.md tells every field with an example; what it says they find in the example trace is so.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { nodeFinder } from '../../cli/parts/node-finder.ts';
import { readTrace } from '../../cli/parts/trace-files.ts';
import { recordOf } from '../../drive/scenario/assert/record.ts';
import { FIELD_FACTS, QUERY_FIELD_NAMES } from '../../model/query/fields.ts';
import { searchedBy } from '../../model/query/match.ts';
import { parseQuery } from '../../model/query/parse.ts';
import { Search } from '../../model/query/search.ts';
import { countedAs } from '../../model/query/verdicts.ts';

const PAGE = readFileSync(new URL('../../../docs/query.md', import.meta.url), 'utf8');
const EXAMPLE = fileURLToPath(new URL('../../../public/example.acptrace.jsonl', import.meta.url));

const { events } = await readTrace(EXAMPLE);
const record = recordOf([{ events }]);
record.check();
const trace = record.traces[0];
if (trace === undefined) throw new Error('the example holds no trace');

/** Frames of the example, as the page counts them: lines of stderr and events are none. */
async function found(query: string): Promise<number> {
  const { index, eventAt } = trace as NonNullable<typeof trace>;
  const parsed = parseQuery(query);
  if (!parsed.ok) throw new Error(`${query}: ${parsed.problem.message}`);
  const searched = searchedBy(eventAt, () => index.length, 1);
  const search = new Search(parsed.query, index, searched, nodeFinder);
  expect(await search.ask()).toBeUndefined();
  const isFrame = (place: number) => countedAs(index.columns.kind.get(place)) === 'frame';
  return search.places().filter(isFrame).length;
}

/** `| x | `query` | 12 | words |`: the cells of the rows of a table that end in a count and words. */
const rows = [...PAGE.matchAll(/^\| (.*?) +\| `(.+?)` +\| +(\d+) +\| (.*?) *\|$/gm)].map(
  ([, field = '', query = '', count = '', words = '']) => ({
    ...{ field, query: query.replaceAll('\\|', '|'), count: Number(count), words },
  }),
);

test('docs/query.md has every field, in the order and the words of the product', () => {
  const told = rows.filter(({ field }) => /^`\w+`$/.test(field));
  expect(told.map(({ field, query, words }) => [field, query, words])).toEqual(
    QUERY_FIELD_NAMES.map((name) => [
      `\`${name}\``,
      FIELD_FACTS[name].example,
      FIELD_FACTS[name].doc,
    ]),
  );
});

test.each(rows)('$query finds $count frames of the example', async ({ query, count }) => {
  expect(await found(query)).toBe(count);
});
