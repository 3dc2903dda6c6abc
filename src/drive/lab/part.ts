// One connection of a cell: the agent started and greeted, the requests that the lab makes of it, and
// what it said as a trace that the model can read.
import { initializeParams, type ClientOffer } from '../../acp/capabilities.ts';
import { clientOffer } from '../../acp/handshake.ts';
import { shutGate, type Offered } from '../../acp/gate.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { ScriptedConnection } from '../scripted.ts';
import { type Heard, handshakeFault } from '../heard.ts';
import { defined } from '../../lib/defined.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import type { Axes } from './axes.ts';
import type { Canary, LabEnvironment, LabSettings } from './environment.ts';
import { type IndexedTrace, indexedTrace } from '../../model/indexed-trace.ts';

/** The agent could not be brought to where a cell begins: a clause that says why. */
export class LabProblem extends Error {
  /** It wants a sign-in, or cannot be started: no cell can be tried. */
  readonly isFinal: boolean;
  /** The connection that shows it. */
  part: LabPart | undefined;

  constructor(message: string, isFinal = false) {
    super(message);
    this.isFinal = isFinal;
  }
}

export interface LabPart {
  readonly connection: ScriptedConnection;
  readonly offered: Offered;
  /** The wall clock of its first frame. */
  readonly began: number;
}

/** Where an agent is started, how it is talked to, in which version, and what its cell varies. */
export interface LabTry {
  readonly environment: LabEnvironment;
  readonly settings: LabSettings;
  readonly version: 1 | 2;
  readonly axes: Axes;
}

const EXTRAS: ClientOffer = {
  ...DEFAULT_SETTINGS.advertise,
  terminalAuth: false,
};

/** What of it a version has, as its `initialize` says it; without axes: nothing. */
function clientCapabilities(
  { name }: LabEnvironment,
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
  { environment, settings, version, axes = {} }: Omit<LabTry, 'axes'> & { axes?: Partial<Axes> },
  label: string,
): Promise<LabPart> {
  const { name, budget, timers } = environment;
  const began = environment.now();
  const launched = await environment.launcher.launch({ label });
  if (!launched.ok) throw new LabProblem(launched.message, true);
  const connection = new ScriptedConnection(launched.agent, {
    ...{ name, budget, patience: settings.patience, ...defined({ timers }) },
    settings: { permission: settings.permission === 'allow' ? 'allow-once' : 'reject' },
  });
  const capabilities = clientCapabilities(environment, version, axes);
  const answered = await connection.initialize(version, capabilities);
  const { handshake: offered } = connection;
  if (offered && connection.version !== undefined) return { connection, offered, began };
  // Told before it is ended by us.
  const fault = handshakeFault(answered, connection);
  await connection.stop('SIGTERM');
  throw new LabProblem(`The agent could not be greeted. ${fault}`);
}

function offers({ connection, offered }: LabPart, method: string): boolean {
  return shutGate(method, 'client', connection.version ?? 1, offered) === undefined;
}

/** Deletes what the lab made, where the agent can. */
export async function deleteSessions(part: LabPart, sessionIds: readonly string[]): Promise<void> {
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
export function tracePart(
  { connection, began }: LabPart,
  name: 'before' | 'after',
  until?: (heard: Heard) => boolean,
): IndexedTrace {
  return indexedTrace(connection.events(until), name, { began });
}

const LOOK_MS = 50;

/** Waits for a canary to note something, as long as the settings say. */
export async function waitForCanary(
  connection: ScriptedConnection,
  { canaryPatience }: LabSettings,
  test: () => Promise<boolean>,
): Promise<void> {
  for (let waited = 0; waited < canaryPatience && !(await test()); waited += LOOK_MS)
    await connection.pause(LOOK_MS);
}
