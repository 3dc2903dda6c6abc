// One connection of a cell: the agent started and greeted, the requests that the lab makes of it, and
// what it said as a trace that the model can read.
import { clientOffer, initializeParams, type ClientOffer } from '../../acp/capabilities.ts';
import { shutGate, type Offered } from '../../acp/gate.ts';
import { obj, arr } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { ScriptedConnection, type Heard } from '../scripted.ts';
import { defined } from '../../lib/defined.ts';
import type { ClientSettings } from '../settings.ts';
import type { Axes } from './axes.ts';
import type { Canary, LabGround, LabManners } from './ground.ts';
import { type IndexedTrace, indexedTrace } from '../../model/indexed-trace.ts';

/** The agent could not be brought to where a cell begins: a clause that says why. */
export class LabProblem extends Error {
  /** It wants a sign-in, or cannot be started: no cell can be tried. */
  readonly isFinal: boolean;
  /** The connection that shows it. */
  part: Part | undefined;

  constructor(message: string, isFinal = false) {
    super(message);
    this.isFinal = isFinal;
  }
}

export interface Part {
  readonly connection: ScriptedConnection;
  readonly offered: Offered;
  /** The wall clock of its first frame. */
  readonly began: number;
  /** The result of initialize. */
  readonly initialized: Json;
}

const EXTRAS: ClientOffer = {
  readFiles: false,
  writeFiles: false,
  terminals: false,
  elicitForm: true,
  elicitUrl: true,
  terminalAuth: false,
  sessionExtras: true,
  subagents: false,
};

/** What of it a version has, as its `initialize` says it; without axes: nothing. */
function clientCapabilities(
  { name }: LabGround,
  version: 1 | 2,
  { capabilities, subagents, stop }: Partial<Axes>,
): JsonObject {
  const offer = capabilities === 'extras' ? EXTRAS : undefined;
  const extras = offer && clientOffer(initializeParams(version, offer, name), version);
  const isTaken = subagents === 'with' || (stop === 'child' && subagents !== 'without');
  const takesChildren = version === 1 && (isTaken || capabilities === 'subagents');
  return { ...extras, ...(takesChildren && { subagents: {} }) };
}

/** Starts an agent and greets it. Throws `LabProblem`. */
export async function openPart(
  ground: LabGround,
  manners: LabManners,
  version: 1 | 2,
  axes: Partial<Axes>,
  label: string,
): Promise<Part> {
  const began = ground.now();
  const launched = await ground.launcher.launch({ label });
  if (!launched.ok) throw new LabProblem(launched.message, true);
  const settings: Partial<ClientSettings> = {
    permission: manners.permission === 'allow' ? 'allow-once' : 'reject',
  };
  const connection = new ScriptedConnection(launched.agent, {
    name: ground.name,
    budget: ground.budget,
    settings,
    patience: manners.patience,
    ...defined({ timers: ground.timers }),
  });
  const capabilities = clientCapabilities(ground, version, axes);
  const answered = await connection.initialize(version, capabilities);
  const initialized = answered.result;
  if (initialized === undefined || connection.version === undefined) {
    const { message = 'it did not answer' } = answered.error ?? {};
    await connection.stop('SIGTERM');
    throw new LabProblem(`The agent could not be greeted: ${message}.`);
  }
  const offered: Offered = {
    clientCapabilities: capabilities,
    agentCapabilities:
      obj(initialized, 'agentCapabilities') ?? obj(initialized, 'capabilities') ?? {},
    authMethods: arr(initialized, 'authMethods'),
  };
  return { connection, offered, began, initialized };
}

export function offers({ connection, offered }: Part, method: string): boolean {
  return shutGate(method, 'client', connection.version ?? 1, offered) === undefined;
}

/** Deletes what the lab made, where the agent can. */
export async function clear(part: Part, sessionIds: readonly string[]): Promise<void> {
  if (!offers(part, 'session/delete')) return;
  for (const sessionId of sessionIds)
    if (part.connection.exit === undefined)
      await part.connection.request('session/delete', { sessionId }, CLEAR_MS);
}

const CLEAR_MS = 5000;

/** As `mcpServers` of a version takes a program. */
export function mcpServers(version: 1 | 2, canaries: readonly Canary[]): Json {
  return canaries.map(({ name, command, args }) =>
    version === 1
      ? { name, command, args: [...args], env: [] }
      : { type: 'stdio', name, command, args: [...args] },
  );
}

/**
 * The same trace as its record holds it, without what was said on stderr. `until`: the first frame
 * that does not count.
 */
export function sourceOf(
  { connection, began }: Part,
  name: 'before' | 'after',
  until?: (heard: Heard) => boolean,
): IndexedTrace {
  return indexedTrace(connection.events(until), name, { began });
}

const LOOK_MS = 50;

/** Waits for a canary to note something, as long as manners say. */
export async function settled(
  connection: ScriptedConnection,
  { canaryPatience }: LabManners,
  test: () => Promise<boolean>,
): Promise<void> {
  for (let waited = 0; waited < canaryPatience && !(await test()); waited += LOOK_MS)
    await connection.pause(LOOK_MS);
}
