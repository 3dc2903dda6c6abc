// What differs between any two runs, found in the values of one trace: ids by their key and wherever
// they are repeated, working folders, temporary and home folders, dates. Each is put elsewhere as a
// kind and a real value; what stands in its place is the caller's.
import { isAbsolutePath } from '../../lib/absolute-path.ts';
import type { AliasKind } from './report.ts';

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
]);

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

/** `updatedAt`, `durationMs`, `started_at_ms`, `timestamp`; not `timeout`. */
const TIME_KEY =
  /(?:^|_)(?:timestamp|time|date|duration|elapsed)(?:$|_)|(?:timestamp|duration|elapsed|time|total|started|ended)_?ms$|(?:time|timestamp|duration|elapsed)$|[a-z]At(?:Ms)?$|_at(?:_ms)?$/iu;
const INFO_KEYS: ReadonlySet<string> = new Set(['agentInfo', 'clientInfo', 'info', 'serverInfo']);

export class Masks {
  readonly #raw: ReadonlySet<AliasKind>;
  readonly #rawValues: ReadonlySet<string>;
  /** Ids seen under their key, long enough to be known again anywhere. */
  readonly #known = new Map<string, AliasKind>();
  readonly #pattern: RegExp;

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
      ['date', isOn('time') ? DATE : never],
      ['folder', isOn('folder') && places.length > 0 ? places.join('|') : never],
      ['temp', isOn('temp') ? TEMP : never],
      ['home', isOn('home') ? HOME : never],
      ['word', String.raw`[\w-]{${SHORTEST},}`],
    ];
    this.#pattern = new RegExp(parts.map(([name, of]) => `(?<${name}>${of})`).join('|'), 'g');
  }

  /** The string under this key with every real value replaced. */
  text(text: string, key: string, parent: string, put: Put): string {
    const kind = kindOf(key, parent);
    if (kind !== undefined && text !== '') {
      if (text.length >= SHORTEST) this.#known.set(text, kind);
      return this.#put(kind, text, put);
    }
    if (text.length < LEAST) return text;
    const known = this.#known.get(text);
    if (known !== undefined) return this.#put(known, text, put);
    if (TIME_KEY.test(key) && /^\d+(?:\.\d+)?$/.test(text)) return this.#put('time', text, put);
    return text.replace(this.#pattern, (found: string, ...groups: unknown[]) => {
      const [date, folder, temp, home] = groups;
      if (date !== undefined) return this.#put('time', found, put);
      if (folder !== undefined) return this.#put('folder', rooted(found), put);
      if (temp !== undefined) return this.#put('temp', found, put);
      if (home !== undefined) return this.#put('home', rooted(found), put);
      const id = this.#known.get(found);
      if (id !== undefined) return this.#put(id, found, put);
      if (found.length < 36) return found;
      return found.replace(UUIDS, (uuid) => this.#put(this.#known.get(uuid) ?? 'uuid', uuid, put));
    });
  }

  /** What stands for a number under this key; undefined: itself. */
  number(value: number, key: string, put: Put): string | undefined {
    if (!TIME_KEY.test(key) || this.#raw.has('time')) return undefined;
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
