// What came of each restore of a session, in words, and whether it is as the protocol makes due:
// ACP schemas and pages of SDK 2.4.0. Only facts of the trace decide; where they do not, the words
// say what is missing.
import { get, str } from '../acp/json.ts';
import { CODE } from '../acp/errors.ts';
import type { Json, JsonObject } from '../acp/message.ts';
import { count } from '../lib/format-count.ts';
import type { ConnectionId, TraceEvent } from '../trace/event.ts';
import { messageOf } from './digest.ts';
import { cursorIds } from './cursor-values.ts';
import { seenIn, type Seen } from './restore-seen.ts';
import { windowView, type WindowRecord } from './replay-windows.ts';
import type { ReplayWindowView } from './row-view.ts';
import type { TraceIndex } from './trace-index.ts';

/** One past restore of a session, for the results table. */
export interface RestoreResult {
  /** The trace it lies in: links to its frames name it. */
  readonly connection: ConnectionId;
  readonly window: ReplayWindowView;
  /** One clause: what came, or what is wrong and what was due. */
  readonly verdict: string;
  /** Whether it is as due; undefined where the trace cannot decide. */
  readonly due: boolean | undefined;
  /** v2: the last state the agent told before its answer. */
  readonly stateBeforeAnswer?: string;
}

interface Judged {
  readonly due: boolean | undefined;
  readonly words: string;
}
const asDue = (words: string): Judged => ({ due: true, words: `as due: ${words}` });
const fault = (words: string): Judged => ({ due: false, words });
const open = (words: string): Judged => ({ due: undefined, words });

/** Every restore of the session in this trace, in order. `eventAt`: the event at a place of the index. */
export function restoreResults(
  index: TraceIndex,
  eventAt: (place: number) => TraceEvent,
  sessionId: string,
): RestoreResult[] {
  const { connection, handshake } = index.facts();
  const capabilities = handshake?.agentCapabilities;
  return index.windowRecords
    .filter(({ session, method }) => session.sessionId === sessionId && method !== 'session/fork')
    .map((window) => {
      const seen = seenIn(index, eventAt, window);
      const cursor = cursorOf(eventAt(window.request));
      const { due, words } = judge(window, seen, cursor, eventAt, capabilities);
      const faults = window.outcome === 'answered' ? orderFaults(window, seen) : [];
      // What came too late says best why nothing came before.
      const told = words === '' || due === true || (due === undefined && seen.history === 0);
      const parts = told && faults.length > 0 ? faults : [words, ...faults];
      return {
        connection,
        window: windowView(window, index.lastEventAt),
        verdict: parts.join('; '),
        due: faults.length > 0 ? false : due,
        ...(seen.state === undefined ? {} : { stateBeforeAnswer: seen.state }),
      };
    });
}

function judge(
  window: WindowRecord,
  seen: Seen,
  cursor: Json | undefined,
  eventAt: (place: number) => TraceEvent,
  capabilities: JsonObject | undefined,
): Judged {
  switch (window.outcome) {
    case 'open':
      return open('not answered yet');
    case 'incomplete':
      return open(`incomplete: ${window.problem ?? 'the trace ends'}`);
    case 'rejected':
      return rejected(window, cursor, codeOf(eventAt(window.answer)), capabilities);
    case 'answered':
      return answered(window, seen, cursor);
  }
}

function rejected(
  { method, version, problem = '' }: WindowRecord,
  cursor: Json | undefined,
  code: number | undefined,
  capabilities: JsonObject | undefined,
): Judged {
  const asked = version === 2 && cursor !== undefined && cursor !== null && !isStart(cursor);
  if (asked && code === CODE.invalidParams)
    return {
      due: true,
      words:
        str(cursor, 'type') === undefined
          ? 'rejected, as due: that is no cursor'
          : 'rejected, as due for a cursor the agent does not know',
    };
  if (code === CODE.methodNotFound) {
    const [name, advertised] = support(method, version, capabilities);
    return advertised
      ? fault(`rejected, though ${name} is advertised`)
      : { due: true, words: `rejected, as due: ${name} is not advertised` };
  }
  if (asked && code !== CODE.notFound && code !== CODE.authRequired)
    return fault(`rejected with the wrong code, ${problem}: −32602 is due`);
  return open(`rejected: ${problem}; the trace does not say whether it had to be`);
}

/** What must be advertised for the method, and whether it is. */
function support(
  method: string,
  version: 1 | 2,
  capabilities: JsonObject | undefined,
): [name: string, advertised: boolean] {
  if (method === 'session/load') return ['loadSession', get(capabilities, 'loadSession') === true];
  const name = version === 2 ? 'session' : 'sessionCapabilities.resume';
  const marker = name.split('.').reduce<Json | undefined>(get, capabilities);
  return [name, marker !== undefined && marker !== null];
}

function answered(window: WindowRecord, seen: Seen, cursor: Json | undefined): Judged {
  const { method, version, late } = window;
  // That nothing was replayed would not be so: all of it came late, which orderFaults says.
  const isAllLate = seen.history === 0 && late > 0;
  if (method === 'session/load') return isAllLate ? fault('') : loaded(seen);
  if (version === 1 || cursor === undefined || cursor === null) return resumed(seen);
  const type = str(cursor, 'type');
  if (type !== 'start' && !type?.startsWith('_')) return fromNoCursor(type, seen, late);
  if (isAllLate) return fault('');
  return type === 'start' ? fromStart(seen) : fromCustom(window, seen, cursor);
}

/** v1 load: all history, then the answer. */
function loaded({ history, known }: Seen): Judged {
  if (history > 0) return asDue('history, then the answer');
  return known
    ? fault('nothing replayed, though the trace knows history: all of it is due')
    : open('nothing replayed; the trace does not say whether there was history');
}

/** v1 resume, and v2 without a cursor: no history. */
function resumed({ history, maybeLive }: Seen): Judged {
  if (history > 0) return fault(`${count(history, 'update')} of history, none is allowed`);
  if (maybeLive > 0)
    return open(`${count(maybeLive, 'update')} while a turn was running, perhaps live`);
  return asDue('nothing replayed');
}

function fromNoCursor(type: string | undefined, { history }: Seen, late: number): Judged {
  const what = type === undefined ? 'not a cursor' : `${type} is no cursor type of ACP 2.4.0`;
  if (history > 0)
    return fault(
      `ignored: ${what}, yet ${count(history, 'update')} of history came, −32602 is due`,
    );
  return fault(`${what}, yet resumed${late > 0 ? '' : ' without history'}: −32602 is due`);
}

/** An agent need not have kept everything, so gaps are told and not judged. */
function fromStart({ history, known, begins }: Seen): Judged {
  if (history === 0)
    return known
      ? open('nothing replayed, though the trace knows history; an agent need not keep it')
      : open('nothing replayed; the trace does not say whether there was history');
  if (begins === 'later')
    return open('begins after the first item the trace knows; an agent need not keep it');
  return asDue('history, then the answer');
}

/** Cursors are inclusive: what the value names comes first, or −32602 is due. */
function fromCustom({ session, late }: WindowRecord, seen: Seen, cursor: Json): Judged {
  const named = session.items.find(cursorIds(cursor));
  const isNamed = (item: number) => named.includes(item);
  if (seen.history === 0)
    return named.length > 0
      ? fault('nothing replayed: the named item, or −32602, is due')
      : open('nothing replayed; nothing in the trace says what the cursor names');
  // A terminal or a plan counts only if the cursor names it.
  const came = seen.items.filter(({ item, isHistory }) => isHistory || isNamed(item));
  const [first] = came;
  if (first === undefined) return open('history came, without ids to compare with the cursor');
  if (isNamed(first.item)) return asDue('from the cursor, inclusive');
  if (named.length === 0)
    return open('history came; nothing in the trace says what the cursor names');
  if (came.some(({ item }) => isNamed(item)))
    return fault(
      seen.begins === 'start'
        ? 'ignored: replayed from start, −32602 is due'
        : 'begins before the cursor: the named item is due first',
    );
  // It may be among what came late.
  return fault(`begins after the cursor: the named item is ${late > 0 ? 'due first' : 'missing'}`);
}

/** What is wrong with the order, whatever was asked for. */
function orderFaults({ version, late }: WindowRecord, seen: Seen): string[] {
  const faults: string[] = [];
  if (late > 0) faults.push(`${count(late, 'update')} of history after the answer`);
  if (version === 2 && seen.state === undefined)
    faults.push('no state_update before the answer, one is due');
  if (version === 2 && seen.historyAfterState)
    faults.push('history after the state_update, which must come last');
  return faults;
}

function isStart(cursor: Json): boolean {
  return str(cursor, 'type') === 'start';
}

function cursorOf(event: TraceEvent): Json | undefined {
  const message = event.type === 'frame' ? messageOf(event) : undefined;
  return message?.kind === 'request' ? get(message.params, 'replayFrom') : undefined;
}

function codeOf(event: TraceEvent): number | undefined {
  const message = event.type === 'frame' ? messageOf(event) : undefined;
  return message?.kind === 'failure' ? message.error.code : undefined;
}
