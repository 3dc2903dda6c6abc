// What differs between any two runs, found in the values of one trace: ids by their key and wherever
// they are repeated, working folders, temporary and home folders, dates. Each is put elsewhere as a
// kind and a real value; what stands in its place is the caller's.
import { isAbsolutePath } from '../../lib/absolute-path.ts';
import { isTimeKey } from '../../model/time-key.ts';
import type { AliasKind } from '../../model/sessions/compare-terms.ts';

/** What to write in place of a real value. */
export type Put = (kind: AliasKind, real: string) => string;

const ID_KEYS: ReadonlyMap<string, AliasKind> = new Map([
  ['sessionId', 'session'],
  ['senderSessionId', 'session'],
  ['recipientSessionId', 'session'],
  ['parentSessionId', 'session'],
  ['toolCallId', 'tool'],
  ['parentToolCallId', 'tool'],
  ['toolUseId', 'tool'],
  ['parentToolUseId', 'tool'],
  ['messageId', 'message'],
  ['senderMessageId', 'message'],
  ['recipientMessageId', 'message'],
  ['terminalId', 'terminal'],
  ['planId', 'plan'],
  ['requestId', 'request'],
]);

/** What stands under these is a word of the protocol. */
const PROTOCOL_WORDS: ReadonlySet<string> = new Set(['jsonrpc', 'method', 'sessionUpdate']);

/** Shorter ids mean themselves only under their key: `t1` may be a word of a text. */
const SHORTEST = 6;
/** What is looked for has at least so many characters. */
const LEAST = 5;
const MOST_FOLDERS = 20;

const UUID = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';
const DATE = String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?`;
/** The end of one name in a path. */
const NAME = String.raw`[^/\\\s"'<>:;,)\]}]+`;
const TEMP = String.raw`(?:/private)?/(?:tmp|var/tmp|var/folders/${NAME}/${NAME}/T)/${NAME}|[A-Za-z]:[\\/]+Users[\\/]+${NAME}[\\/]+AppData[\\/]+Local[\\/]+Temp[\\/]+${NAME}`;
const HOME = String.raw`(?<![\w.\\/-])(?:/?(?:home|Users)/${NAME}|/root(?![\w.-])|[A-Za-z]:[\\/]+Users[\\/]+${NAME})`;

/** Titles may name a path without its first slash. */
const ROOT = String.raw`(?:/|(?<![\w.\\/-]))`;

const INFO_KEYS: ReadonlySet<string> = new Set(['agentInfo', 'clientInfo', 'info', 'serverInfo']);

export class Masks {
  readonly #raw: ReadonlySet<AliasKind>;
  readonly #rawValues: ReadonlySet<string>;
  /** Ids seen under their key, long enough to be known again anywhere. */
  readonly #known = new Map<string, AliasKind>();
  /** 1 for each length that one of them has: a word of another length is none. */
  readonly #lengths = new Uint8Array(MOST_LENGTH);
  readonly #paths: RegExp;
  readonly #dates: boolean;

  /** `folders`: working folders of its sessions. */
  constructor(
    raw: ReadonlySet<AliasKind>,
    rawValues: ReadonlySet<string>,
    folders: readonly string[],
  ) {
    this.#raw = raw;
    this.#rawValues = rawValues;
    const places = [...new Set(folders)]
      .filter((folder) => isAbsolutePath(folder) && folder.length > LEAST && !rawValues.has(folder))
      .sort((one, other) => other.length - one.length)
      .slice(0, MOST_FOLDERS)
      .map((folder) => `${escaped(folder).replace(/^\//, ROOT)}(?![\\w-])`);
    const isOn = (kind: AliasKind) => !raw.has(kind);
    const never = '(?!)';
    const parts = [
      isOn('folder') && places.length > 0 ? places.join('|') : never,
      isOn('temp') ? TEMP : never,
      isOn('home') ? HOME : never,
    ];
    this.#paths = new RegExp(parts.map((part) => `(${part})`).join('|'), 'g');
    this.#dates = isOn('time');
  }

  /** The string under this key with every real value replaced. */
  text(text: string, key: string, parent: string, put: Put): string {
    const kind = kindOf(key, parent);
    if (kind !== undefined && text !== '') {
      if (text.length >= SHORTEST && !this.#known.has(text)) {
        this.#known.set(text, kind);
        this.#lengths[lengthOf(text)] = 1;
      }
      return this.#put(kind, text, put);
    }
    if (text.length < LEAST || PROTOCOL_WORDS.has(key)) return text;
    if (this.#lengths[lengthOf(text)] === 1) {
      const known = this.#known.get(text);
      if (known !== undefined) return this.#put(known, text, put);
    }
    const signs = signsOf(text);
    // An id, a date and a folder have a digit or a slash; most texts have neither.
    if ((signs & (DIGIT | SLASH)) === 0) return text;
    if ((signs & ~(DIGIT | DOT)) === 0 && NUMERIC.test(text) && isTimeKey(key))
      return this.#put('time', text, put);
    let left = text;
    if (this.#dates && (signs & DATE_SIGNS) === DATE_SIGNS)
      left = left.replace(DATES, (date) => this.#put('time', date, put));
    if ((signs & SLASH) !== 0)
      left = left.replace(this.#paths, (found: string, folder?: string, temp?: string) => {
        if (folder !== undefined) return this.#put('folder', rooted(found), put);
        if (temp !== undefined) return this.#put('temp', found, put);
        return this.#put('home', rooted(found), put);
      });
    return this.#ids(left, put);
  }

  /** With the ids in it replaced: whole words, or UUIDs as a part of one. */
  #ids(text: string, put: Put): string {
    let told = '';
    let from = 0;
    for (let end = 0; end < text.length; end++) {
      const begin = end;
      while ((CLASSES[text.charCodeAt(end)] ?? 0) >= WORD) end++;
      const length = end - begin;
      if (
        length < SHORTEST ||
        !(length >= UUID_LENGTH || this.#lengths[lengthOf({ length })] === 1)
      )
        continue;
      const word = text.slice(begin, end);
      const id = this.#known.get(word);
      const said =
        id !== undefined
          ? this.#put(id, word, put)
          : word.replace(UUIDS, (uuid) => this.#put(this.#known.get(uuid) ?? 'uuid', uuid, put));
      if (said === word) continue;
      told += text.slice(from, begin) + said;
      from = end;
    }
    return from === 0 ? text : told + text.slice(from);
  }

  /** What stands for a number under this key; undefined: itself. */
  number(value: number, key: string, put: Put): string | undefined {
    if (key === 'requestId') return this.#put('request', String(value), put);
    if (this.#raw.has('time') || !isTimeKey(key)) return undefined;
    return put('time', String(value));
  }

  /** The id of a request; `askedBy` the client or the agent: both count from 0. */
  request(token: string, askedBy: 'client' | 'agent', put: Put): string {
    return this.#put('request', askedBy === 'client' ? `→${token}` : `←${token}`, put);
  }

  #put(kind: AliasKind, real: string, put: Put): string {
    return this.#raw.has(kind) || this.#rawValues.has(real) ? real : put(kind, real);
  }
}

const UUIDS = new RegExp(UUID, 'g');
const UUID_LENGTH = 36;
const DATES = new RegExp(DATE, 'g');
const NUMERIC = /^\d+(?:\.\d+)?$/;

// What stands in a text, one bit each: a look at it saves the patterns that cannot match.
const SLASH = 1;
const COLON = 2;
const DOT = 4;
/** From here on: signs of which words are made. */
const WORD = 8;
const DASH = 16;
const DIGIT = 32;
const DATE_SIGNS = DIGIT | DASH | COLON;

/** By ASCII code; what is behind has none. */
const CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code);
  if (/[/\\]/.test(sign)) return SLASH;
  if (sign === ':') return COLON;
  if (sign === '.') return DOT;
  if (sign === '-') return DASH;
  if (/\d/.test(sign)) return DIGIT;
  return /\w/.test(sign) ? WORD : 0;
});

function signsOf(text: string): number {
  let signs = 0;
  for (let at = 0; at < text.length; at++) signs |= CLASSES[text.charCodeAt(at)] ?? 0;
  return signs;
}

/** Of an id; longer ones count as one. */
function lengthOf(text: { readonly length: number }): number {
  return Math.min(text.length, MOST_LENGTH - 1);
}

const MOST_LENGTH = 128;

function kindOf(key: string, parent: string): AliasKind | undefined {
  if (key === 'cwd') return 'folder';
  if (key === 'version' && INFO_KEYS.has(parent)) return 'version';
  return ID_KEYS.get(key);
}

function rooted(path: string): string {
  return /^(?:[/\\]|[A-Za-z]:)/.test(path) ? path : `/${path}`;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
