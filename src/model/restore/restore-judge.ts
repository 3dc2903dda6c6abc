// What came of a restore, judged from what its window shows (restore-seen.ts): the verdict, whether
// it is as the protocol makes due, and one clause that says so. ACP schemas and pages, SDK 2.4.0.
import { CODE } from '../../acp/errors.ts';
import { get, str } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { count } from '../../lib/format-count.ts';
import { cursorIds } from './cursor-values.ts';
import { isStart } from '../timeline/pins.ts';
import { requestFaults } from './restore-faults.ts';
import type { Seen } from './restore-seen.ts';
import type { RestoreVerdict } from './restore-verdict.ts';
import type { WindowRecord } from '../facts/replay-windows.ts';

export interface Judged {
  readonly verdict: RestoreVerdict;
  /** Undefined: the trace cannot decide. */
  readonly due: boolean | undefined;
  readonly words: string;
}

export interface Restored {
  readonly window: WindowRecord;
  readonly seen: Seen;
  /** Of the request. */
  readonly params: Json | undefined;
  readonly capabilities: JsonObject | undefined;
  /** The code of the error it was answered with. */
  readonly code: number | undefined;
  /** Another trace knows what the cursor names. */
  readonly isNamedElsewhere: boolean;
  /** No agent can know the session. */
  readonly gone: boolean;
  /** A trace holds history of the session, or says that it was made or listed. */
  readonly isKnown: boolean;
  /** Why nothing can have been restored, where frames say so. */
  readonly nothing: string | undefined;
}

const asDue = (verdict: RestoreVerdict, words: string): Judged => ({
  verdict,
  due: true,
  words: `as due: ${words}`,
});
const fault = (verdict: RestoreVerdict, words: string): Judged => ({ verdict, due: false, words });
const open = (verdict: RestoreVerdict, words: string): Judged => ({
  verdict,
  due: undefined,
  words,
});

export function judgeRestore(restored: Restored): Judged {
  const { window } = restored;
  switch (window.outcome) {
    case 'open':
      return open('open', 'not answered yet');
    case 'incomplete':
      return open('incomplete', `incomplete: ${window.problem ?? 'the trace ends'}`);
    case 'rejected':
      return rejected(restored);
    case 'answered':
      return answered(restored);
  }
}

function rejected({ window, params, code, capabilities, gone, isKnown }: Restored): Judged {
  const { method, version, problem = '' } = window;
  const cursor = get(params, 'replayFrom');
  const due = (words: string): Judged => ({
    verdict: 'rejected-as-due',
    due: true,
    words: `rejected, as due${words}`,
  });
  const asked = version === 2 && cursor !== undefined && cursor !== null && !isStart(cursor);
  if (asked && code === CODE.invalidParams)
    return due(
      str(cursor, 'type') === undefined
        ? ': that is no cursor'
        : ' for a cursor the agent does not know',
    );
  if (code === CODE.methodNotFound) {
    const [name, advertised] = support(method, version, capabilities);
    return advertised
      ? fault('rejected', `rejected, though ${name} is advertised`)
      : due(`: ${name} is not advertised`);
  }
  const [broken] = requestFaults(method, params);
  if (broken !== undefined && code === CODE.invalidParams) return due(`: ${broken.words}`);
  if (gone) {
    if (code === CODE.notFound) return due(': there is no such session');
    if (version === 2)
      return fault('rejected', `rejected with the wrong code, ${problem}: −32002 is due`);
    return due(`: there is no such session; −32002 says so better than ${code ?? problem}`);
  }
  if (version === 2 && code === CODE.notFound && !isKnown)
    return due(': nothing in the trace knows the session either');
  if (asked && code !== CODE.notFound && code !== CODE.authRequired)
    return fault('rejected', `rejected with the wrong code, ${problem}: −32602 is due`);
  return open('rejected', `rejected: ${problem}; the trace does not say whether it had to be`);
}

/** What must be advertised for the method, and whether it is. */
function support(
  method: string,
  version: 1 | 2,
  capabilities: JsonObject | undefined,
): [name: string, advertised: boolean] {
  if (method === 'session/load') return ['loadSession', get(capabilities, 'loadSession') === true];
  const verb = method === 'session/fork' ? 'fork' : 'resume';
  const name =
    version === 1 ? `sessionCapabilities.${verb}` : verb === 'fork' ? 'session.fork' : 'session';
  const marker = name.split('.').reduce<Json | undefined>(get, capabilities);
  return [name, marker !== undefined && marker !== null];
}

function answered({ window, seen, params, gone, nothing, isNamedElsewhere }: Restored): Judged {
  const { method, version, late } = window;
  const cursor = get(params, 'replayFrom');
  if (seen.history === 0 && seen.maybeLive === 0 && late === 0) {
    if (gone) return fault('restored-nothing', 'a result, though there is no such session');
    if (nothing !== undefined) return fault('restored-nothing', `a result, yet ${nothing}`);
  }
  if (method === 'session/fork')
    return seen.history > 0
      ? open('replayed-from-start', 'forked, with history')
      : open('restored-without-replay', 'forked, without history');
  // That nothing was replayed would not be so: all of it came late, which orderFaults says.
  const isAllLate = seen.history === 0 && late > 0;
  if (method === 'session/load') return isAllLate ? fault('replayed-late', '') : loaded(seen);
  if (version === 1 || cursor === undefined || cursor === null)
    return isAllLate ? fault('replayed-unasked', '') : resumed(seen);
  const type = str(cursor, 'type');
  if (type !== 'start' && !type?.startsWith('_')) return fromNoCursor(type, seen, late);
  if (isAllLate) return fault('replayed-late', '');
  return type === 'start' ? fromStart(seen) : fromCustom(window, seen, cursor, isNamedElsewhere);
}

/** v1 load: all history, then the answer. */
function loaded({ history, known, begins }: Seen): Judged {
  if (history > 0)
    return begins === 'later'
      ? fault('replayed-elsewhere', 'begins after the first item the trace knows: all is due')
      : asDue('replayed-from-start', 'history, then the answer');
  return known
    ? fault(
        'replayed-nothing',
        'nothing replayed, though the trace knows history: all of it is due',
      )
    : open(
        'replayed-nothing',
        'nothing replayed; the trace does not say whether there was history',
      );
}

/** v1 resume, and v2 without a cursor: no history. */
function resumed({ history, maybeLive }: Seen): Judged {
  if (history > 0)
    return fault('replayed-unasked', `${count(history, 'update')} of history, none is allowed`);
  if (maybeLive > 0)
    return open(
      'undecidable',
      `${count(maybeLive, 'update')} while a turn was running, perhaps live`,
    );
  return asDue('restored-without-replay', 'nothing replayed');
}

function fromNoCursor(type: string | undefined, { history }: Seen, late: number): Judged {
  const what = type === undefined ? 'not a cursor' : `${type} is no cursor type of ACP 2.4.0`;
  if (history > 0)
    return fault(
      'ignored-replayed-from-start',
      `ignored: ${what}, yet ${count(history, 'update')} of history came, −32602 is due`,
    );
  return fault(
    late > 0 ? 'ignored-replayed-from-start' : 'replayed-nothing',
    `${what}, yet resumed${late > 0 ? '' : ' without history'}: −32602 is due`,
  );
}

/** An agent need not have kept everything, so gaps are told and not judged. */
function fromStart({ history, known, begins }: Seen): Judged {
  if (history === 0)
    return open(
      'replayed-nothing',
      known
        ? 'nothing replayed, though the trace knows history; an agent need not keep it'
        : 'nothing replayed; the trace does not say whether there was history',
    );
  if (begins === 'later')
    return open(
      'replayed-elsewhere',
      'begins after the first item the trace knows; an agent need not keep it',
    );
  return asDue('replayed-from-start', 'history, then the answer');
}

/** Cursors are inclusive: what the value names comes first, or −32602 is due. */
function fromCustom(
  { session, late }: WindowRecord,
  seen: Seen,
  cursor: Json,
  isNamedElsewhere: boolean,
): Judged {
  const named = session.items.find(cursorIds(cursor));
  const isNamed = (item: number) => named.includes(item);
  if (seen.history === 0)
    return named.length > 0 || isNamedElsewhere
      ? fault('replayed-nothing', 'nothing replayed: the named item, or −32602, is due')
      : open(
          'replayed-nothing',
          'nothing replayed; nothing in the trace says what the cursor names',
        );
  // A terminal or a plan counts only if the cursor names it.
  const came = seen.items.filter(({ item, isHistory }) => isHistory || isNamed(item));
  const [first] = came;
  if (first === undefined)
    return open('undecidable', 'history came, without ids to compare with the cursor');
  if (isNamed(first.item)) return asDue('replayed-from-cursor', 'from the cursor, inclusive');
  if (named.length === 0 && !isNamedElsewhere)
    return open('undecidable', 'history came; nothing in the trace says what the cursor names');
  if (came.some(({ item }) => isNamed(item)))
    return seen.begins === 'start'
      ? fault('ignored-replayed-from-start', 'ignored: replayed from start, −32602 is due')
      : fault('replayed-elsewhere', 'begins before the cursor: the named item is due first');
  // It may be among what came late.
  if (late > 0)
    return fault('replayed-elsewhere', 'begins after the cursor: the named item is due first');
  // What the trace does not know may be the named item under another id.
  return fault(
    'replayed-elsewhere',
    seen.begins === undefined
      ? 'the named id did not come; the first item has an id that nothing in the trace knows'
      : 'begins after the cursor: the named item is missing',
  );
}

/** What had to be refused, and was not. */
export function acceptedFaults(method: string, params: Json | undefined): string[] {
  return requestFaults(method, params)
    .filter(({ what }) => what === 'relative')
    .map(({ field }) => `accepted a relative ${field}: −32602 is due`);
}

/** What is wrong with the order, whatever was asked for. */
export function orderFaults({ method, version, late }: WindowRecord, seen: Seen): string[] {
  const faults: string[] = [];
  if (late > 0) faults.push(`${count(late, 'update')} of history after the answer`);
  if (version === 1 || method === 'session/fork') return faults;
  if (seen.state === undefined) faults.push('no state_update before the answer, one is due');
  if (seen.historyAfterState) faults.push('history after the state_update, which must come last');
  return faults;
}
