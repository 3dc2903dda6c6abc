// Lines that are JSON-RPC and nothing else, or with an arrow, a word or a time before it: what `tee`,
// agents' own logs and people's clipboards hold. Who sent a line is told by what it says; an arrow is
// believed once messages have shown which way it points.
import { isList, readJson, type JsonItem, type JsonRecord } from '../json-record.ts';
import { otherSide, type Side } from '../../event.ts';
import {
  frame,
  odd,
  type LineFormat,
  type LineTaker,
  type ImportedPiece,
  type Senders,
} from '../format.ts';

const OPENS = /[{[]/g;
const BRACKET_ENDS = /[\]}]\s/g;
const OUT = /(→|->|>>|\bout(going|put|bound)?\b|\bsen[dt]\b|\brequest\b|\bclient\b)/i;
const IN = /(←|<-|<<|\bin(coming|put|bound)?\b|\brec(v|eived?)\b|\bresponse\b|\bagent\b)/i;
/** Characters before a bracket or the message, without the blanks at their end. */
const LONGEST_BEFORE = 200;
/** A time, a level, a name: brackets before the message. The rest of the line is parsed after each. */
const MAX_BRACKETS = 16;
const MESSAGE_KEYS = ['jsonrpc', 'method', 'result', 'error'];

type Way = 'out' | 'in';

/** `senders`: what knows the protocol, made anew for each file. */
export function plainLines(senders: () => Senders): LineFormat {
  return {
    reads: 'lines',
    word: 'plain',
    name: 'plain JSON-RPC lines',
    clock: 'none',
    fates: {
      time: ['lost', 'what stands before a message is not taken for one'],
      sender: ['inferred', 'from its method, the request it answers, or the arrow before it'],
      line: ['given', 'from the first brace of the line on'],
      order: ['given', ''],
      stderr: ['lost', 'other lines are told, for nobody knows whose they are'],
      process: ['lost', ''],
    },
    fits: (line) => messageIn(line) !== undefined,
    begin: () => new Taker(senders()),
  };
}

class Taker implements LineTaker {
  readonly #senders: Senders;
  /** Whose way `out` is: votes of messages that tell their sender. */
  #votes = 0;

  constructor(senders: Senders) {
    this.#senders = senders;
  }

  take(line: string): readonly ImportedPiece[] {
    if (line.trim() === '') return [];
    const found = messageIn(line);
    if (!found) return [odd('no JSON-RPC message')];
    const told = this.#senders.next(found.text);
    const way = wayOf(found.before);
    if (told && way) this.#votes += (told === 'client') === (way === 'out') ? 1 : -1;
    const pointed: Side | undefined =
      way && (way === 'out') === this.#votes >= 0 ? 'client' : way && otherSide('client');
    return [frame(told ?? pointed ?? 'agent', found.text, undefined, 'from')];
  }
}

function wayOf(before: string): Way | undefined {
  if (before === '') return undefined;
  const [out, into] = [OUT.exec(before), IN.exec(before)];
  if (out && into) return out.index < into.index ? 'out' : 'in';
  return out ? 'out' : into ? 'in' : undefined;
}

/** Returns the message of a line and the text before it; undefined if the line has none. */
function messageIn(line: string): { readonly before: string; readonly text: string } | undefined {
  let from = 0;
  for (let brackets = 0; brackets <= MAX_BRACKETS; brackets++) {
    const start = indexFrom(line, OPENS, from);
    if (start < 0 || line.slice(from, start).trimEnd().length > LONGEST_BEFORE) return undefined;
    const text = line.slice(start);
    const json = readJson(text);
    if (json) return isMessage(json) ? { before: line.slice(0, start).trim(), text } : undefined;
    // A time in brackets stands before the message too.
    const end = line[start] === '[' ? indexFrom(line, BRACKET_ENDS, start) : -1;
    if (end < 0) return undefined;
    from = end + 1;
  }
  return undefined;
}

function indexFrom(line: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(line)?.index ?? -1;
}

function isMessage(json: JsonRecord | readonly JsonItem[]): boolean {
  const records = isList(json) ? json.map(({ record }) => record) : [json];
  return records.some((record) => MESSAGE_KEYS.some((key) => record?.has(key)));
}
