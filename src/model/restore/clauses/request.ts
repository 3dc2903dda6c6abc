// Whether a restore may be asked for as it is: its method, its parameters, and the session it names.
import { CODE, type Json } from '../../../acp/message.ts';
import { gateOf, shutGate } from '../../../acp/gate.ts';
import { get, isArray, str } from '../../../acp/json.ts';
import { isAbsolutePath } from '../../../lib/absolute-path.ts';
import {
  WITHOUT_GAP,
  asDue,
  breaks,
  fault,
  legal,
  leftOpen,
  requestSchema,
  unsure,
  type RestoreAsked,
  type Came,
  type Clause,
  type ClauseFacts,
} from './clause.ts';
import { unknownSessionReply } from '../../facts/denial.ts';
import { minus } from '../../words.ts';

export const ADVERTISED: Clause = {
  rule: 'cap/session-method',
  versions: [1, 2],
  ofRequest: true,
  due: ({ method, version, offered }) => {
    if (version === 2 && method === 'session/load')
      return breaks(
        'v2 has no session/load. Expected error: −32601.',
        'Use session/resume with replayFrom start.',
        'LoadSessionRequest',
      );
    const shut = shutGate(method, 'client', version, offered);
    if (shut)
      return breaks(
        `The agent does not advertise ${shut.words}. You can still send the request. Expected error: −32601.`,
      );
    // In v2 an open gate is not news: whether the cursor is legal is.
    return version === 2
      ? undefined
      : legal(`The agent advertises ${gateOf(method, 'client', version)?.words}.`);
  },
  onError: ({ method, version, offered }, _, code) => {
    if (code !== CODE.methodNotFound) return undefined;
    const name = gateOf(method, 'client', version)?.words ?? method;
    return shutGate(method, 'client', version, offered)
      ? asDue('rejected-as-due', 'shut', { name })
      : fault('rejected', 'open', { name });
  },
  said: {
    shut: ({ name }) => `: ${name} is not advertised`,
    open: ({ name }) => `, though ${name} is advertised`,
  },
};

interface RequestFault {
  readonly field: 'sessionId' | 'cwd' | 'mcpServers';
  readonly is: 'missing' | 'not absolute' | 'not a string' | 'not an array';
}

/** Returns the parameters of a restore that violate its schema. The agent must reject each with −32602. */
export function requestFaults(method: string, params: Json | undefined): RequestFault[] {
  const faults: RequestFault[] = [];
  if (str(params, 'sessionId') === undefined)
    faults.push({ field: 'sessionId', is: 'not a string' });
  const cwd = str(params, 'cwd');
  if (cwd === undefined) faults.push({ field: 'cwd', is: 'missing' });
  else if (!isAbsolutePath(cwd)) faults.push({ field: 'cwd', is: 'not absolute' });
  const servers = get(params, 'mcpServers');
  if (servers === undefined) {
    if (method === 'session/load') faults.push({ field: 'mcpServers', is: 'missing' });
  } else if (!isArray(servers)) faults.push({ field: 'mcpServers', is: 'not an array' });
  return faults;
}

/** A clause: `mcpServers is missing`. */
export function requestFaultWords({ field, is }: RequestFault): string {
  return `${field} is ${is}`;
}

export const PARAMS: Clause = {
  versions: [1, 2],
  source: requestSchema,
  ofRequest: true,
  due: ({ method, params }) =>
    requestFaults(method, params).map((one) =>
      breaks(`${requestFaultWords(one)}. Expected error: −32602.`),
    ),
  onError: ({ method, params }, _, code) => {
    const [first] = requestFaults(method, params);
    return first && code === CODE.invalidParams
      ? asDue('rejected-as-due', 'broken', { name: requestFaultWords(first) })
      : undefined;
  },
  fault: (_, { method, params }) => {
    const accepted = requestFaults(method, params).find(({ is }) => is === 'not absolute');
    return accepted && { due: false, code: 'accepted', facts: { name: accepted.field } };
  },
  said: {
    broken: ({ name }) => `: ${name}`,
    accepted: ({ name }) => `accepted a relative ${name}; expected −32602`,
  },
};

export const SESSION: Clause = {
  decides: 'setup/unknown-session-reply',
  versions: [1, 2],
  ofRequest: true,
  due: ({ params, version }, session) => {
    // That we asked for it does not say that the agent knows it.
    if (str(params, 'sessionId') === undefined || (session && session.askedOnly !== true))
      return undefined;
    const must = version === 2 ? 'must' : 'should';
    return unsure(
      `An agent that does not know this session ${must} respond with error −32002.`,
      'The error has the id in data.sessionId.',
    );
  },
  onError: ({ version }, { gone, isKnown, isStored, isOpen, denies, problem }, code) => {
    const reply = unknownSessionReply(code);
    if (reply === 'not found') {
      if (gone) return asDue('rejected-as-due', 'gone');
      return version === 2 && !isKnown ? asDue('rejected-as-due', 'unknown') : undefined;
    }
    if (reply === undefined) return undefined;
    const finding = { pointer: '/error/code', severity: 'warning' } as const;
    if (gone && version === 1)
      return {
        ...asDue('rejected-as-due', 'gone-otherwise', { code }),
        finding: { ...finding, severity: 'hint' },
      };
    // If the session exists, the rejection itself is the fault.
    const isUnknown = gone || (denies && !isStored && !isOpen);
    const facts = { problem, due: CODE.notFound };
    return isUnknown ? fault('rejected', 'wrong-code', facts, finding) : undefined;
  },
  onResult: ({ gone, history, maybeLive, late }, { version }) => {
    if (!gone || history + maybeLive + late > 0) return undefined;
    const pointer = '/result';
    return version === 1
      ? leftOpen('restored-nothing', 'result', {}, { pointer, severity: 'hint' })
      : fault('restored-nothing', 'result', {}, { pointer });
  },
  // v1 does not say what becomes of a deleted session.
  fault: ({ gone, history, maybeLive, late }, { version }) =>
    gone && version === 2 && history + maybeLive + late > 0
      ? { due: false, code: 'result', finding: { pointer: '/result' } }
      : undefined,
  said: {
    gone: ': there is no such session',
    'gone-otherwise': ({ code }) =>
      `: there is no such session; −32002 says so better than ${minus(code)}`,
    'wrong-code': wrongCode,
    unknown: ': nothing in the trace knows the session either',
    result: 'a result, though there is no such session',
  },
};

export function wrongCode({ problem, due }: ClauseFacts): string {
  return ` with the wrong code, ${problem}; expected ${minus(due)}`;
}

export const OPEN: Clause = {
  rule: 'setup/open-session-denied',
  versions: [1, 2],
  ofRequest: true,
  onError: (_, { isDenied, isOpen, problem }) =>
    isDenied && isOpen ? fault('rejected', 'denied', { problem }) : undefined,
  onResult: ({ history, maybeLive, late, otherSession, refusedNext }) => {
    if (history + maybeLive + late > 0) return undefined;
    if (otherSession !== undefined)
      return fault('restored-nothing', 'other', { name: otherSession });
    return refusedNext ? fault('restored-nothing', 'refused-next') : undefined;
  },
  said: {
    denied: ({ problem }) => `: ${problem}, though the session is open`,
    other: ({ name }) => `a result, yet it names another session, ${name}`,
    'refused-next': 'a result, yet the next request found no session',
  },
};

/** Of an answer that no other clause explains, and of none. */
export const ANSWER = {
  decides: 'load/known-refused',
  versions: [1, 2],
  onError: (
    { method, params }: RestoreAsked,
    { problem, isStored, isDenied, isOpen, isLostSince, gone, code, ...at }: Came,
  ) => {
    const facts = { problem };
    // An internal error blames neither the request nor the client.
    const isFailure = code === CODE.internalError && requestFaults(method, params).length === 0;
    const isFault = isDenied || (isFailure && isStored && !gone);
    if (!isFault || isOpen) return leftOpen('rejected', 'unexplained', facts);
    const pointer = '/error';
    if (!isDenied) return fault('rejected', 'known', facts, { pointer });
    if (isLostSince()) return leftOpen('rejected', 'lost', facts, { ...WITHOUT_GAP, pointer });
    // The same process made the session, so nobody else can have removed it.
    const seqs = [at.madeSeq ?? [], at.requestSeq, at.answerSeq].flat();
    return fault('rejected', 'known', facts, { pointer, seqs, severity: 'error' });
  },
  // A result refuses nothing.
  fault: () => undefined,
  said: {
    known: ({ problem }: ClauseFacts) => `: ${problem}, though there is such a session`,
    lost: ({ problem }: ClauseFacts) =>
      `: ${problem}; the session may have been deleted where frames are missing`,
    unexplained: ({ problem }: ClauseFacts) =>
      `: ${problem}; the trace does not say whether it had to be`,
    ended: ({ problem }: ClauseFacts) => `: ${problem ?? 'the trace ends'}`,
  },
} satisfies Clause;
