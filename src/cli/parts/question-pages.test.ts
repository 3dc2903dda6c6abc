// A question on a terminal of any size: a model of one, which breaks and scrolls rows as terminals do.
import { EventEmitter } from 'node:events';
import type { ReadStream, WriteStream } from 'node:tty';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { approvals, atDesk, check, desk, launch, NODE } from '../../test/programs/approval-desk.ts';
import { RelayTerminal } from './terminal.ts';

atDesk();
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uff01-\uff60]|\p{Emoji_Presentation}/u;

/** `columns` and `rows` as Node has them; letters that some draw in two cells take `odd` cells. */
class Screen extends EventEmitter {
  columns: number;
  rows: number;
  readonly #odd: number;
  #lines: string[] = [''];
  #cells = 0;

  constructor(columns: number, rows: number, odd = 1) {
    super();
    this.columns = columns;
    this.rows = rows;
    this.#odd = odd;
  }

  write(text: string): boolean {
    for (const letter of text.replaceAll('\r\u001b[K', '\u0000')) {
      if (letter === '\u0000') this.#put('', 0);
      else if (letter === '\n') this.#begin();
      else {
        const cells = letter <= '~' ? 1 : WIDE.test(letter) ? 2 : this.#odd;
        if (this.#cells + cells > this.columns) this.#begin();
        this.#put((this.#lines.at(-1) ?? '') + letter, this.#cells + cells);
      }
    }
    return true;
  }

  /** All rows there were. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** The first row that a person sees now. */
  get top(): number {
    return Math.max(0, this.#lines.length - this.rows);
  }

  #begin(): void {
    this.#lines.push('');
    this.#cells = 0;
  }

  #put(row: string, cells: number): void {
    this.#lines[this.#lines.length - 1] = row;
    this.#cells = cells;
  }
}

function asked(text: string, screen: Screen) {
  const input = Object.assign(new EventEmitter(), {
    setRawMode: () => undefined,
    pause: () => undefined,
  });
  const ignored = { onEnter: () => undefined, onInterrupt: () => undefined };
  const own = new RelayTerminal(
    input as unknown as ReadStream,
    screen as unknown as WriteStream,
    ignored,
  );
  let answer: boolean | undefined;
  const ended = own.confirm(text, new AbortController().signal).then((yes) => (answer = yes));
  const press = async (key: string, after = 700) => {
    vi.advanceTimersByTime(after);
    input.emit('data', Buffer.from(key));
    await Promise.resolve();
    return answer;
  };
  return { ended, press };
}

const FOOT = /^(?:\d+ pages? follows?\. |\d+ more: |>)/;
const bare = (text: string) => text.replace(/\s/g, '');

/**
 * Presses `y` at each page, which only the last one takes, and Space between; fails where a row scrolled away before
 * it was seen. What was seen by then, without blanks.
 */
async function readUntilYes(
  text: string,
  screen: Screen,
): Promise<{ seen: string; pages: number }> {
  const { press, ended } = asked(text, screen);
  let seen = '';
  let unseen = 0;
  for (let pages = 1; ; pages++) {
    expect(screen.top).toBeLessThanOrEqual(Math.max(unseen, 1));
    const rows = screen.lines.slice(unseen);
    const isLast = !FOOT.test(rows.at(-1) ?? '');
    seen += bare((isLast ? rows : rows.slice(0, -1)).join(''));
    unseen = screen.lines.length - 1;
    expect([pages, await press('y')]).toEqual([pages, isLast ? true : undefined]);
    if (isLast) {
      await ended;
      return { seen, pages };
    }
    await press(' ', 0);
  }
}

async function questionOf(env: Readonly<Record<string, string>>, argv: readonly string[]) {
  await check(approvals(false), launch({ argv, env }));
  return desk.asked.at(-1) ?? '';
}

test('P-01: of a question with 90 variables, command and loaders are on the first page, and y is taken on the last alone', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 90 }, (_, at) => [`OPENCODE_LOG_${at}`, '1']),
  );
  const text = await questionOf({ ...many, LD_PRELOAD: '/tmp/evil.so' }, [NODE, 'agent.js']);
  expect(text.split('\n').length).toBeGreaterThan(90);
  const screen = new Screen(80, 24);
  asked(text, screen);
  const first = screen.lines.slice(screen.top).join('\n');
  expect(first).toContain('agent.js');
  expect(first).toContain('LD_PRELOAD=/tmp/evil.so');
  expect(screen.lines.length - screen.top).toBeLessThanOrEqual(24);
  expect(await readUntilYes(text, new Screen(80, 24))).toEqual({ seen: bare(text), pages: 5 });
});

test('P-01: an argument of thousands of letters is read to its end, on a narrow terminal too', async () => {
  const text = await questionOf({}, [
    NODE,
    `${'x'.repeat(1500)} 漢字${'ö'.repeat(600)}`,
    '; rm -rf ~',
  ]);
  for (const [columns, rows] of [
    [80, 24],
    [40, 10],
    [20, 5],
    [9, 2],
  ] as const)
    for (const odd of [1, 2])
      expect((await readUntilYes(text, new Screen(columns, rows, odd))).seen).toBe(bare(text));
});

test('P-01: whatever the size of the terminal, all of a question was on it before y is taken', async () => {
  const line = fc.string({ unit: fc.constantFrom('a', ' ', '漢', 'ö', '🚀', '-'), maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 3, max: 120 }),
      fc.integer({ min: 2, max: 40 }),
      fc.constantFrom(1, 2),
      async (lines, columns, rows, odd) => {
        const text = [...lines, 'Press y to allow exactly this.'].join('\n');
        expect((await readUntilYes(text, new Screen(columns, rows, odd))).seen).toBe(bare(text));
      },
    ),
    { numRuns: 150 },
  );
});

test('a row that continues a line begins further in than any line of the question', async () => {
  const text = await questionOf({ A: `${'x'.repeat(80)}  with LD_PRELOAD=/tmp/evil.so` }, [NODE]);
  const screen = new Screen(60, 24);
  asked(text, screen);
  const continued = screen.lines.filter((row) => row.startsWith('   '));
  expect(continued.length).toBeGreaterThan(0);
  for (const row of continued) expect(row).toMatch(/^ {6}/);
});

test('P-01: n refuses on any page, another key of no meaning does nothing there, and Space is heard after a while alone', async () => {
  const text = Array.from({ length: 60 }, (_, at) => `line ${at}`).join('\n');
  const { press } = asked(text, new Screen(80, 24));
  expect(await press('y')).toBeUndefined();
  expect(await press('x')).toBeUndefined();
  expect(await press(' ')).toBeUndefined();
  // Held down: these were meant for the page before.
  for (let at = 0; at < 8; at++) expect(await press(' ', 50)).toBeUndefined();
  expect(await press('n')).toBe(false);
});

test('P-01: on a terminal that became smaller, y is not taken before the rest was seen', async () => {
  const text = Array.from({ length: 20 }, (_, at) => `line ${at}`).join('\n');
  const screen = new Screen(80, 24);
  const { press } = asked(text, screen);
  screen.rows = 10;
  screen.emit('resize');
  expect(await press('y')).toBeUndefined();
  expect(screen.lines.slice(screen.top).join(' ')).toMatch(/line 0 .*follow/);
  await press(' ');
  await press(' ');
  expect(screen.lines.at(-1)).toBe('line 19 ');
  expect(await press('y')).toBe(true);
});

test('P-01: on a terminal of one row, each row was seen before y is taken', async () => {
  const screen = new Screen(80, 1);
  const { press } = asked('one\ntwo\nthree', screen);
  for (const row of ['one ', 'two ']) {
    expect(screen.lines.at(-1)).toBe(row);
    expect(await press('y')).toBeUndefined();
    await press(' ');
  }
  expect(screen.lines.at(-1)).toBe('three ');
  expect(await press('y')).toBe(true);
});

test('a terminal that does not say how large it is is taken for one of 80 by 24', async () => {
  const text = Array.from({ length: 30 }, (_, at) => `line ${at}`).join('\n');
  const screen = new Screen(80, 24);
  Object.assign(screen, { columns: undefined, rows: 0 });
  const { press } = asked(text, screen);
  expect(screen.lines.at(-1)).toMatch(FOOT);
  expect(screen.lines.length).toBe(25);
  await press(' ');
  expect(await press('y')).toBe(true);
});

test.each([40, 80])(
  'a paragraph of a question fills each row of a terminal of %i columns',
  async (columns) => {
    const text = await questionOf({}, [NODE, 'agent.js']);
    const paragraphs = text.split('\n').filter((line) => /^\S/.test(line));
    expect(paragraphs).toHaveLength(3);
    const screen = new Screen(columns, 60);
    asked(text, screen);
    const rows = screen.lines.map((row) => row.trimEnd());
    for (const paragraph of paragraphs) {
      const last = rows.findIndex((row) => row !== '' && paragraph.endsWith(row));
      const first = rows.findIndex((row) => row !== '' && paragraph.startsWith(row));
      const own = rows.slice(first, last + 1);
      expect(own.join(' ')).toBe(paragraph);
      own.slice(0, -1).forEach((row, at) => {
        const [next = ''] = (own[at + 1] ?? '').split(' ');
        expect(`${row} ${next}`.length).toBeGreaterThanOrEqual(columns);
      });
    }
  },
);
