// Lines that are JSON-RPC and nothing else, or with an arrow, a word or a time before it: what `tee`,
// agents' own logs and people's clipboards hold. Who sent a line is told by what it says; an arrow is
// believed once messages have shown which way it points.
import { readJson, type JsonRecord } from '../json-record.ts';
import { otherSide, type Side } from '../../event.ts';
import {
  frame,
  odd,
  type LineFormat,
  type LineTaker,
  type ImportedPiece,
  type Senders,
} from '../format.ts';

/** What stands before the message, and the message. */
const LINE = /^([^{[]*?)\s*([{[].*)$/s;
const OUT = /(→|-+>|>>|\bout(going|put|bound)?\b|\bsen[dt]\b|\brequest\b|\bclient\b)/i;
const IN = /(←|<-+|<<|\bin(coming|put|bound)?\b|\brec(v|eived?)\b|\bresponse\b|\bagent\b)/i;
const LONGEST_BEFORE = 200;
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

function messageIn(line: string): { readonly before: string; readonly text: string } | undefined {
  const [, before = '', text = ''] = LINE.exec(line) ?? [];
  if (text === '' || before.length > LONGEST_BEFORE) return undefined;
  // A time in brackets stands before the message too.
  const json = readJson(text);
  if (json === undefined) {
    const next = text.search(/[\]}]\s/);
    if (!text.startsWith('[') || next < 0) return undefined;
    const rest = messageIn(text.slice(next + 1));
    return rest && { before: before + text.slice(0, next + 1) + rest.before, text: rest.text };
  }
  const records = Array.isArray(json) ? json.map(({ record }) => record) : [json as JsonRecord];
  const isMessage = records.some((record) => MESSAGE_KEYS.some((key) => record?.has(key)));
  return isMessage ? { before: before.trim(), text } : undefined;
}
