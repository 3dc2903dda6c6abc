// What the menus of a row and of a value offer to look for, asked of the frame it was offered on.
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { parseQuery } from '../../model/query/parse.ts';
import { valuesAt } from '../../model/query/vocabulary.ts';
import { draw } from '../../test/traces/draw.ts';
import { indexed, type Indexed } from '../../test/traces/indexed.ts';
import { recordings } from '../../test/traces/recordings.ts';
import { runningApp } from '../../test/programs/running-app.ts';
import type { TraceEvent } from '../../trace/event.ts';
import { isMore, rowsToOpen, treeMenu, treeRows } from '../detail/tree-rows.ts';
import { filterItems } from './row-cell.ts';

const app = await runningApp({});
let query = '';
vi.spyOn(app.timeline, 'setQuery').mockImplementation((asked) => {
  query = asked;
  return Promise.resolve();
});

interface Offered {
  readonly label: string;
  readonly term: string;
}

/** The terms that the menu of a row offers, as they come into the query. */
function rowTerms({ index, frame }: Indexed, at: number): readonly Offered[] {
  const row = frame(index.columns.seqOf(at));
  return filterItems(app, row, valuesAt(index, at)).flatMap(({ label, items, run }) =>
    (items ?? [{ label: '', run }]).map((item) => {
      item.run?.();
      return { label: `${label} ${item.label}`, term: query };
    }),
  );
}

/** Those that the menus of its values offer, as far as the tree is open by itself. */
function valueTerms(text: string): readonly Offered[] {
  const opened = rowsToOpen(text, { lines: 20, columns: 60 });
  return treeRows(text, { toggled: new Map(), pages: new Map(), opened }).flatMap((row) => {
    if (isMore(row)) return [];
    let term = '';
    const items = treeMenu(text, row, undefined, (asked) => (term = asked), app);
    return items
      .filter(({ label }) => !label.startsWith('Copy'))
      .map(({ label, run }) => {
        run?.();
        return { label, term };
      });
  });
}

/** That a term to filter by finds the frame, and one to exclude hides it. */
async function expectToHold({ view, index }: Indexed, at: number, offers: readonly Offered[]) {
  for (const { label, term } of offers) {
    const seq = index.columns.seqOf(at);
    const parsed = parseQuery(term);
    expect([term, parsed.ok && parsed.query.length]).toEqual([term, 1]);
    await view.setQuery(term);
    const isShown = view.framesIn(0, 1e6).includes(seq);
    expect([label, term, isShown]).toEqual([label, term, !label.startsWith('Exclude')]);
  }
}

function textOf(event: TraceEvent | undefined): string | undefined {
  return event?.type === 'frame' && 'text' in event.line ? event.line.text : undefined;
}

test('on frames of every recording, what is offered to filter by finds the frame, and what is offered to exclude hides it', async () => {
  let asked = 0;
  for (const { events } of recordings()) {
    const step = Math.max(1, Math.floor(events.length / 4));
    for (let at = 1; at < events.length; at += step) {
      const trace = indexed(events.slice(0, at + 1));
      const only = indexed(events.slice(at, at + 1));
      const row = trace.rows().find(({ seq }) => seq === trace.index.columns.seqOf(at));
      if (row?.type === 'frame') {
        const offers = rowTerms(trace, at);
        await expectToHold(trace, at, offers);
        asked += offers.length;
      }
      const text = textOf(events[at]);
      if (text?.startsWith('{')) await expectToHold(only, 0, valueTerms(text));
    }
  }
  expect(asked).toBeGreaterThan(500);
});

/** Words of what a query reads as more than a letter, and of what no query was made for. */
const word = fc
  .array(
    fc.constantFrom(
      ...[' ', '"', ',', '|', ')', '(', '/', '\\', ':', '-', '=', '~', '<', '>', '*', '+', '$'],
      ...['#', '.', '[', ']', '{', "'", '\n', '\t', 'ü', '中', '🙂', '→', '1', 'e', 'a', 'exists'],
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));

test('a term for a value finds it, whatever stands in the value, its name and its path', async () => {
  const value = fc.oneof(
    { weight: 5, arbitrary: word },
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(true, false, null, 'true', 'null', '12', '-3', '1e5', '', [], {}),
  );
  await fc.assert(
    fc.asyncProperty(fc.dictionary(word, value, { minKeys: 1, maxKeys: 3 }), async (params) => {
      const text = JSON.stringify({ jsonrpc: '2.0', method: '_x', params });
      const trace = indexed(`agent raw ${text}`);
      const offers = valueTerms(text);
      expect(offers.length).toBeGreaterThan(4);
      await expectToHold(trace, 0, offers);
    }),
    { numRuns: 300 },
  );
});

test('a term of a row finds it, whatever the agent calls its methods, ids, tools and sessions', async () => {
  const name = word.filter((text) => text !== '');
  const id = fc.oneof(name, fc.integer());
  await fc.assert(
    fc.asyncProperty(name, id, name, name, name, name, async (...said) => {
      const [method, id, sessionId, toolCallId, kind, status] = said;
      const update = { sessionUpdate: 'tool_call', toolCallId, kind, status };
      const lines = [
        { jsonrpc: '2.0', id, method, params: { sessionId } },
        { jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } },
        {
          ...{ jsonrpc: '2.0', method: 'session/update' },
          params: { sessionId, update: { ...update, sessionUpdate: kind } },
        },
      ];
      const trace = indexed(
        draw(lines.map((line) => `client raw ${JSON.stringify(line)}`).join('\n')),
      );
      for (let at = 0; at < lines.length; at++) {
        await trace.view.setQuery('');
        await expectToHold(trace, at, rowTerms(trace, at));
      }
    }),
    { numRuns: 150 },
  );
});
