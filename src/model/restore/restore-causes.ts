// Why a restore may have been rejected, or brought nothing: likely causes, ranked, read from the
// request, the handshake and what this browser's traces know of the session. Each names the frame it
// rests on, and where one exists, the request that would mend it. Guesses for a person to try; known
// failures of agents gave the list: mcpServers left out, a cwd that is not the session's, an id that
// is a file's name, a session that was never prompted or is open elsewhere.
import { CODE, type Json } from '../../acp/message.ts';
import { shutGate } from '../../acp/gate.ts';
import { get, str } from '../../acp/json.ts';
import { defined } from '../../lib/defined.ts';
import { isAbsolutePath } from '../../lib/absolute-path.ts';
import type { ConnectionId, Seq, FrameRef } from '../../trace/event.ts';
import { dueOf } from './clauses.ts';
import { askedOf } from './clauses/clause.ts';
import { requestFaultWords, requestFaults } from './clauses/request.ts';
import { spellingOf } from './cwd-spellings.ts';
import type { HandshakeView } from '../facts/facts-view.ts';
import type { ShapeId } from './restore-shapes.ts';
import type { RestoreVerdict } from './restore-verdict.ts';

/** What is known of the session that was asked for. */
export interface AskedSession {
  /** Its own folder, as the trace or the list tells. */
  readonly cwd?: string;
  /** With which servers it was made or restored last, as JSON, and where that stands. */
  readonly setup?: FrameRef & { readonly mcpServers?: string };
  /** Some frame of some trace names it, other than this restore. */
  readonly isKnown: boolean;
  /** A whole list of the agent's holds it, or does not; undefined: none was asked for. */
  readonly isListed?: boolean;
  /** A trace holds a prompt or history of it. */
  readonly hasHistory: boolean;
  readonly deleted?: FrameRef;
  readonly closed?: FrameRef;
  /** A running connection, not this one, has it open. */
  readonly openAt?: FrameRef;
  /** The connection it was asked for on has it open. */
  readonly openHere?: FrameRef;
}

export interface FailedRestore {
  readonly connection: ConnectionId;
  readonly request: Seq;
  readonly method: 'session/load' | 'session/resume';
  readonly version: 1 | 2;
  readonly params: Json | undefined;
  readonly verdict: RestoreVerdict;
  /** Of the error. */
  readonly code?: number;
  readonly message?: string;
}

export interface CauseContext {
  readonly handshake: HandshakeView | undefined;
  readonly session: AskedSession;
  /** Other sessions that could be asked for, the likeliest first. */
  readonly others: readonly { readonly sessionId: string; readonly name: string }[];
}

/** What to change in the form and send. */
export interface Mend {
  /** `Send with mcpServers []`. */
  readonly label: string;
  readonly shape?: ShapeId;
  readonly sessionId?: string;
  readonly cwd?: string;
  readonly mcpServers?: string;
  readonly additionalDirectories?: string;
  /** The same request, on a fresh connection. */
  readonly fresh?: true;
}

export interface Cause {
  readonly id: string;
  /** A sentence. */
  readonly text: string;
  /** What it rests on. */
  readonly frame?: FrameRef;
  readonly mend?: Mend;
  /** Likelier first; 0 to 100. */
  readonly weight: number;
}

const EMPTY: readonly RestoreVerdict[] = ['replayed-nothing', 'restored-nothing'];
const REJECTED: readonly RestoreVerdict[] = ['rejected', 'rejected-as-due'];

/** None where the restore came to something. */
export function causesOf(failed: FailedRestore, context: CauseContext): readonly Cause[] {
  const { verdict } = failed;
  if (!EMPTY.includes(verdict) && !REJECTED.includes(verdict)) return [];
  return [
    ...requestCauses(failed, context),
    ...capabilityCauses(failed, context),
    ...placeCauses(failed, context),
    ...sessionCauses(failed, context),
    ...cursorCauses(failed),
  ].toSorted((a, b) => b.weight - a.weight);
}

/** `more`: what it rests on, and the request that would mend it. */
function cause(
  weight: number,
  id: string,
  text: string,
  more: { readonly frame?: FrameRef | undefined; readonly mend?: Mend | undefined } = {},
): Cause {
  return { id, text, weight, ...defined(more) };
}

function requestCauses(
  { method, params, code, connection, request }: FailedRestore,
  { session }: CauseContext,
): Cause[] {
  const frame = { connection, seq: request };
  return requestFaults(method, params).flatMap((fault): Cause[] => {
    const { field } = fault;
    if (field === 'sessionId') return [];
    const text = `${requestFaultWords(fault)}: the schema makes −32602 due.`;
    const weight = code === CODE.invalidParams ? 95 : 90;
    const { cwd } = session;
    if (field === 'cwd')
      return [
        cause(weight - 1, 'cwd', text, { frame, mend: cwd === undefined ? cwd : withCwd(cwd) }),
      ];
    const mend = { label: 'Send with mcpServers []', mcpServers: '[]' };
    return [cause(weight, 'servers', text, { frame, mend })];
  });
}

function withCwd(cwd: string): Mend {
  return { label: `Send with ${cwd}`, cwd };
}

function capabilityCauses(
  { method, version, params, code, verdict }: FailedRestore,
  { handshake }: CauseContext,
): Cause[] {
  if (handshake === undefined) return [];
  const causes: Cause[] = [];
  const gate = shutGate(method, 'client', version, handshake);
  if (gate) {
    const other = method === 'session/load' ? 'resume' : 'load';
    const name = `session/${other}`;
    const isOpen = version === 1 && shutGate(name, 'client', version, handshake) === undefined;
    const mend = isOpen ? ({ label: `Send ${name} instead`, shape: other } as const) : undefined;
    const weight = code === CODE.methodNotFound ? 98 : 70;
    causes.push(
      cause(weight, 'capability', `The agent does not advertise ${gate.words}.`, { mend }),
    );
  } else if (version === 1 && method === 'session/resume' && verdict === 'restored-nothing')
    causes.push(cause(20, 'resume', 'A v1 resume never replays.'));
  const broken = dueOf(askedOf(method, version, params, handshake), undefined).filter(
    ({ tone }) => tone === 'breaks',
  );
  const refusable = broken.find(({ clause }) => clause === 'transports' || clause === 'servers');
  if (refusable) {
    const mend = { label: 'Send without MCP servers', mcpServers: '[]' };
    causes.push(cause(60, 'transport', refusable.text, { mend }));
  }
  if (code === CODE.authRequired)
    causes.push(cause(99, 'sign-in', 'The agent asks for sign-in first (−32000).'));
  const directories = broken.find(({ clause }) => clause === 'directories');
  if (directories) {
    const mend = { label: 'Send without them', additionalDirectories: '' };
    causes.push(cause(50, 'directories', directories.text, { mend }));
  }
  return causes;
}

function placeCauses({ params, code }: FailedRestore, { session }: CauseContext): Cause[] {
  const causes: Cause[] = [];
  const cwd = str(params, 'cwd');
  const { cwd: own, setup } = session;
  // A relative one is told already.
  if (cwd !== undefined && isAbsolutePath(cwd) && own !== undefined && cwd !== own) {
    const slash = spellingOf(cwd, own)?.id === 'slash';
    const text = slash
      ? `The session’s cwd is spelled ${own}: agents that look it up by its name do not find it.`
      : `The session’s cwd is ${own}: agents keep sessions by folder.`;
    causes.push(cause(slash ? 65 : 85, 'own-cwd', text, { frame: setup, mend: withCwd(own) }));
  }
  const servers = get(params, 'mcpServers');
  const sent = servers === undefined ? undefined : JSON.stringify(servers);
  if (setup?.mcpServers !== undefined && sent !== undefined && setup.mcpServers !== sent) {
    const text =
      'Other MCP servers than the session had: none is remembered, and some agents insist.';
    const mend = { label: 'Send with the same servers', mcpServers: setup.mcpServers };
    const weight = code === CODE.invalidParams ? 45 : 25;
    causes.push(cause(weight, 'other-servers', text, { frame: setup, mend }));
  }
  return causes;
}

/** What an agent says that has the session already. */
const OPEN_WORDS = /already|in use|\bactive\b|\bopen\b/i;

function sessionCauses(
  { params, code, message = '' }: FailedRestore,
  { session, others }: CauseContext,
): Cause[] {
  const { setup, deleted, closed, openHere, openAt, isKnown, isListed, hasHistory } = session;
  const causes: Cause[] = [];
  const add = (...told: Parameters<typeof cause>) => void causes.push(cause(...told));
  const id = str(params, 'sessionId') ?? '';
  const [other] = others;
  const mend = other && { label: `Restore ${other.name} instead`, sessionId: other.sessionId };
  const bare = /^session[-_]?(.+?)(?:\.jsonl?)?$/i.exec(id)?.[1] ?? /^(.+)\.jsonl?$/i.exec(id)?.[1];
  if (bare !== undefined && !isKnown)
    add(
      75,
      'file-name',
      'The id looks like the name of a file in the agent’s store: the session’s is a part of it.',
      { mend: { label: `Send with ${bare}`, sessionId: bare } },
    );
  if (deleted) add(97, 'deleted', 'The session was deleted.', { frame: deleted, mend });
  else if (isListed === false)
    add(hasHistory ? 55 : 80, 'not-listed', 'The agent’s own list does not hold this id.', {
      mend,
    });
  else if (!isKnown)
    add(78, 'unknown', 'No trace of this browser and no list of the agent’s names this id.', {
      mend,
    });
  if (isKnown && !hasHistory && !deleted)
    add(
      72,
      'never-prompted',
      'Nobody has seen a prompt in this session: many agents store one with its first prompt.',
      { frame: setup, mend },
    );
  if (isKnown && !deleted && code === CODE.internalError)
    add(
      15,
      'same-minute',
      'The agent failed with an internal error, although the session exists. Some agents name the file of a session by the minute, and a restore within that minute overwrites the file. Make a new session, and restore it more than a minute later.',
      { frame: setup },
    );
  if (closed && !deleted)
    add(48, 'closed', 'The session was closed: that should not forget it, yet some agents do.', {
      frame: closed,
    });
  if (openHere)
    add(
      OPEN_WORDS.test(message) ? 96 : 62,
      'open-here',
      'This connection has the session open: some agents restore it in a new process alone.',
      { frame: openHere, mend: { label: 'Send on a fresh connection', fresh: true } },
    );
  if (openAt)
    add(
      58,
      'open-elsewhere',
      'Another running connection has the session open: an agent may lock what it stores.',
      { frame: openAt },
    );
  return causes;
}

function cursorCauses({ version, params, verdict, code }: FailedRestore): Cause[] {
  const cursor = get(params, 'replayFrom');
  const type = str(cursor, 'type');
  if (version !== 2 || cursor === undefined || cursor === null || type === 'start') return [];
  const text =
    type === undefined
      ? 'What was sent as replayFrom is no cursor.'
      : `The agent does not know the cursor type ${type}, or not the place it names.`;
  const weight = code === CODE.invalidParams || verdict === 'replayed-nothing' ? 93 : 40;
  return [cause(weight, 'cursor', text, { mend: { label: 'Send from start', shape: 'start' } })];
}
