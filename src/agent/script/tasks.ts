// What the pretended coding turns are about. Nothing of it is read from or written to a disk.

export interface Task {
  readonly about: string;
  readonly file: string;
  /** Where the fault is: the line the agent looks at. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
  readonly thought: string;
  readonly found: string;
  readonly testFile: string;
  readonly tests: readonly string[];
  readonly summary: string;
  readonly more: string;
}

export const TASKS: readonly [Task, ...Task[]] = [
  {
    about: 'the greeting',
    file: 'src/greeting.ts',
    line: 2,
    before: `export function greet(name: string): string {
  return \`Hello, \${name}!\`;
}
`,
    after: `export function greet(name: string): string {
  const known = name.trim();
  return known === '' ? 'Hello!' : \`Hello, \${known}!\`;
}
`,
    thought:
      'An empty name would give “Hello, !”. I should look at the function first, then see who calls it.',
    found: 'The name goes into the text as it is, so an empty one leaves a lonely comma behind.',
    testFile: 'greeting.test.ts',
    tests: ['greets Zoë by name', 'greets 世界 by name', 'greets nobody without a comma'],
    summary: 'An empty name now gives “Hello!”, and spaces around a name are dropped.',
    more: 'Names such as “Zoë” and “世界” go through unchanged: only white space is cut → nothing else.',
  },
  {
    about: 'the dates',
    file: 'src/parse-date.ts',
    line: 3,
    before: `export function parseDay(text: string): Date {
  const [year, month, day] = text.split('-').map(Number);
  return new Date(year ?? 0, month ?? 0, day ?? 1);
}
`,
    after: `export function parseDay(text: string): Date {
  const [year, month, day] = text.split('-').map(Number);
  return new Date(Date.UTC(year ?? 0, (month ?? 1) - 1, day ?? 1));
}
`,
    thought:
      'Months count from zero in a Date, and the time zone matters too. Both could move the day…',
    found: 'The month is one too high, and the day is built in local time: west of 0° it slips.',
    testFile: 'parse-date.test.ts',
    tests: ['reads 1 January', 'reads 29 février 2028', 'is the same day in every time zone'],
    summary: 'Dates are now read in UTC, with the month counted from zero.',
    more: 'Callers that add hours on their own should be looked at once more — I saw two of them.',
  },
  {
    about: 'the prices',
    file: 'src/cart.ts',
    line: 2,
    before: `export function total(prices: readonly number[]): number {
  return prices.reduce((sum, price) => sum + price, 0);
}
`,
    after: `export function total(prices: readonly number[]): number {
  const cents = prices.reduce((sum, price) => sum + Math.round(price * 100), 0);
  return cents / 100;
}
`,
    thought:
      'Ten times 0.10 € is not 1 € in floating point. Counting in cents would be exact enough here.',
    found: 'The prices are added as fractions, so 0.1 € + 0.2 € ends in 0.30000000000000004 €.',
    testFile: 'cart.test.ts',
    tests: ['adds nothing to 0 €', 'adds 0.10 € ten times to 1 €', 'adds 19.99 € and 0.01 €'],
    summary: 'Totals are now counted in cents, so 0.1 € + 0.2 € is 0.3 €.',
    more: 'Prices with more than two decimals are rounded to the nearest cent before they are added.',
  },
  {
    about: 'the search',
    file: 'src/search.ts',
    line: 2,
    before: `export function find(names: readonly string[], part: string): string[] {
  return names.filter((name) => name.includes(part));
}
`,
    after: `export function find(names: readonly string[], part: string): string[] {
  const wanted = fold(part);
  return names.filter((name) => fold(name).includes(wanted));
}

function fold(text: string): string {
  return text.normalize('NFD').replace(/\\p{Mn}/gu, '').toLowerCase();
}
`,
    thought:
      'A search for “cafe” should find “Café”. So both sides need the same folding: case, then marks.',
    found: 'Names are compared letter by letter: “Café”, “café” and “CAFÉ” are three names to it.',
    testFile: 'search.test.ts',
    tests: ['finds Café by cafe', 'finds Ærø by ær', 'finds nothing by xyz'],
    summary: 'The search now ignores case and accents on both sides.',
    more: 'Letters that are no accents stay as they are: “Ærø” is found by “ær”, not by “aer”.',
  },
];
