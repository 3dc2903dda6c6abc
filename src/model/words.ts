// Small words and figures of summaries. What peers wrote is data: it comes out as one line, without
// terminal codes, and with characters that hide or turn text made visible.
import { withoutEnd } from '../lib/sentence.ts';
import { isObject, str } from '../acp/json.ts';
import type { Failure, Json } from '../acp/message.ts';
import { count } from '../lib/format.ts';
import { formatSpan } from '../lib/format-time.ts';
import type { LeftProgram, Sleep } from '../trace/event.ts';

/** Longest text in a summary; the row cuts it again where it is narrower. */
const LONGEST = 240;
/** So much is looked at: enough to fill a line even if most of it is white space. */
const LOOKED_AT = 1000;

/** CSI and OSC sequences, and lone escapes. */
const TERMINAL_CODES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)/g;
const WHITE = /[\s\u0000-\u001f\u007f-\u009f]+/g;
const HIDDEN = /[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** One line of at most `longest` characters; what was cut ends in `…`. */
export function oneLine(text: string, longest = LONGEST): string {
  const line = text
    .slice(0, Math.max(LOOKED_AT, longest))
    .replace(HIDDEN, (hidden) => `\\u${hidden.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replace(TERMINAL_CODES, '')
    .replace(WHITE, ' ')
    .trim();
  if (line.length <= longest) return text.length > LOOKED_AT && line !== '' ? `${line}…` : line;
  // A pair of surrogates is one character.
  const end = /[\ud800-\udbff]/.test(line[longest - 1] ?? '') ? longest - 1 : longest;
  return `${line.slice(0, end)}…`;
}

/** `“text so far”`; nothing for an empty text. */
export function quoted(text: string): string {
  const line = oneLine(text);
  return line === '' ? '' : `“${line}”`;
}

/** `The machine slept for 8 h`, as far as that is known. */
export function sleepWords({ ms, counted, unsure }: Sleep): string {
  const span = formatSpan(ms);
  if (unsure) return `The clock went forward by ${span}: the machine slept, or it was set`;
  if (counted === 0) return `The machine slept for ${span}`;
  return `Nothing ran here for ${span}: the machine slept, or the recorder was stopped`;
}

const MOST_PROGRAMS = 8;

/** `sleep (pid 4711), node (pid 4712)` */
export function programWords(programs: readonly LeftProgram[]): string {
  const named = programs
    .slice(0, MOST_PROGRAMS)
    .map(({ pid, name }) => `${oneLine(name, 40)} (pid ${pid})`);
  const more = programs.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** What an agent started and left running, and what to do, as sentences. */
export function leftSentence(left: readonly LeftProgram[]): string {
  const [still, them] = left.length === 1 ? ['still runs', 'it'] : ['still run', 'them'];
  const pids = left.map(({ pid }) => pid).join(' ');
  return `${count(left.length, 'program')} that the agent started ${still}: ${programWords(left)}. To end ${them}: kill ${pids}`;
}

interface PeerName {
  readonly name?: string | undefined;
  readonly title?: string | undefined;
  readonly version?: string | undefined;
}

/** What a peer calls itself before people: `Claude Agent 0.5.1`. */
export function peerWords(
  { name, title, version }: PeerName,
  otherwise = 'An agent without a name',
): string {
  return [title ?? name ?? otherwise, version].filter(Boolean).join(' ');
}

/** Facts in their order, without those that say nothing. */
export function facts(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== false && part !== '').join(' · ');
}

/** A UUID, and what an agent has put behind it to make the id of something it belongs to. */
const UUID = /^([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(.*)/is;

/** Characters of an id that are shown at its end. */
const LEAST = 6;
/** What says what the id is of. */
const KIND = /^[a-z]{1,5}[_-]/i;

/** A UUID that begins with when it was made. */
const OF_TIME = /^[0-9a-f]{8}-[0-9a-f]{4}-7/i;

/**
 * The first group of a UUID, the end of an id that begins with another. Other long ids by their end, `sess_…b6a9f2`:
 * many begin with when they were made, those of one minute alike.
 */
export function shortId(id: string): string {
  const [, first, own = ''] = UUID.exec(id) ?? [];
  if (own !== '') return `…${oneLine(own.slice(-12))}`;
  if (first !== undefined && !OF_TIME.test(id)) return first;
  if (id.length <= 16) return oneLine(id);
  const end = Array.from(id.slice(-2 * LEAST)).slice(-LEAST);
  return oneLine(`${KIND.exec(id)?.[0] ?? ''}…${end.join('')}`);
}

/**
 * Ids that stand in one list, short: as `shortId` where no other begins so, else from where they begin
 * to differ, `…0078b6a9`.
 */
export function idsApart(ids: Iterable<string>): (id: string) => string {
  const alike = new Map<string, { many: number; shared: string }>();
  for (const id of new Set(ids)) {
    const short = shortId(id);
    const { many, shared } = alike.get(short) ?? { many: 0, shared: id };
    let end = 0;
    while (end < shared.length && shared[end] === id[end]) end++;
    alike.set(short, { many: many + 1, shared: shared.slice(0, end) });
  }
  return (id) => {
    const short = shortId(id);
    const { many, shared } = alike.get(short) ?? { many: 1, shared: '' };
    return many > 1 && shared !== id
      ? `…${oneLine(id.slice(Math.min(shared.length, id.length - LEAST)), 12)}`
      : short;
  };
}

/** The last part of a path or URI, on any system. */
export function baseName(path: string): string {
  const name = withoutEnd(path, '/\\');
  return oneLine(name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1) || path);
}

/** An error code as people write it: `−32602`. */
export function minus(code: number | undefined): string {
  return String(code).replace('-', '−');
}

/** `−32602 Invalid params: unsupported cursor`, without a full stop: it stands within sentences. */
export function errorWords(error: Failure['error']): string {
  return oneLine(`${minus(error.code)} ${errorText(error)}`.replace(/(?<!\.)\.$/, ''));
}

/** What an error says: behind a general message many agents say in the data what was wrong. */
export function errorText({ message, data }: Failure['error']): string {
  const detail = detailOf(data);
  return detail === undefined || message.includes(detail) ? message : `${message}: ${detail}`;
}

/** What an error's data say beside its message, where they say it in words. */
function detailOf(data: Json | undefined): string | undefined {
  if (typeof data === 'string') return data;
  if (!isObject(data)) return undefined;
  return str(data, 'message') ?? str(data, 'details') ?? str(data, 'detail') ?? str(data, 'reason');
}

/**
 * A value nobody knows the meaning of: its first scalars with their keys, never cut JSON.
 * `kind api_key · label Anthropic API key`
 */
export function described(value: Json | undefined): string {
  const found: string[] = [];
  collect(value, '', found, 3);
  return facts(...found);
}

const MOST_FACTS = 4;

function collect(value: Json | undefined, key: string, found: string[], depth: number): void {
  if (found.length >= MOST_FACTS || value === undefined) return;
  const name = key === '' ? '' : `${oneLine(key, 40)} `;
  if (Array.isArray(value)) {
    if (value.length > 0)
      found.push(count(value.length, name.trim() || 'item', name.trim() || 'items'));
    return;
  }
  if (!isObject(value)) {
    if (value !== null && value !== '') found.push(`${name}${oneLine(String(value), 80)}`);
    return;
  }
  if (depth === 0) return;
  for (const [inner, item] of Object.entries(value))
    if (inner !== '_meta' && inner !== 'sessionId') collect(item, inner, found, depth - 1);
}
