// A run of probes against one agent: shakes hands to learn what it speaks and offers, asks what was
// chosen, and says what came of it, also when it is stopped half way.
import { handshakeFault } from '../heard.ts';
import { rulesOn } from './by-rules.ts';
import { probePlan, runOrder, type LeftOutProbe, type ProbePlan } from './plan.ts';
import { CannotAsk, skip, type ProbeResult, type ProbeVerdict } from './probe.ts';
import { PROBES } from './registry.ts';
import { launchFor, type Probe, ProbeWorld, type ProbeSettings } from './world.ts';
import { BudgetSpent } from '../prompt-budget.ts';
import { defined } from '../../lib/defined.ts';
import { count } from '../../lib/format.ts';
import type { RemarksOf } from '../../rules/steps.ts';

export interface ProbeRun {
  readonly settings: ProbeSettings;
  /** Undefined: the highest version that the agent speaks. */
  readonly version?: 1 | 2;
  /** Undefined: all but those that must be asked for by name. */
  readonly chosen?: (id: string) => boolean;
  /** Once it aborts, no further probe is asked, and whoever aborts ends the agents. */
  readonly stop: AbortSignal;
  /** Schemas beside the rules. */
  readonly remarksOf?: RemarksOf;
  /** How sentences call a connection by its trace; absent: as the trace is called. */
  readonly nameOf?: (trace: string) => string;
  /** The plan, before anything but the handshake is sent. */
  planned?(plan: ProbePlan, agent: ProbedAgent): void;
  began?(probe: Probe): void;
  ended?(result: ProbeResult): void;
}

export interface ProbedAgent {
  readonly version: 1 | 2;
  /** What it calls itself. */
  readonly name: string | undefined;
  readonly title: string | undefined;
  readonly release: string | undefined;
}

export interface ProbeReport {
  readonly agent: ProbedAgent;
  /** In the order of the catalogue. */
  readonly probes: readonly ProbeResult[];
  /** Not asked, because nobody said so. */
  readonly leftOut: readonly LeftOutProbe[];
  /** What the rules found in all frames, and no probe provoked. */
  readonly rules: readonly ProbeResult[];
  readonly prompts: number;
  readonly connections: number;
  readonly stopped: boolean;
  /** Nothing about sessions could be asked: the agent wants a sign-in first. */
  readonly wantsSignIn?: boolean;
  /** Why no probe came to a verdict, as a sentence; absent where one did, or the run was stopped. */
  readonly unasked?: string;
}

type ProbeOutcome =
  | { readonly ok: true; readonly report: ProbeReport }
  /** Nothing could be asked; `message` is a sentence. */
  | { readonly ok: false; readonly message: string };

export async function runProbes(run: ProbeRun): Promise<ProbeOutcome> {
  const met = await meet(run).catch((error: unknown) => {
    if (error instanceof CannotAsk) return error.message;
    throw error;
  });
  if (typeof met === 'string') return { ok: false, message: met };
  const { agent, world } = met;
  const plan = probePlan(agent.version, run.chosen, (probe) => shutOf(probe, world) !== undefined);
  run.planned?.(plan, agent);
  const results = new Map<string, ProbeResult>();
  for (const probe of runOrder(plan.probes)) {
    if (run.stop.aborted) break;
    run.began?.(probe);
    const verdict = await ask(probe, world);
    const result = { id: probe.id, ...(run.stop.aborted ? stopped() : verdict) };
    results.set(probe.id, result);
    run.ended?.(result);
  }
  await world.leaveAll();
  const probes = plan.probes.map(({ id }) => results.get(id) ?? { id, ...stopped() });
  const unasked = run.stop.aborted ? undefined : unaskedWhy(agent.version, probes, run.chosen);
  return {
    ok: true,
    report: {
      agent,
      probes,
      leftOut: plan.leftOut,
      rules: rulesOn(world, run.remarksOf, run.nameOf),
      prompts: run.settings.budget.spent,
      connections: world.opened.length,
      stopped: run.stop.aborted,
      wantsSignIn: world.wantsSignIn,
      ...(unasked !== undefined && { unasked }),
    },
  };
}

function stopped(): ProbeVerdict {
  return skip('The run was stopped before.');
}

/** What it needs and the agent does not advertise, as a sentence. */
function shutOf({ needs = [] }: Probe, world: ProbeWorld): string | undefined {
  return needs.map((method) => world.shut(method)).find((why) => why !== undefined);
}

async function ask(probe: Probe, world: ProbeWorld): Promise<ProbeVerdict> {
  if (probe.elsewhere !== undefined) return skip(probe.elsewhere);
  const shut = shutOf(probe, world);
  if (shut !== undefined) return skip(shut);
  world.probe = probe.id;
  world.shown = [];
  try {
    const verdict = await probe.run(world);
    return verdict.evidence.length > 0 ? verdict : { ...verdict, evidence: world.shown };
  } catch (error) {
    if (error instanceof CannotAsk) return skip(error.message, ...error.evidence);
    if (error instanceof BudgetSpent) return skip(`${error.message} Raise --max-prompts.`);
    throw error;
  } finally {
    await world.leaveProbe();
  }
}

/** A first handshake, which settles the version; its process ends. Throws `CannotAsk`. */
async function meet({
  settings,
  version,
}: ProbeRun): Promise<{ readonly agent: ProbedAgent; readonly world: ProbeWorld }> {
  let { connection, fault } = await shake(settings, version ?? 2);
  // An agent of v1 may choke on the fields of v2.
  if (connection.version === undefined && version === undefined)
    ({ connection, fault } = await shake(settings, 1));
  const { version: spoken, handshake } = connection;
  if (spoken === undefined || handshake === undefined)
    throw new CannotAsk(`${fault} See ${connection.trace}.`);
  if (version !== undefined && spoken !== version)
    throw new CannotAsk(
      `The agent does not speak version ${version}: it settles on ${spoken}. Leave --protocol out, or give ${spoken}.`,
    );
  const world = new ProbeWorld(spoken, handshake, settings);
  world.opened.push({ connection, probe: 'run', provoked: new Set(), cut: false });
  const { name, title, version: release } = handshake.agent ?? {};
  return { world, agent: { version: spoken, name, title, release } };
}

/** `fault`: why no version came of it, told before it is ended by us. */
async function shake(settings: ProbeSettings, version: 1 | 2) {
  const { subagents } = settings;
  const connection = await launchFor(settings, 'handshake', defined({ subagents }));
  const answered = await connection.initialize(version);
  const fault = handshakeFault(answered, connection);
  await connection.leave();
  return { connection, fault };
}

// Why a run of probes came to no verdict at all: a run that asked nothing must not look like one that
// found nothing.

/** Reasons that are told. */
const TOLD = 2;

/** A sentence; undefined: something was judged. */
function unaskedWhy(
  version: 1 | 2,
  results: readonly ProbeVerdict[],
  chosen: (id: string) => boolean = () => true,
): string | undefined {
  if (results.some(({ verdict }) => verdict !== 'skip')) return undefined;
  if (results.length > 0) {
    const reasons = [...new Set(results.map(({ why }) => why))];
    const more = reasons.length - TOLD;
    const rest = more > 0 ? ` And ${count(more, 'reason')} more.` : '';
    const all = results.length === 1 ? 'the probe was' : `all ${results.length} probes were`;
    return `Nothing could be judged: ${all} skipped. ${reasons.slice(0, TOLD).join(' ')}${rest}`;
  }
  const other = version === 1 ? 2 : 1;
  const isOther = PROBES.some(({ id, versions }) => versions.includes(other) && chosen(id));
  return isOther
    ? `Nothing was asked: what was named is of version ${other}, and this run spoke version ${version}. Give --protocol ${other}.`
    : 'Nothing was asked: what was named is no probe.';
}
