import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EXAMPLE_ROWS } from './example-rows.ts';

interface Line {
  readonly seq?: number;
  readonly from?: string;
  readonly line?: { readonly text: string };
}
const file = new URL('../../../public/example.acptrace.jsonl', import.meta.url);
const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
const events = lines.map((line) => JSON.parse(line) as Line);
const frame = (at: number) => events.find((event) => event.seq === at && event.line);
const message = (at: number) => JSON.parse(frame(at)?.line?.text ?? 'null');

test('the rows of the first screen are frames of the example', () => {
  const [ask, prompt, edit, response, late] = EXAMPLE_ROWS;
  expect(EXAMPLE_ROWS.map((row) => row.from)).toEqual(
    EXAMPLE_ROWS.map((row) => frame(row.seq)?.from),
  );
  expect(message(ask?.seq ?? 0)).toMatchObject({
    method: ask?.kind,
    params: { replayFrom: { type: 'start' } },
  });
  for (const row of [prompt, edit, late])
    expect(message(row?.seq ?? 0).params.update.sessionUpdate).toBe(row?.kind);
  expect(message(prompt?.seq ?? 0).params.update.content[0].text).toBe(prompt?.text);
  expect(message(edit?.seq ?? 0).params.update.title).toBe(edit?.text);
  expect(message(response?.seq ?? 0)).toMatchObject({ id: message(ask?.seq ?? 0).id, result: {} });
  expect(Number(late?.seq)).toBeGreaterThan(Number(response?.seq));
});
