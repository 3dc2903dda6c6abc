// What a frame says as JSON-RPC. Parsing never throws: what is no message is `invalid`, with why.
import { jsonFault } from './json-fault.ts';
import { boundedJson, isObject, typeWords, type Json, type JsonObject } from './json.ts';
import { formatBytes } from '../lib/format.ts';
import { COMMA, isClose, QUOTE, skipSpace, skipString, skipValue } from '../lib/json-scan.ts';

export type { Json, JsonObject };

/**
 * A JSON-RPC id, compared by its JSON type and exact token (see idKey): `1`, `"1"`, `1.0` and
 * 2^53+1 all differ. A response may write a whole number in another way (see wholeNumber). `token` is the id exactly as it is in the line (`"abc"` with its quotes).
 */
export interface RequestId {
  readonly type: 'number' | 'string' | 'null';
  readonly token: string;
}

/** Names of members that JSON-RPC does not have, if there are any: `traceId`, `error/stack`. */
interface Envelope {
  readonly extra?: readonly string[];
}

export interface Request extends Envelope {
  readonly kind: 'request';
  readonly id: RequestId;
  readonly method: string;
  readonly params?: Json;
}
export interface Notification extends Envelope {
  readonly kind: 'notification';
  readonly method: string;
  readonly params?: Json;
}
export interface Success extends Envelope {
  readonly kind: 'success';
  readonly id: RequestId;
  readonly result: Json;
}
export interface Failure extends Envelope {
  readonly kind: 'failure';
  readonly id: RequestId;
  readonly error: { readonly code: number; readonly message: string; readonly data?: Json };
}
export interface Invalid {
  readonly kind: 'invalid';
  /** `blank` and `batch` are told apart because people meet them often. */
  readonly reason: 'not-json' | 'not-utf8' | 'too-long' | 'blank' | 'batch' | 'not-a-message';
  /** One clause for a person: "not JSON: unexpected token n at 0". */
  readonly why: string;
  /** Set where the line is JSON after all. */
  readonly value?: Json;
}
export type Message = Request | Notification | Success | Failure | Invalid;

const BOM = 0xfeff;

/** Reads one line. A byte order mark before the JSON, and a CR after it, are no fault of the message. */
export function parseMessage(line: string): Message {
  const text = line.charCodeAt(0) === BOM ? line.slice(1) : line;
  let value: Json;
  try {
    value = boundedJson(text);
  } catch {
    return notJson(text);
  }
  if (isObject(value)) return withExtra(ofObject(value, text), value);
  if (!Array.isArray(value))
    return {
      kind: 'invalid',
      reason: 'not-a-message',
      why: `${typeWords(value)}, not an object`,
      value,
    };
  const why = `a batch of ${value.length}; ACP sends one message a line`;
  return { kind: 'invalid', reason: 'batch', why, value };
}

/** True if the line holds one message, or an array that may hold some. */
export function holdsMessages(message: Message): boolean {
  return message.kind !== 'invalid' || message.reason === 'batch';
}

/** True if the message is the error to an array that its receiver does not take. */
export function refusesArray(message: Message): message is Failure {
  return (
    message.kind === 'failure' &&
    message.id.type === 'null' &&
    message.error.code === CODE.invalidRequest
  );
}

/** One element of an array: its exact text, and what it would be as a line of its own. */
interface Member {
  readonly text: string;
  readonly message: Message;
}

/**
 * The elements of an array of messages, in their order; an array inside one is not opened. `line`: one that
 * `parseMessage` calls a batch.
 */
export function* membersOf(line: string): Generator<Member> {
  let at = skipSpace(line, line.indexOf('[') + 1);
  while (at < line.length && !isClose(line.charCodeAt(at))) {
    const end = skipValue(line, at);
    const text = line.slice(at, end);
    yield { text, message: parseMessage(text) };
    at = skipSpace(line, end);
    if (line.charCodeAt(at) === COMMA) at = skipSpace(line, at + 1);
  }
}

/**
 * Returns the messages of a line: those of an array, without elements that are none, or else its one message. Read
 * one by one, as an array may hold millions. `line` is read for an array only.
 */
export function* eachMessage(message: Message, line: () => string): Generator<Message> {
  if (message.kind !== 'invalid' || message.reason !== 'batch') return yield message;
  for (const member of membersOf(line()))
    if (member.message.kind !== 'invalid') yield member.message;
}

/** What to say of a line whose bytes are not UTF-8. */
export const NOT_UTF8: Invalid = {
  kind: 'invalid',
  reason: 'not-utf8',
  why: 'not UTF-8, which every ACP message must be',
};

/** What to say of a line longer than the recorder keeps. */
export function tooLong(bytes: number): Invalid {
  return {
    kind: 'invalid',
    reason: 'too-long',
    why: `too long to keep: of ${formatBytes(bytes)}, the beginning and the end were recorded`,
  };
}

const MEMBERS: ReadonlySet<string> = new Set('jsonrpc id method params result error'.split(' '));
const ERROR_MEMBERS: ReadonlySet<string> = new Set(['code', 'message', 'data']);

function withExtra(message: Message, value: JsonObject): Message {
  const extra: string[] = [];
  for (const name in value) if (!MEMBERS.has(name)) extra.push(name);
  if (message.kind === 'failure')
    for (const name in value['error'] as JsonObject)
      if (!ERROR_MEMBERS.has(name)) extra.push(`error/${name}`);
  return extra.length === 0 || message.kind === 'invalid' ? message : { ...message, extra };
}

function ofObject(value: JsonObject, text: string): Message {
  const { jsonrpc, method, id, params, result, error } = value;
  if (jsonrpc !== '2.0') {
    if (jsonrpc === undefined) return odd(value, 'no "jsonrpc":"2.0"');
    return odd(
      value,
      `"jsonrpc" is ${typeof jsonrpc === 'string' ? JSON.stringify(jsonrpc) : typeWords(jsonrpc)}, not "2.0"`,
    );
  }
  if (id !== undefined && id !== null && typeof id !== 'string' && typeof id !== 'number')
    return odd(value, `the id is ${typeWords(id)}; it must be a string or a number`);
  if (method !== undefined) {
    if (typeof method !== 'string')
      return odd(value, `"method" is ${typeWords(method)}, not a string`);
    if (result !== undefined || error !== undefined)
      return odd(value, `both "method" and "${result === undefined ? 'error' : 'result'}"`);
    const body = params === undefined ? { method } : { method, params };
    if (id === undefined) return { kind: 'notification', ...body };
    return { kind: 'request', id: idOf(id, text), ...body };
  }
  if (result !== undefined && error !== undefined) return odd(value, 'both "result" and "error"');
  if (result === undefined && error === undefined)
    return odd(value, 'no "method", "result" or "error"');
  if (id === undefined)
    return odd(value, `${error === undefined ? 'a result' : 'an error'} without an id`);
  if (result !== undefined) return { kind: 'success', id: idOf(id, text), result };
  if (!isObject(error)) return odd(value, `"error" is ${typeWords(error)}, not an object`);
  const { code, message, data } = error;
  if (typeof code !== 'number' || !Number.isInteger(code))
    return odd(
      value,
      `the error's code is ${typeof code === 'number' ? String(code) : typeWords(code)}, not an integer`,
    );
  if (typeof message !== 'string')
    return odd(value, `the error's message is ${typeWords(message)}, not a string`);
  const body = data === undefined ? { code, message } : { code, message, data };
  return { kind: 'failure', id: idOf(id, text), error: body };
}

/**
 * A key for maps: equal for ids that mean the same request. Numbers go by their token; strings by
 * what they say, because a peer may escape `"é"` on the way back and still mean it.
 */
export function idKey(id: RequestId): string {
  if (id.type !== 'string' || !id.token.includes('\\')) return id.token;
  return JSON.stringify(JSON.parse(id.token));
}

/** The digits of a numeric id without a fraction, in whatever way it is written: 1000 for 1e3. */
export function wholeNumber({ type, token }: RequestId): string | undefined {
  if (type !== 'number') return undefined;
  if (/^-?\d+$/.test(token)) return token === '-0' ? '0' : token;
  const value = Number(token);
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** True if a numeric id is written without a fraction: 1000 or 1e3, but not 1000.0. */
export function isWhole({ type, token }: RequestId): boolean {
  if (type !== 'number') return false;
  return /^-?\d+$/.test(token) || (/e/i.test(token) && Number.isInteger(Number(token)));
}

function idOf(id: string | number | null, text: string): RequestId {
  if (id === null) return NULL_ID;
  return { type: typeof id === 'string' ? 'string' : 'number', token: rootIdToken(text) };
}

const NULL_ID: RequestId = { type: 'null', token: 'null' };

function odd(value: JsonObject, why: string): Invalid {
  return { kind: 'invalid', reason: 'not-a-message', why, value };
}

function notJson(text: string): Invalid {
  if (text.trim() === '') return { kind: 'invalid', reason: 'blank', why: 'a blank line' };
  const why = `not JSON: ${whyNotJson(text)}`;
  return { kind: 'invalid', reason: 'not-json', why };
}

/** The few things that people meet get their name; the rest get the place. */
function whyNotJson(text: string): string {
  if (/^content-length:/i.test(text))
    return 'a Content-Length header, as the Language Server Protocol has; ACP sends one message a line';
  if (text.includes('\0')) return 'NUL characters, as UTF-16 text has; ACP is UTF-8';
  const fault = jsonFault(text);
  if (!fault) return 'nested too deep, or too large, to read here';
  const inside = text.search(/\{\s*"(?:jsonrpc|id|method|result)"\s*:/);
  const hint = fault.at < inside ? `; a message seems to begin at ${inside}` : '';
  return `${fault.what} at ${fault.at}${hint}`;
}

// The id of a message as its exact token. JSON.parse loses it (1.0 becomes 1, 2^53+1 becomes 2^53),
// so it is cut out of the line itself, which JSON.parse has found to be sound before.

/**
 * The token of the root's `id` key; of the last one if there are several, as JSON.parse takes it.
 * `text` is one JSON object, known to be sound and to have the key.
 */
function rootIdToken(text: string): string {
  const first = text.indexOf('"id"');
  // Written once and without escapes, it can only be the root's.
  if (first >= 0 && text.indexOf('"id"', first + 4) < 0 && !text.includes('\\u')) {
    const start = skipSpace(text, text.indexOf(':', first + 4) + 1);
    return text.slice(start, skipValue(text, start));
  }
  return scanRoot(text);
}

function scanRoot(text: string): string {
  let token = '';
  let at = skipSpace(text, text.indexOf('{') + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const keyEnd = skipString(text, at);
    const isId = says(text, at, keyEnd, 'id');
    const start = skipSpace(text, text.indexOf(':', keyEnd) + 1);
    const end = skipValue(text, start);
    if (isId) token = text.slice(start, end);
    at = skipSpace(text, end);
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1);
  }
  return token;
}

/** Whether the string literal at [start, end) says `word`, plain or escaped. */
function says(text: string, start: number, end: number, word: string): boolean {
  if (end - start === word.length + 2) return text.startsWith(word, start + 1);
  const longest = 6 * word.length + 2; // every letter as \uXXXX
  if (end - start > longest || !text.slice(start, end).includes('\\')) return false;
  return JSON.parse(text.slice(start, end)) === word;
}

// Error codes of JSON-RPC and ACP.

export const CODE = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  requestCancelled: -32800,
  authRequired: -32000,
  notFound: -32002,
  unsupportedVersion: -32022,
} as const;
