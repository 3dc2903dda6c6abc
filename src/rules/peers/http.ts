// Streamable HTTP and WebSocket: what crossed beside the frames, and on which stream each came. Families
// `http` and `ws` of the catalogue. A trace of stdio has none of both, and nothing is said of it.
import { sessionIdOf } from '../../acp/update.ts';
import type { Headers, Seq, Transport } from '../../trace/event.ts';
import { type Connection, fact, type Session } from '../connection.ts';
import { onAnswer, onFrame, onRequest, onTransport } from '../listen.ts';
import { onCall, type CallStep } from '../remarks.ts';
import {
  rulesOf,
  fail,
  quote,
  quoteAll,
  type RuleFault,
  type Fold,
  type Outcome,
} from '../rule.ts';

interface AskedRequest {
  readonly id: string | undefined;
  readonly session: Session | undefined;
}

interface Facts {
  /** The newest `initialize`: a client may connect again. */
  initialize: Seq | undefined;
  /** The connection ids in responses to `initialize`, as far as the recording has them. */
  readonly ids: Set<string>;
  /** Requests of the client by their frame, until they have a status. */
  readonly asked: Map<Seq, AskedRequest>;
  /** Streams that are open; undefined: that of the connection. */
  readonly open: Set<string | undefined>;
  readonly cookies: Set<string>;
  /** The last POST was accepted, so its answer has no body. */
  isAccepted: boolean;
}

const wire = fact<Connection, Facts>(() => ({
  initialize: undefined,
  ids: new Set(),
  asked: new Map(),
  open: new Set(),
  cookies: new Set(),
  isAccepted: false,
}));

export const httpFold: Fold = [
  onRequest('all', ({ seq, from, method, params, frame, session }, connection) => {
    if (from !== 'client' || frame.via?.stream !== 'post') return;
    const facts = wire.of(connection);
    if (method === 'initialize') facts.initialize = seq;
    facts.asked.set(seq, { id: sessionIdOf(params), session });
  }),
  onTransport(
    ({ fact: { step, stream, session, method, of, status = 0, response } }, connection) => {
      const facts = wire.of(connection);
      if (of !== undefined) facts.asked.delete(of);
      for (const name of cookieNames(response?.['set-cookie'])) facts.cookies.add(name);
      if (method === 'POST') facts.isAccepted = step === 'answered' && status === 202;
      const id = response?.['acp-connection-id'];
      if (of !== undefined && of === facts.initialize && id) facts.ids.add(id);
      if (stream !== 'connection' && stream !== 'session') return;
      if (step === 'answered' && status === 200) facts.open.add(session);
      else if (step !== 'repeated') facts.open.delete(session);
    },
  ),
];

/** A request of the client that names no session, or another than its header. */
function headerFault(session: string | undefined, header: string | undefined): Outcome {
  if (session === undefined || session === header) return undefined;
  return fail(
    header === undefined
      ? `no \`Acp-Session-Id\` beside the session ${quote(session)}`
      : `\`Acp-Session-Id\` ${quote(header)} beside the session ${quote(session)}`,
    '/params/sessionId',
  );
}

/** Requests whose answer is of one session, and those whose answer is of the connection. */
const OF_SESSION = ['session/prompt', 'session/set_mode', 'session/set_config_option'] as const;
const OF_CONNECTION = ['session/new', 'session/list'] as const;

function strayed(
  { from, frame, params, session: named }: CallStep,
  connection: Connection,
): Outcome {
  const session = sessionIdOf(params);
  const { stream, session: whose } = frame.via ?? {};
  if (from !== 'agent' || session === undefined) return undefined;
  if (stream !== 'connection' && stream !== 'session') return undefined;
  if (whose === session) return 'pass';
  return isAncestor(whose, named, connection) ? undefined : came(whose, session);
}

/** True if the stream is of a parent: a child session has its own stream only if its client opened one. */
function isAncestor(
  whose: string | undefined,
  child: Session | undefined,
  connection: Connection,
): boolean {
  return ancestors(child, connection).some(({ id }) => id === whose);
}

function ancestors(
  child: Session | undefined,
  { windows }: Pick<Connection, 'windows'>,
): readonly Session[] {
  const parent = child && windows.children.parentOf(child);
  return parent === undefined ? [] : [parent, ...ancestors(parent, { windows })];
}

function came(whose: string | undefined, session: string | undefined): RuleFault {
  const name = (of: string | undefined) => (of === undefined ? 'the connection' : quote(of));
  return fail(`on the stream of ${name(whose)}`, { due: `on the stream of ${name(session)}` });
}

/** The statuses that a request like this is refused with; none: nothing is wrong with its head. */
function refusals({ method, request = {}, of }: Transport, initialize: Seq | undefined) {
  const due: number[] = [];
  if (method === 'POST' && !isType(request['content-type'], 'application/json')) due.push(415);
  if (method === 'GET' && !/text\/event-stream|\*\/\*/i.test(request['accept'] ?? ''))
    due.push(406);
  const isFirst = method === 'POST' && of !== undefined && of === initialize;
  if (!isFirst && request['acp-connection-id'] === undefined) due.push(400);
  return due;
}

/** About who asks, or about the server itself. */
const OTHER_REASONS = [401, 403, 429];

export const HTTP = rulesOf({ needs: 'nothing' })({
  'http/init': {
    side: 'agent',
    severity: 'error',
    clause: '`initialize` is answered with 200, JSON and `Acp-Connection-Id`',
    on: onTransport(({ fact: { step, of, status = 0, response = {} }, seq }, connection) => {
      const { initialize } = wire.of(connection);
      if (step !== 'answered' || of === undefined || of !== initialize) return undefined;
      // What is refused is about credentials or a fault, and http/status looks at that.
      if (status < 200 || status >= 300) return undefined;
      const type = response['content-type'];
      const wrong = [
        ...(status === 200 ? [] : [`the status ${status}`]),
        ...(isType(type, 'application/json') ? [] : [`the type ${quote(type)}`]),
        ...(response['acp-connection-id'] === undefined ? ['no `Acp-Connection-Id`'] : []),
      ];
      return wrong.length === 0 ? 'pass' : fail(wrong.join(', '), { seqs: [of, seq] });
    }),
  },
  'http/accepted': {
    side: 'agent',
    severity: 'error',
    clause: 'every other POST is answered with 202 and no body',
    on: [
      onTransport(({ fact: { step, method, of, status = 0, body }, seq }, connection) => {
        const { initialize } = wire.of(connection);
        if (step !== 'answered' || method !== 'POST' || of === undefined) return undefined;
        if (of === initialize || status < 200 || status >= 300) return undefined;
        if (status !== 202) return fail(`the status ${status}`, { seqs: [of, seq] });
        return body === undefined ? 'pass' : fail(`the body ${quote(body)}`, { seqs: [of, seq] });
      }),
      onFrame(({ from, frame }, connection) => {
        if (from !== 'agent' || frame.via?.stream !== 'post') return undefined;
        return wire.of(connection).isAccepted ? fail('a message as the body of a 202') : undefined;
      }),
    ],
  },
  'http/headers': {
    side: 'client',
    severity: 'error',
    clause:
      'what follows `initialize` carries the id of the connection, and what is about a session that of the session',
    on: [
      ...onCall(({ from, frame, params }) =>
        from === 'client' && frame.via?.stream === 'post'
          ? headerFault(sessionIdOf(params), frame.via.session)
          : undefined,
      ),
      onTransport(({ fact: { step, of, request, response, method } }, connection) => {
        const { ids, initialize } = wire.of(connection);
        if (step !== 'answered' || ids.size === 0 || !request || of === initialize)
          return undefined;
        const sent = request['acp-connection-id'];
        const gave = `the agent gave ${quoteAll([...ids])}`;
        if (sent === undefined) return fail(`a ${method} without \`Acp-Connection-Id\``);
        if (!ids.has(sent))
          return fail(`a ${method} with \`Acp-Connection-Id\` ${quote(sent)}; ${gave}`);
        const back = response?.['acp-connection-id'];
        if (back === undefined || ids.has(back)) return 'pass';
        const seen = `\`Acp-Connection-Id\` ${quote(back)} in the response to a ${method}; before, ${gave}`;
        return fail(seen, { side: 'agent' });
      }),
    ],
  },
  'http/stream-open': {
    side: 'client',
    severity: 'warning',
    clause: 'a stream is open before what will be answered on it is sent',
    on: onTransport(({ fact: { step, of, status = 0 }, seq }, connection) => {
      const { asked, open, initialize } = wire.of(connection);
      const request = of === undefined || of === initialize ? undefined : asked.get(of);
      if (step !== 'answered' || status >= 300 || of === undefined || !request) return undefined;
      const { id, session } = request;
      const isOpen = open.has(id) || ancestors(session, connection).some((one) => open.has(one.id));
      if (isOpen) return 'pass';
      // Events of which a part is missing may have opened it.
      if (connection.gaps > 0) return undefined;
      const whose = id === undefined ? 'the connection' : quote(id);
      return fail(`a request was accepted while no stream of ${whose} was open`, {
        seqs: [of, seq],
      });
    }),
  },
  'http/wrong-stream': {
    side: 'agent',
    severity: 'warning',
    clause: 'what is about a session comes on its stream, and the rest on that of the connection',
    on: [
      ...onCall(strayed),
      onAnswer([...OF_SESSION, ...OF_CONNECTION], (step, connection) => {
        const { from, frame, method, params, session } = step;
        const { stream, session: whose } = frame.via ?? {};
        if (from !== 'agent' || (stream !== 'connection' && stream !== 'session')) return undefined;
        const isOwn = OF_CONNECTION.some((one) => one === method);
        const due = isOwn ? undefined : sessionIdOf(params);
        if (whose === due) return 'pass';
        return !isOwn && isAncestor(whose, session, connection) ? undefined : came(whose, due);
      }),
    ],
  },
  'http/status': {
    side: 'agent',
    severity: 'warning',
    clause: 'what is refused is refused with the status that fits',
    on: onTransport(({ fact: said }, connection) => {
      const { step, stream, request, status = 0, method } = said;
      if (step !== 'answered' || stream === 'socket' || !request) return undefined;
      if (OTHER_REASONS.includes(status) || status >= 500) return undefined;
      const due = refusals(said, wire.of(connection).initialize);
      const seen = `${status} for a ${method}`;
      if (due.length > 0)
        return due.includes(status) ? 'pass' : fail(seen, { due: due.join(' or ') });
      const isOdd = status === 405 || status === 406 || status === 415;
      return isOdd
        ? fail(`${seen} whose method, type and \`Accept\` are as they should be`)
        : undefined;
    }),
  },
  'http/cookies': {
    side: 'client',
    severity: 'warning',
    clause: 'cookies that the server sets are sent back',
    on: onTransport(({ fact: { step, stream, request } }, connection) => {
      const set = wire.of(connection).cookies;
      if (step !== 'answered' || stream === 'socket' || !request || set.size === 0)
        return undefined;
      const sent = cookieNames(request['cookie']);
      const missing = [...set].filter((name) => !sent.includes(name));
      return missing.length === 0 ? 'pass' : fail(`no cookie ${quoteAll(missing)}`);
    }),
  },
  'ws/first-frame': {
    side: 'client',
    severity: 'error',
    clause: 'the first frame is `initialize` with an id, and every frame is text with one object',
    on: onFrame(({ from, frame, message }, connection) => {
      if (frame.via?.stream !== 'socket') return undefined;
      if (frame.via.binary) return fail('a binary frame', { side: from });
      const isFirst = connection.started && connection.gaps === 0 && !connection.last.client;
      if (from !== 'client' || !isFirst) return undefined;
      if (message.kind === 'request' && message.method === 'initialize') return 'pass';
      return fail('another frame before `initialize`');
    }),
  },
});

function isType(value: string | undefined, type: string): boolean {
  return value?.split(';')[0]?.trim().toLowerCase() === type;
}

/** Of a masked header: `a=…; b=…`, or `a=…, b=…`. */
function cookieNames(header: Headers[string] | undefined): readonly string[] {
  return (header ?? '').split(/[;,]\s*/).flatMap((part) => /^([^=\s]+)=/.exec(part)?.[1] ?? []);
}
