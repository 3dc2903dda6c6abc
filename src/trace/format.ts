// The trace file, `*.acptrace.jsonl`: JSON lines in UTF-8. Line 1 is the header, each further line
// one event of event.ts, in the order recorded. Appending is legal while recording. A reader
// refuses a newer version, and keeps fields it does not know. A file keeps the version it has, so that
// it comes back byte for byte; an older one is read by what the steps below say of it.
import { nestsDeeper } from '../lib/json-scan.ts';
import type { ConnectionId, Frame, Seq, TraceEvent } from './event.ts';

export const FORMAT = 'acptrace';
/** The newest that is read. */
export const FORMAT_VERSION = 2;
/** How deep a header or an event nests, of which the text of a line is a part. */
const MAX_DEPTH = 500;
/** Of a trace whose events all have times: what reads version 1 alone reads it too. */
export const TIMED_VERSION = 1;

export interface Header {
  readonly format: typeof FORMAT;
  readonly version: number;
  /** ISO 8601 wall clock of `at` 0. */
  readonly created: string;
  /** `acp-scope 0.1.0`. */
  readonly tool: string;
  readonly connection?: ConnectionId;
  readonly name?: string;
  readonly mode?: 'drive' | 'tap';
  readonly argv?: readonly string[];
  readonly cwd?: string;
  /** Pid of the process that writes this file, while it does. */
  readonly writer?: number;
  /**
   * What `at` counts: `monotonic` milliseconds; `wall`, those of a clock that may run backwards;
   * `imported` where the source did not say when its clock began.
   */
  readonly clock: 'monotonic' | 'wall' | 'imported';
  /** What was left out of it, where it was made to be shared. */
  readonly redacted?: Redacted;
}

export interface Redacted {
  readonly level: string;
  /** How many different values, by what told that they are secrets. */
  readonly secrets: Readonly<Record<string, number>>;
}

/** Why a line is no header or event, as a sentence. */
export interface Unreadable {
  readonly problem: string;
  /** It is no header of ours at all: perhaps another format. */
  readonly foreign?: true;
}

/** The wall clock of `at` 0 in milliseconds, where the trace knows it. */
export function beganAt({ clock, created }: Header): number | undefined {
  return clock === 'imported' ? undefined : Date.parse(created);
}

export function headerLine(header: Header): string {
  return JSON.stringify(header);
}

export function eventLine(event: TraceEvent): string {
  return JSON.stringify(event);
}

/** What stands in `eventLine` of a frame before its number, between that and the characters of its text, and behind those. */
export function aroundText(
  { at, from, origin }: Pick<Frame, 'at' | 'from' | 'origin'>,
  more: Partial<Frame> | undefined,
): readonly [string, string, string] {
  const rest = more === undefined ? '' : JSON.stringify(more).slice(1, -1);
  return [
    '{"type":"frame","seq":',
    `,"at":${at},"from":"${from}","line":{"text":"`,
    `"},"origin":"${origin}"${rest && `,${rest}`}}`,
  ];
}

const BEFORE_TEXT =
  /\{"type":"frame","seq":\d+,(?:"at":[-+.\de]+,)?"from":"(?:client|agent)","line":\{"text":/y;
const BEHIND_TEXT = '"},"origin":"';
const ORIGIN = /[a-z]+"\}$/y;

/**
 * The text of a frame that was kept whole, out of its line as `eventLine` writes it, at half the cost of reading
 * that. Undefined: it is another event, or written otherwise.
 */
export function frameTextIn(line: string): string | undefined {
  const end = line.lastIndexOf(BEHIND_TEXT);
  BEFORE_TEXT.lastIndex = 0;
  ORIGIN.lastIndex = end + BEHIND_TEXT.length;
  if (end < 0 || !BEFORE_TEXT.test(line) || !ORIGIN.test(line)) return undefined;
  try {
    return JSON.parse(line.slice(BEFORE_TEXT.lastIndex, end + 1)) as string;
  } catch {
    return undefined;
  }
}

/** An editor may have put a byte order mark before it: a reader passes it, and whoever keeps the bytes keeps it. */
export function parseHeader(text: string): Header | Unreadable {
  const line = text.replace(/^\ufeff/, '');
  const value = parseObject(line);
  if (value?.['format'] !== FORMAT)
    return {
      problem: 'This is no trace that can be read: its first line is no acptrace header.',
      foreign: true,
    };
  const version = value['version'];
  if (typeof version !== 'number')
    return { problem: 'The header of this trace names no version, so it cannot be read safely.' };
  if (version > FORMAT_VERSION)
    return {
      problem: `This trace is format ${version}; this version reads up to ${FORMAT_VERSION}. Update ACP Scope to open it.`,
    };
  if (nestsDeeper(line, MAX_DEPTH))
    return { problem: `The header of this trace nests more than ${MAX_DEPTH} deep. Shorten it.` };
  const { created, tool, clock } = value;
  return {
    ...sound(value),
    format: FORMAT,
    version,
    created: typeof created === 'string' ? created : new Date(0).toISOString(),
    tool: typeof tool === 'string' ? tool : 'unknown',
    clock: clock === 'monotonic' || clock === 'wall' ? clock : 'imported',
  };
}

/** Without the fields that we know and that are of another type; what we do not know stays. */
function sound(value: Fields): Fields {
  return Object.fromEntries(
    Object.entries(value).filter(([key, field]) => HEADER_FIELDS[key]?.(field) ?? true),
  );
}

const isText = (value: unknown) => typeof value === 'string';
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);

/** `{"level": …, "secrets": {"env": 2}}`. */
function isCounts(value: unknown): boolean {
  const secrets = (value as Fields)['secrets'];
  const isObject = typeof secrets === 'object' && secrets !== null;
  return isObject && Object.values(secrets).every((count) => typeof count === 'number');
}

const HEADER_FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  connection: isText,
  name: isText,
  mode: (value) => value === 'drive' || value === 'tap',
  argv: isTexts,
  cwd: isText,
  writer: Number.isSafeInteger,
  redacted: (value) =>
    typeof value === 'object' && isText((value as Fields | null)?.['level']) && isCounts(value),
};

/** Never throws. What is missing or of a wrong type is named. */
export function parseEvent(text: string, version = FORMAT_VERSION): TraceEvent | Unreadable {
  const value = parseObject(text);
  if (!value) return { problem: 'not a JSON object' };
  if (nestsDeeper(text, MAX_DEPTH)) return { problem: `nested more than ${MAX_DEPTH} deep` };
  const fault = faultOf(value) ?? STEPS.find(({ from }) => from === version)?.asks(value);
  return fault === undefined ? (value as unknown as TraceEvent) : { problem: fault };
}

export function isUnreadable(value: object): value is Unreadable {
  return 'problem' in value && !('type' in value) && !('format' in value);
}

type Fields = Readonly<Record<string, unknown>>;

function parseObject(text: string): Fields | undefined {
  // To throw costs a hundred times what it takes to see this, and a file may hold nothing else.
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Fields)
      : undefined;
  } catch {
    return undefined;
  }
}

function faultOf(value: Fields): string | undefined {
  if (!isSeq(value['seq'])) return 'seq is not a positive integer';
  if (!isTime(value['at'] ?? 0)) return 'at is not a number';
  switch (value['type']) {
    case 'frame':
      if (value['from'] !== 'client' && value['from'] !== 'agent') return 'from is not a side';
      if (typeof value['origin'] !== 'string') return 'origin is missing';
      return lineFault(value['line']) ?? oversizeFault(value['oversize']) ?? viaFault(value['via']);
    case 'stderr':
      return lineFault(value['line']);
    case 'start':
      if (!isTexts(value['argv'])) return 'argv is not a list of strings';
      return isText(value['cwd']) ? undefined : 'cwd is not a string';
    case 'exit':
      if (!isTexts([value['sent'] ?? '', value['by'] ?? ''])) return 'sent or by is not a string';
      return areLeft(value['left'] ?? []) ? undefined : 'left is not a list of programs';
    case 'gap':
      if (!isSeq(value['count'])) return 'count is not a positive integer';
      return isText(value['reason']) ? undefined : 'reason is not a string';
    case 'sleep':
      return isSpan(value['ms']) && isSpan(value['counted'])
        ? undefined
        : 'ms or counted is no length of time';
    case 'mark':
      if (!isSeq(value['target'])) return 'target is not a seq';
      return isText(value['label']) ? undefined : 'label is not a string';
    case 'suppress':
      return suppressFault(value);
    case 'transport':
      return isText(value['step']) ? undefined : 'step is not a string';
    case 'intercept':
      if (!isText(value['did'])) return 'did is not a string';
      return value['line'] === undefined ? undefined : lineFault(value['line']);
    default:
      return `unknown event type ${JSON.stringify(value['type'])}`;
  }
}

/** From each version to the next: what it asks of an event and the next does not. Lines stay as they are. */
const STEPS: readonly {
  readonly from: number;
  readonly why: string;
  asks(value: Fields): string | undefined;
}[] = [
  {
    from: 1,
    why: 'A trace of another tool may have no times: `at` may be absent.',
    asks: ({ at }) => (isTime(at) ? undefined : 'at is not a number'),
  },
];

function isTime(value: unknown): boolean {
  return typeof value === 'number';
}

function isSpan(value: unknown): boolean {
  return typeof value === 'number' && value >= 0;
}

function suppressFault({ rule, session, method, reason }: Fields): string | undefined {
  if (!isText(rule)) return 'rule is not a string';
  if (session !== undefined && !isText(session)) return 'session is not a string';
  if (method !== undefined && !isText(method)) return 'method is not a string';
  return isText(reason) ? undefined : 'reason is not a string';
}

function areLeft(value: unknown): boolean {
  const isLeft = (one: Fields | null) =>
    Number.isSafeInteger(one?.['pid']) && isText(one?.['name']);
  return Array.isArray(value) && value.every(isLeft);
}

function lineFault(line: unknown): string | undefined {
  const fields = (typeof line === 'object' && line !== null ? line : {}) as Fields;
  return typeof fields['text'] === 'string' || typeof fields['base64'] === 'string'
    ? undefined
    : 'line has neither text nor base64';
}

function oversizeFault(oversize: unknown): string | undefined {
  if (oversize === undefined) return undefined;
  const fields = (typeof oversize === 'object' && oversize !== null ? oversize : {}) as Fields;
  if (!isSeq(fields['bytes'])) return 'oversize names no number of bytes';
  if (!isText(fields['sha256'])) return 'oversize names no sha256';
  return lineFault(fields['tail']) && 'the tail of oversize has neither text nor base64';
}

function viaFault(via: unknown): string | undefined {
  const isFine =
    via === undefined || (typeof via === 'object' && isText((via as Fields | null)?.['stream']));
  return isFine ? undefined : 'via names no stream';
}

function isSeq(value: unknown): value is Seq {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}
