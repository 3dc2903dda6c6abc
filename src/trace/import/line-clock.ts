// The times that a log writes: before each message as text, or in a field beside it. A file is read by the first kind of
// time that it shows, so that all its times count from one beginning.

const DAY = 24 * 60 * 60 * 1000;
const YEAR = 366 * DAY;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const PATTERNS = {
  date: /(?<!\d)(\d{4})[-/](\d\d)[-/](\d\d)[T ]{1,2}(\d{1,2}):(\d\d):(\d\d)(?:[.,](\d{1,9}))? ?(Z|UTC|GMT|[-+]\d\d:?\d\d(?!\d))?/,
  month:
    /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec) {1,2}(\d{1,2}) (\d{1,2}):(\d\d):(\d\d)(?:[.,](\d{1,9}))?/i,
  clock: /(?<![\d:])(\d{1,2}):(\d\d):(\d\d)(?:[.,](\d{1,9}))?(?![\d:])/,
  epoch: /(?<![\d.])(1\d{9})(?:(\d{3})|\.(\d{1,9}))?(?![\d.])/,
} as const;
type TimeKind = keyof typeof PATTERNS;
const KINDS = Object.keys(PATTERNS) as readonly TimeKind[];

/** Reads the times of one file. */
export class LineClock {
  #kind: TimeKind | undefined;
  #isWall = false;
  /** Milliseconds that the calendar lacks: days after midnight, years after a new year. */
  #turned = 0;
  #last: number | undefined;

  /** True if the times are moments; false if they have no time zone or date, or no time was read. */
  get isWall(): boolean {
    return this.#isWall;
  }

  /** Returns the milliseconds of the time in the text; undefined if it has none of the kind that this file shows. */
  read(text: string): number | undefined {
    const kinds = this.#kind === undefined ? KINDS : [this.#kind];
    for (const kind of kinds) {
      const match = PATTERNS[kind].exec(text);
      const found = match && timeOf(kind, match);
      if (found) return this.#take(kind, found.time, found.isWall);
    }
    return undefined;
  }

  /** Reads a number as `read` does a text: seconds, milliseconds, microseconds or nanoseconds since 1970, by its size. */
  readNumber(value: number): number | undefined {
    const unit = UNITS.find(([least]) => value >= least);
    if (!unit || (this.#kind !== undefined && this.#kind !== 'epoch')) return undefined;
    return this.#take('epoch', value / unit[1], true);
  }

  #take(kind: TimeKind, time: number, isWall: boolean): number {
    if (this.#kind === undefined) [this.#kind, this.#isWall] = [kind, isWall];
    const turn = { month: YEAR, clock: DAY, date: 0, epoch: 0 }[kind];
    if (this.#last !== undefined && turn > 0 && time + this.#turned < this.#last - turn / 2)
      this.#turned += turn;
    this.#last = time + this.#turned;
    return this.#last;
  }
}

/** The least number of each unit in this century, and how many of it are a millisecond. */
const UNITS: readonly (readonly [least: number, perMs: number])[] = [
  [1e18, 1e6],
  [1e15, 1e3],
  [1e12, 1],
  [1e9, 1e-3],
];

function timeOf(
  kind: TimeKind,
  match: RegExpExecArray,
): { readonly time: number; readonly isWall: boolean } | undefined {
  const [, ...parts] = match as readonly (string | undefined)[];
  switch (kind) {
    case 'date': {
      const [year, month, day, hours, minutes, seconds, fraction, zone] = parts;
      const date = Date.UTC(Number(year), Number(month) - 1, Number(day));
      const local = date + ofDay(hours, minutes, seconds, fraction);
      return { time: local - offsetOf(zone), isWall: zone !== undefined };
    }
    case 'month': {
      const [month = '', day, hours, minutes, seconds, fraction] = parts;
      // The year is not written; a leap year has every day.
      const date = Date.UTC(2000, MONTHS.indexOf(month.toLowerCase()), Number(day));
      return { time: date + ofDay(hours, minutes, seconds, fraction), isWall: false };
    }
    case 'clock': {
      const [hours, minutes, seconds, fraction] = parts;
      return { time: ofDay(hours, minutes, seconds, fraction), isWall: false };
    }
    case 'epoch': {
      const [seconds, thousandths, fraction] = parts;
      return {
        time: Number(seconds) * 1000 + (Number(thousandths) || part(fraction)),
        isWall: true,
      };
    }
  }
}

function ofDay(hours = '0', minutes = '0', seconds = '0', fraction?: string): number {
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + part(fraction);
}

function part(fraction: string | undefined): number {
  return fraction === undefined ? 0 : Number(`0.${fraction}`) * 1000;
}

function offsetOf(zone: string | undefined): number {
  const [, sign, hours, minutes] = /^([-+])(\d\d):?(\d\d)$/.exec(zone ?? '') ?? [];
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
