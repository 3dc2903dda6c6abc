// The conformance rules, run on every frame of the probes: what they find, and no probe provoked, is
// told beside the probes, once for each rule.
import { checkTrace } from '../../rules/check-trace.ts';
import type { Finding } from '../../rules/finding.ts';
import type { RemarksOf } from '../../rules/steps.ts';
import { World } from '../../rules/world.ts';
import { eventsOf } from './events.ts';
import type { Evidence, ProbeVerdict } from './probe.ts';
import type { Opened, ProbeWorld } from './world.ts';

export interface RuleResult extends ProbeVerdict {
  /** `rule/rpc/response-duplicate`. */
  readonly id: string;
}

const WORDS = { error: 'fail', warning: 'warn', hint: 'info' } as const;

export function rulesOn(
  { opened, oddSessions }: Pick<ProbeWorld, 'opened' | 'oddSessions'>,
  remarksOf: RemarksOf | undefined,
): readonly RuleResult[] {
  const world = new World();
  const byRule = new Map<string, { finding: Finding; evidence: Evidence[] }>();
  for (const one of opened) {
    const { trace } = one.connection;
    const options = { name: trace, world, ...(remarksOf && { remarksOf }) };
    for (const finding of checkTrace(eventsOf(one.connection), options).findings) {
      if (!counts(finding, one) || isAbout(finding, oddSessions)) continue;
      const known = byRule.get(finding.rule);
      const evidence = { trace, seqs: finding.seqs };
      if (known) known.evidence.push(evidence);
      else byRule.set(finding.rule, { finding, evidence: [evidence] });
    }
  }
  return [...byRule.values()].map(({ finding, evidence }) => ({
    id: `rule/${finding.rule}`,
    verdict: WORDS[finding.severity],
    why: `Seen: ${finding.seen}. Due: ${finding.due}.`,
    evidence,
  }));
}

/** What the agent did by itself. Hints are for who reads a trace, not for a report card. */
function counts({ verdict, side, severity, seqs }: Finding, { provoked, cut }: Opened): boolean {
  if (verdict !== 'fail' || side !== 'agent' || severity === 'hint' || cut) return false;
  return !seqs.some((one) => provoked.has(one));
}

/** A rule may name a session in what it saw alone: that a list still has it. */
function isAbout({ session, places }: Finding, sessions: ReadonlySet<string>): boolean {
  if (session !== undefined && sessions.has(session)) return true;
  return [...sessions].some((id) => places.every(({ seen }) => seen.includes(id)));
}
