// Logs of one JSON object per line that holds a message, as an object or as text, with a time and a word for the direction
// beside it. The names of the fields do not matter. Two tools write such lines with words of their own.
import type { Side } from '../../event.ts';
import { isRpc, messageIn } from '../found-message.ts';
import {
  frame,
  odd,
  type Fates,
  type FileFacts,
  type ImportedPiece,
  type LineFormat,
  type LineTaker,
  type Senders,
} from '../format.ts';
import { readRecord, type JsonRecord } from '../json-record.ts';
import { LineClock } from '../line-clock.ts';
import { wayNamed, wayOf, type LineWay } from '../line-prefix.ts';
import { recordLines } from '../record-lines.ts';
import { SenderVotes } from '../sender-votes.ts';

/** Objects within the object of a line that are looked into. */
const MAX_DEPTH = 2;
const TIME_FIELD =
  /^@?(?:ts|t|at|when|date|datetime|time|time_?stamp|created_?at)(?:_?(?:ms|ns|us))?$/i;
const WAY_FIELD =
  /^(?:dir|direction|from|to|sender|source|side|way|kind|type|event|stream|channel|origin|fd|op|role)$/i;
const PROCESS_FIELD = /^(?:pid|process_?id|connection|connection_?id)$/i;

const FATES: Fates = {
  time: ['partly', 'the time beside a message, if the line has one'],
  sender: ['inferred', 'from what the message is, and the word for its direction'],
  line: ['partly', 'as it was sent if it is text; an object is made again'],
  order: ['given', ''],
  stderr: ['partly', 'lines that are named stderr'],
  process: ['lost', ''],
};

/** `senders`: what knows the protocol, made again for each file. */
export function wrappedLines(senders: () => Senders): LineFormat {
  return {
    reads: 'lines',
    word: 'wrapped',
    name: 'JSON objects that hold JSON-RPC messages',
    clock: 'relative',
    fates: FATES,
    fits: (line) => messageWithin(readRecord(line)) !== undefined,
    begin: (only) => new WrappedTaker(senders(), only),
  };
}

interface Within {
  readonly text: string;
  readonly isRebuilt: boolean;
  /** The words before the message, in the same text. */
  readonly before: string;
}

/** Returns the message in a field of a record that is no message itself; undefined if there is none. */
function messageWithin(record: JsonRecord | undefined, depth = 1): Within | undefined {
  if (!record || record.has('jsonrpc')) return undefined;
  for (const key of record.keys()) {
    const inner = record.record(key);
    if (inner && isRpc(inner)) return { text: record.json(key) ?? '', isRebuilt: true, before: '' };
    const text = inner ? undefined : record.text(key);
    const found = text?.includes('{') ? messageIn(text) : undefined;
    if (found && isRpc(readRecord(found.text))) return found;
    const deeper = inner && depth < MAX_DEPTH ? messageWithin(inner, depth + 1) : undefined;
    if (deeper) return deeper;
  }
  return undefined;
}

class WrappedTaker implements LineTaker {
  readonly #clock = new LineClock();
  readonly #votes: SenderVotes;

  constructor(senders: Senders, only: Side | undefined) {
    this.#votes = new SenderVotes(senders, only);
  }

  get facts(): FileFacts {
    return { clock: this.#clock.isWall ? 'wall' : 'relative' };
  }

  get onlySide(): Side | undefined {
    return this.#votes.onlySide;
  }

  take(line: string): readonly ImportedPiece[] {
    if (line.trim() === '') return [];
    const record = readRecord(line);
    const found = messageWithin(record);
    if (!record) return [odd('no JSON object')];
    const at = timeOf(record, this.#clock);
    const process = processOf(record);
    const more = process === undefined ? {} : { process };
    if (!found) {
      const text = isStderr(record) ? stderrOf(record) : undefined;
      return text === undefined
        ? [odd('a JSON object without a JSON-RPC message')]
        : [{ type: 'stderr', line: { text }, at, ...more }];
    }
    const way = wayBeside(record) ?? wayOf(found.before);
    const from = this.#votes.next(found.text, way);
    const inferred = found.isRebuilt ? (['from', 'line'] as const) : (['from'] as const);
    return [{ ...frame(from, found.text, at, ...inferred), ...more }];
  }
}

function timeOf(record: JsonRecord, clock: LineClock): number | undefined {
  for (const key of record.keys()) {
    if (!TIME_FIELD.test(key)) continue;
    const number = record.number(key);
    const time =
      number === undefined ? clock.read(record.text(key) ?? '') : clock.readNumber(number);
    if (time !== undefined) return time;
  }
  return undefined;
}

function wayBeside(record: JsonRecord): LineWay | undefined {
  for (const key of record.keys()) {
    const word = WAY_FIELD.test(key) ? record.text(key) : undefined;
    const way = word === undefined ? undefined : wayNamed(word);
    if (way) return key.toLowerCase() === 'to' ? (way === 'out' ? 'in' : 'out') : way;
  }
  return undefined;
}

function processOf(record: JsonRecord): string | undefined {
  const key = record.keys().find((one) => PROCESS_FIELD.test(one));
  const value = key === undefined ? undefined : (record.text(key) ?? record.number(key));
  return key === undefined || value === undefined ? undefined : `${key} ${value}`.slice(0, 80);
}

function isStderr(record: JsonRecord): boolean {
  return record.keys().some((key) => WAY_FIELD.test(key) && record.text(key) === 'stderr');
}

function stderrOf(record: JsonRecord): string | undefined {
  const key = ['line', 'text', 'data', 'message', 'raw'].find((one) => record.text(one));
  return key === undefined ? undefined : record.text(key);
}

/** The trace of venikman's ACP Inspector. */
export const VENIKMAN: LineFormat = {
  reads: 'lines',
  word: 'venikman',
  name: 'a trace of ACP Inspector (venikman)',
  clock: 'wall',
  fates: {
    time: ['given', 'the wall clock'],
    sender: ['given', ''],
    line: ['given', 'as it was sent'],
    order: ['given', ''],
    stderr: ['lost', ''],
    process: ['lost', ''],
  },
  fits: (line) => venikmanIn(readRecord(line)) !== undefined,
  begin: recordLines('no record of ACP Inspector', (record, clock) => {
    const found = venikmanIn(record);
    return found && frame(found.from, found.text, timeOf(record, clock));
  }),
};

function venikmanIn(
  record: JsonRecord | undefined,
): { readonly from: Side; readonly text: string } | undefined {
  const text = record?.text('json');
  const direction = record?.text('direction')?.toLowerCase();
  if (text === undefined || (direction !== 'fromclient' && direction !== 'fromagent'))
    return undefined;
  return { from: direction === 'fromclient' ? 'client' : 'agent', text };
}

/** The recording of acpdbg, the probe of Kandev, which is the client. Its frames are parsed, with their keys sorted. */
export const ACPDBG: LineFormat = {
  reads: 'lines',
  word: 'acpdbg',
  name: 'a recording of acpdbg',
  clock: 'wall',
  fates: {
    ...VENIKMAN.fates,
    line: ['inferred', 'made again from what acpdbg parsed, which sorts keys'],
    stderr: ['partly', 'if acpdbg recorded it'],
    process: ['given', 'the command and how it ended'],
  },
  fits: (line) => isAcpdbg(readRecord(line)),
  begin: recordLines('no entry of acpdbg', (record, clock) =>
    isAcpdbg(record) ? acpdbgPiece(record, clock) : undefined,
  ),
};

function isAcpdbg(record: JsonRecord | undefined): boolean {
  const direction = record?.text('direction') ?? '';
  if (!record || record.text('ts') === undefined) return false;
  if (direction === 'sent' || direction === 'received') return record.record('frame') !== undefined;
  return (
    (direction === 'meta' && record.has('event')) || (direction === 'stderr' && record.has('line'))
  );
}

function acpdbgPiece(record: JsonRecord, clock: LineClock): ImportedPiece {
  const at = clock.read(record.text('ts') ?? '');
  const direction = record.text('direction');
  const meta = record.record('meta');
  if (direction === 'stderr')
    return { type: 'stderr', line: { text: record.text('line') ?? '' }, at };
  if (direction !== 'meta') {
    const from = direction === 'sent' ? 'client' : 'agent';
    return frame(from, record.json('frame') ?? '', at, 'line');
  }
  if (record.text('event') === 'start' && meta) {
    const argv = meta.items('command').flatMap(({ json }) => {
      const word: unknown = JSON.parse(json);
      return typeof word === 'string' ? [word] : [];
    });
    return { type: 'start', argv, cwd: meta.text('workdir'), at };
  }
  if (record.text('event') === 'close')
    return { type: 'exit', code: meta?.number('exit_code'), at };
  return odd(`a note of acpdbg: ${record.text('event') ?? ''}`);
}
