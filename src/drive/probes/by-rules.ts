// The conformance rules, run on every frame of the probes. A probe may make the occasion for a rule and
// tell what it finds; what no probe provoked or told stands beside the probes, once for each rule.
import { checkTrace } from '../../rules/check-trace.ts';
import type { Finding } from '../../rules/finding.ts';
import type { RemarksOf } from '../../rules/steps.ts';
import { World } from '../../rules/connection.ts';
import type { ScriptedConnection } from '../scripted.ts';
import { at, say, type Evidence, type ProbeResult, type ProbeVerdict } from './probe.ts';
import type { ProbeConnection, ProbeWorld } from './world.ts';

const WORDS = { error: 'fail', warning: 'warn', hint: 'info' } as const;

function whyOf({ seen, due }: Finding): string {
  return `Seen: ${seen}. Due: ${due}.`;
}

/** Returns the faults that rules find on a connection of a probe; `rules`: their ids, or how these begin. */
export function brokenRules(
  world: ProbeWorld,
  connection: ScriptedConnection,
  ...rules: readonly string[]
): ProbeVerdict[] {
  const isMeant = ({ verdict }: Finding) => verdict === 'fail';
  return verdictsOf(world, connection, isMeant, rules);
}

/** Returns the faults that rules find in a session, and what they leave open. */
export function ruleVerdicts(
  world: ProbeWorld,
  connection: ScriptedConnection,
  sessionId: string,
  ...rules: readonly string[]
): ProbeVerdict[] {
  const isMeant = ({ verdict, session }: Finding) => verdict !== 'pass' && session === sessionId;
  return verdictsOf(world, connection, isMeant, rules);
}

function verdictsOf(
  { told }: ProbeWorld,
  connection: ScriptedConnection,
  isMeant: (finding: Finding) => boolean,
  rules: readonly string[],
): ProbeVerdict[] {
  const found = checkTrace(connection.events(), { name: connection.trace }).findings.filter(
    (one) => isMeant(one) && one.side === 'agent' && rules.some((id) => one.rule.startsWith(id)),
  );
  return found.map((one) => {
    const spot = at(connection, ...one.seqs);
    if (one.verdict === 'undecidable')
      return say('info', `Inconclusive: ${one.seen}. It takes ${one.due}.`, spot);
    told.add(one.rule);
    return say(WORDS[one.severity], whyOf(one), spot);
  });
}

export function rulesOn(
  { opened, oddSessions, told }: ProbeWorld,
  remarksOf: RemarksOf | undefined,
  nameOf = (trace: string) => trace,
): readonly ProbeResult[] {
  const world = new World();
  const byRule = new Map<string, { finding: Finding; evidence: Evidence[] }>();
  for (const one of opened) {
    const { trace } = one.connection;
    const options = { name: nameOf(trace), world, ...(remarksOf && { remarksOf }) };
    for (const finding of checkTrace(one.connection.events(), options).findings) {
      const { rule, session, seqs } = finding;
      const isOdd = session !== undefined && oddSessions.has(session);
      if (!counts(finding, one) || isOdd || told.has(rule)) continue;
      const known = byRule.get(rule);
      if (known) known.evidence.push({ trace, seqs });
      else byRule.set(rule, { finding, evidence: [{ trace, seqs }] });
    }
  }
  return [...byRule.values()].map(({ finding, evidence }) => ({
    id: `rule/${finding.rule}`,
    verdict: WORDS[finding.severity],
    why: whyOf(finding),
    evidence,
  }));
}

/** What the agent did by itself. Hints are for who reads a trace, not for a report card. */
function counts(
  { verdict, side, severity, seqs }: Finding,
  { provoked, cut }: ProbeConnection,
): boolean {
  if (verdict !== 'fail' || side !== 'agent' || severity === 'hint' || cut) return false;
  return !seqs.some((one) => provoked.has(one));
}
