// What a session was made or asked for with, whatever connection said it: its directory, further
// roots, MCP servers, and whether it was ever prompted.
import { arr, objects, str } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { OPENERS } from '../../acp/methods.ts';
import { type Connection, type Session, fact, type SessionAtAgent } from '../connection.ts';
import { onAnswer, onRequest } from '../listen.ts';
import type { AnswerStep } from '../steps.ts';
import type { Fold } from '../rule.ts';
import type { FrameRef } from '../../trace/event.ts';

interface SetupFacts {
  /** Directories it was made in, listed with or restored in, and the first frame that said so. */
  readonly cwds: Map<string, FrameRef>;
  /** What the last request that made or restored it gave. */
  roots: readonly string[];
  servers: readonly string[];
  given: FrameRef | undefined;
  prompted: boolean;
}

export const setups = fact<SessionAtAgent, SetupFacts>(() => ({
  cwds: new Map(),
  roots: [],
  servers: [],
  given: undefined,
  prompted: false,
}));

/** A session that gives more directories than this is told apart by none of them. */
const MOST_CWDS = 20;

/** `#5`, or `c2#5` where it is another connection's. */
export function frameWords({ connection, seq }: FrameRef, here: Connection): string {
  return connection === here.id ? `#${seq}` : `${connection}#${seq}`;
}

/** Names of the MCP servers, and the further roots, that params give. */
export function rootsOf(params: Json | undefined): readonly string[] {
  return arr(params, 'additionalDirectories').filter((root) => typeof root === 'string');
}
export function serversOf(params: Json | undefined): readonly string[] {
  return objects(params, 'mcpServers').map((server) => str(server, 'name') ?? '');
}

/** The session that an answer makes or restores; undefined: it failed, or names none. */
export function openedBy(
  { method, result, session }: AnswerStep,
  connection: Connection,
): Session | undefined {
  if (result === undefined) return undefined;
  if (method !== 'session/fork') return session;
  const id = str(result, 'sessionId');
  return id === undefined ? undefined : connection.sessions.get(id);
}

/** The whole record is there from the handshake on: what was not seen was not said. */
export function isSeenWhole({ handshake, gaps }: Connection): boolean {
  return handshake?.result !== undefined && gaps === 0;
}

function located(facts: SetupFacts, cwd: string | undefined, where: FrameRef): void {
  if (cwd !== undefined && !facts.cwds.has(cwd) && facts.cwds.size < MOST_CWDS)
    facts.cwds.set(cwd, where);
}

export const setupFold: Fold = [
  onAnswer(OPENERS, (step, connection) => {
    const session = openedBy(step, connection);
    if (session === undefined || step.asked.from !== 'client') return;
    const facts = setups.of(session.stored);
    const { params, asked } = step;
    const where = { connection: connection.id, seq: asked.seq };
    located(facts, str(params, 'cwd'), where);
    facts.roots = rootsOf(params);
    facts.servers = serversOf(params);
    facts.given = where;
  }),
  onAnswer(['session/list'], ({ result, seq }, connection) => {
    for (const info of objects(result, 'sessions')) {
      const session = connection.sessions.get(str(info, 'sessionId') ?? '');
      if (session === undefined) continue;
      located(setups.of(session.stored), str(info, 'cwd'), { connection: connection.id, seq });
    }
  }),
  onRequest(['session/prompt'], ({ session }) => {
    if (session) setups.of(session.stored).prompted = true;
  }),
];
