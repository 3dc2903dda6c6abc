// Lines that are JSON-RPC, alone or with an arrow, a word or a time before it, as `tee`, agents' own logs and people's
// clipboards hold them. Also messages that are printed over several lines, in a report in Markdown or by `vim.inspect`.
// The message shows who sent a line; an arrow counts once messages have shown which way it points.
import { compactJson } from '../../../lib/json-text.ts';
import type { Side } from '../../event.ts';
import { ContainerScan } from '../container-scan.ts';
import {
  beginsMessage,
  holdsMessage,
  luaMessage,
  messageIn,
  openMessageIn,
  type OpenMessage,
} from '../found-message.ts';
import {
  frame,
  odd,
  type LineFormat,
  type LineTaker,
  type ImportedPiece,
  type Senders,
} from '../format.ts';
import { isList, readJson } from '../json-record.ts';
import { LineClock } from '../line-clock.ts';
import { plainWords, processIn, wayOf, withoutColours, type LineWay } from '../line-prefix.ts';
import { SenderVotes } from '../sender-votes.ts';

/** Lines and characters of one message that is printed over several lines. */
const MOST_LINES = 100_000;
const MOST_CHARS = 64 * 1024 ** 2;
/** A line that says who sends what follows, and nothing else: `**Client:**`. */
const LONGEST_HEADING = 80;
const FENCE = /^\s*(?:```|~~~)/;
const QUOTED = /^\s*(?:> ?)+/;
const NO_MESSAGE = 'no JSON-RPC message';

/** `senders`: what knows the protocol, made again for each file. */
export function plainLines(senders: () => Senders): LineFormat {
  return {
    reads: 'lines',
    word: 'plain',
    name: 'plain JSON-RPC lines',
    clock: 'relative',
    fates: {
      time: ['partly', 'the time before a message, if the line has one'],
      sender: ['inferred', 'from its method, the request it answers, or the arrow before it'],
      line: ['partly', 'from the first brace of the line on; of several lines, made again'],
      order: ['given', ''],
      stderr: ['lost', 'other lines are told, for nobody knows whose they are'],
      process: ['lost', ''],
    },
    fits: (line) => messageIn(withoutColours(line)) !== undefined,
    begin: (only, isApart) => new PlainTaker(senders, only, isApart),
  };
}

const SEVERAL = {
  type: 'gap',
  count: 1,
  reason: 'from here on the lines are of several connections, and do not say which',
  hole: 'several',
} as const;

/** Returns what finds the senders of all lines; `isApart`: one for the lines of each process. */
function votesOf(senders: () => Senders, only: Side | undefined, isApart: boolean) {
  const known = new Map<string, SenderVotes>();
  return (process: string | undefined): SenderVotes => {
    const key = isApart ? (process ?? '') : '';
    const votes = known.get(key) ?? new SenderVotes(senders(), only);
    known.set(key, votes);
    return votes;
  };
}

/** A message whose end has not come. */
interface Open extends OpenMessage {
  readonly lines: string[];
  chars: number;
}

/** The direction and time that a heading gives to the message after it. */
interface Heading {
  readonly way: LineWay | undefined;
  readonly at: number | undefined;
}

class PlainTaker implements LineTaker {
  readonly #clock = new LineClock();
  readonly #votes: (process: string | undefined) => SenderVotes;
  #isMixed = false;
  #open: Open | undefined;
  #heading: Heading | undefined;

  constructor(senders: () => Senders, only: Side | undefined, isApart = false) {
    this.#votes = votesOf(senders, only, isApart);
  }

  get facts(): { readonly clock: 'wall' | 'relative' } {
    return { clock: this.#clock.isWall ? 'wall' : 'relative' };
  }

  get onlySide(): Side | undefined {
    return this.#votes(undefined).onlySide;
  }

  take(line: string): readonly ImportedPiece[] {
    const text = withoutColours(line);
    const found = messageIn(text);
    if (this.#open) {
      // Within a message that is printed over several lines, no line is a message of its own.
      if (!found || isList(readJson(found.text))) return this.#continue(text);
      return [...this.end(), ...this.#frame(found.text, found.before, found.isRebuilt)];
    }
    if (found) return this.#frame(found.text, found.before, found.isRebuilt);
    if (text.trim() === '' || FENCE.test(text)) return [];
    const open = openMessageIn(text);
    if (!open) return this.#words(text);
    this.#open = { ...open, lines: [text.slice(open.start)], chars: text.length };
    return open.continues ? [] : this.end();
  }

  /** Returns the piece of a message that began and did not end. */
  end(): readonly ImportedPiece[] {
    const open = this.#open;
    this.#open = undefined;
    if (!open) return [];
    const isCut = open.holdsMessage || beginsMessage(open.lines.slice(0, 2).join(' '));
    if (!isCut) return [odd(NO_MESSAGE)];
    const heading = this.#headingOf(open.before);
    return [
      {
        type: 'gap',
        count: 1,
        reason: 'the log has only the beginning of this message',
        hole: 'cut',
        ...(heading.at !== undefined && { at: heading.at }),
        process: processIn(open.before),
      },
    ];
  }

  #continue(line: string): readonly ImportedPiece[] {
    const open = this.#open;
    if (!open) return [];
    const text = line.replace(QUOTED, '');
    if (open.lines.length === 1 && opensTable(open.lines[0] ?? '', text)) {
      this.#open = { ...open, isLua: true, scan: new ContainerScan(true) };
      this.#open.scan.push('{', 0);
      return this.#joined(this.#open, text);
    }
    return this.#joined(open, text);
  }

  #joined(open: Open, text: string): readonly ImportedPiece[] {
    open.chars += text.length;
    const end = open.scan.push(text, 0);
    open.lines.push(end === undefined ? text : text.slice(0, end));
    if (end === undefined) {
      const isTooMuch = open.lines.length > MOST_LINES || open.chars > MOST_CHARS;
      return isTooMuch || open.scan.isInString ? this.end() : [];
    }
    this.#open = undefined;
    const pieces = this.#messages(open).flatMap((one) => this.#frame(one, open.before, true));
    return pieces.length > 0 ? pieces : [odd(NO_MESSAGE)];
  }

  /** Returns the messages of a text that was printed over several lines: one, or a list of them. */
  #messages({ lines, isLua }: Open): readonly string[] {
    const text = lines.join('\n');
    if (isLua) return [luaMessage(text)?.text ?? []].flat();
    const json = readJson(text);
    if (!json || !holdsMessage(json)) return [];
    return isList(json) ? json.map((item) => compactJson(item.json)) : [compactJson(text)];
  }

  #frame(text: string, before: string, isRebuilt: boolean): readonly ImportedPiece[] {
    const { way, at } = this.#headingOf(before);
    const process = processIn(before);
    const votes = this.#votes(process);
    const from = votes.next(text, way);
    const inferred = isRebuilt ? (['from', 'line'] as const) : (['from'] as const);
    const piece = { ...frame(from, text, at, ...inferred), ...(process && { process }) };
    if (this.#isMixed || !votes.isMixed) return [piece];
    this.#isMixed = true;
    return [{ ...SEVERAL, at }, piece];
  }

  /** Returns the direction and time from the words before a message and the heading before those. A heading's time is of one message. */
  #headingOf(before: string): Heading {
    const words = plainWords(before);
    const above = this.#heading;
    if (above) this.#heading = { ...above, at: undefined };
    return {
      way: wayOf(words) ?? above?.way,
      at: (words === '' ? undefined : this.#clock.read(words)) ?? above?.at,
    };
  }

  #words(text: string): readonly ImportedPiece[] {
    const words = plainWords(text);
    const isShort = words.length <= LONGEST_HEADING;
    const way = isShort ? wayOf(words) : undefined;
    const at = isShort ? this.#clock.read(words) : undefined;
    this.#heading = way || at !== undefined ? { way, at } : undefined;
    return way && isHeading(words) ? [] : [odd(NO_MESSAGE)];
  }
}

/** True if a table of Lua continues in the second line. */
function opensTable(first: string, second: string): boolean {
  return first.trim() === '{' && /^\s*(?:[A-Za-z_]\w*|\["[^"]{1,40}"\])\s*=/.test(second);
}

/** True for headings such as `**Client:**`, `→ 10:00:00`, `Agent → client`; not for `the agent sends nothing`. */
function isHeading(words: string): boolean {
  return /^\W/.test(words) || /[:\d\W]$/.test(words) || !/\s\w+\s/.test(words);
}
