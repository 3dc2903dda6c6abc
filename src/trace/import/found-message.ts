// The JSON-RPC message in a line of a log: after a time, a level, a name; before a quote, a colour, a duration.
import { ContainerScan } from './container-scan.ts';
import { isList, readJson, type JsonItem, type JsonRecord } from './json-record.ts';
import { luaJson } from './lua-data.ts';

const OPENS = /[{[]/g;
/** Characters before a bracket or the message, without the blanks at their end. */
const LONGEST_BEFORE = 200;
/** A time, a level, a name: brackets before the message. The rest of the line is parsed after each. */
const MAX_BRACKETS = 16;
const LONGEST_AFTER = 200;
const MESSAGE_KEYS = ['jsonrpc', 'method', 'result', 'error'];
const LIST_OPENS = /\[\s*(?:\{|$)/y;
const LUA_OPENS = /\{\s*(?:[A-Za-z_]\w*|\["[^"]{1,40}"\])\s*=/y;
const MESSAGE_OPENS = /\{\s*(?:"(?:jsonrpc|id|method|params|result|error)"\s*:|jsonrpc\s*=)/y;
/** The end of a line within JSON that is printed over several lines. */
const LINE_OPENS = /[{[]\s*(?:"|$)/y;

interface FoundMessage {
  /** The words before it. */
  readonly before: string;
  readonly text: string;
  /** True if the text is not in the file as it is here. */
  readonly isRebuilt: boolean;
}

/** A container that begins in a line and does not end in it. */
export interface OpenMessage {
  readonly before: string;
  readonly start: number;
  readonly isLua: boolean;
  readonly scan: ContainerScan;
  /** True if it begins as a JSON-RPC message. */
  readonly holdsMessage: boolean;
  /** True if the next line may continue it. */
  readonly continues: boolean;
}

/** Returns the message of a line and the text before it; undefined if the line has none. */
export function messageIn(line: string): FoundMessage | undefined {
  const openings = new Openings(line);
  for (let start = openings.next(); start !== undefined; start = openings.next()) {
    const found = messageAt(line, start);
    if (typeof found === 'object') return { before: line.slice(0, start).trim(), ...found };
    if (found === undefined) return undefined;
    openings.from = found;
  }
  return undefined;
}

/** Returns what opens in a line and does not close; undefined if nothing does. */
export function openMessageIn(line: string): OpenMessage | undefined {
  const openings = new Openings(line);
  for (let start = openings.next(); start !== undefined; start = openings.next()) {
    const isLua = matches(LUA_OPENS, line, start);
    const holdsMessage = matches(MESSAGE_OPENS, line, start);
    const scan = new ContainerScan(isLua);
    const end = scan.push(line, start);
    openings.from = end ?? start + 1;
    if (end !== undefined || (!isLua && !holdsMessage && !matches(LINE_OPENS, line, start)))
      continue;
    const before = line.slice(0, start).trim();
    return { before, start, isLua, scan, holdsMessage, continues: !scan.isInString };
  }
  return undefined;
}

/** True if the text begins as a JSON-RPC message. */
export function beginsMessage(text: string): boolean {
  return matches(MESSAGE_OPENS, text, 0);
}

export function holdsMessage(json: JsonRecord | readonly JsonItem[]): boolean {
  const records = isList(json) ? json.map(({ record }) => record) : [json];
  return records.some((record) => MESSAGE_KEYS.some((key) => record?.has(key)));
}

/** True if the object is one message, and not only something with a key of one. */
export function isRpc(record: JsonRecord | undefined): boolean {
  if (!record || !holdsMessage(record)) return false;
  return record.has('jsonrpc') || record.has('method') || record.has('id');
}

/** Places where a message may begin. */
class Openings {
  readonly #line: string;
  #left = MAX_BRACKETS + 1;
  /** Place from which the next one is searched. */
  from = 0;

  constructor(line: string) {
    this.#line = line;
  }

  next(): number | undefined {
    while (this.#left-- > 0) {
      OPENS.lastIndex = this.from;
      const start = OPENS.exec(this.#line)?.index ?? -1;
      const isFar = this.#line.slice(this.from, start).trimEnd().length > LONGEST_BEFORE;
      if (start < 0 || isFar) return undefined;
      this.from = start + 1;
      if (this.#line[start] === '{' || matches(LIST_OPENS, this.#line, start)) return start;
    }
    return undefined;
  }
}

/** Returns the message that opens at a place; otherwise the place where the next one may open, undefined if none may. */
function messageAt(line: string, start: number): Omit<FoundMessage, 'before'> | number | undefined {
  const rest = line.slice(start);
  const whole = readJson(rest);
  if (whole) return holdsMessage(whole) ? { text: rest, isRebuilt: false } : undefined;
  if (rest.startsWith('{\\"')) return escapedAt(line, start);
  const isLua = matches(LUA_OPENS, line, start);
  const end = new ContainerScan(isLua).push(rest, 0);
  // A part of an object that does not end is no message of its own.
  if (end === undefined) return matches(LINE_OPENS, line, start) || isLua ? undefined : start + 1;
  const text = rest.slice(0, end);
  const found = isLua ? luaMessage(text) : jsonMessage(text);
  if (!found) return start + end;
  return mayFollow(line.slice(0, start).trim(), rest.slice(end).trim()) ? found : undefined;
}

function jsonMessage(text: string): Omit<FoundMessage, 'before'> | undefined {
  const json = readJson(text);
  return json && holdsMessage(json) ? { text, isRebuilt: false } : undefined;
}

/** True if a log may add these words after a message: short ones; only marks if nothing is before the message. */
function mayFollow(before: string, after: string): boolean {
  if (before === '') return /^[,;"'`)]{0,3}$/.test(after);
  return after.length <= LONGEST_AFTER && !after.includes('{');
}

/** Returns the table as JSON; undefined if it is no message. */
export function luaMessage(table: string): Omit<FoundMessage, 'before'> | undefined {
  const text = luaJson(table);
  const json = text === undefined ? undefined : readJson(text);
  if (text === undefined || !json || isList(json) || json.text('jsonrpc') !== '2.0')
    return undefined;
  return { text, isRebuilt: true };
}

/** Returns a message within a string of the log: `line="{\"jsonrpc\":…}"`. */
function escapedAt(line: string, start: number): Omit<FoundMessage, 'before'> | undefined {
  let end = line.indexOf('"', start);
  while (end >= 0 && isEscaped(line, end)) end = line.indexOf('"', end + 1);
  let text: unknown;
  try {
    text = JSON.parse(`"${line.slice(start, end < 0 ? line.length : end)}"`);
  } catch {
    return undefined;
  }
  const json = typeof text === 'string' ? readJson(text) : undefined;
  return typeof text === 'string' && json && holdsMessage(json)
    ? { text: text.trimEnd(), isRebuilt: false }
    : undefined;
}

function isEscaped(line: string, at: number): boolean {
  let before = at - 1;
  while (line[before] === '\\') before--;
  return (at - before) % 2 === 0;
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
