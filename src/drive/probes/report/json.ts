// A run of probes as one JSON document; its shape is docs/probes.md's.
import type { ProbeVerdict } from '../probe.ts';
import { countsOf, type ProbeReport } from '../run.ts';
import { isKnown } from '../../baseline.ts';
import type { Keeping } from './keeping.ts';

export function jsonReport(
  { agent, probes, leftOut, rules, prompts, connections, stopped, unasked }: ProbeReport,
  command: readonly string[],
  keeping: Keeping = {},
): string {
  const results = [...probes, ...rules];
  const { name, title, release, version } = agent;
  const document = {
    agent: { name, title, version: release, command },
    protocolVersion: version,
    probes: results.map((result) => resultOf(result, keeping)),
    ...(leftOut.length > 0 && { leftOut }),
    ...(unasked !== undefined && { unasked }),
    summary: { ...countsOf(results), prompts, connections, ...(stopped && { stopped }) },
  };
  return JSON.stringify(document, undefined, 2);
}

/** `seqs` lie in `trace`; what lies in other traces is under `also`. Only traces that were kept are named. */
function resultOf(result: ProbeVerdict & { readonly id: string }, keeping: Keeping) {
  const { id, verdict, why, evidence } = result;
  const { kept = () => true } = keeping;
  const [first, ...rest] = evidence;
  const also = rest.filter(({ trace }) => kept(trace));
  return {
    id,
    verdict,
    why,
    seqs: first?.seqs ?? [],
    ...(first && kept(first.trace) && { trace: first.trace }),
    ...(also.length > 0 && { also }),
    ...(isKnown(result, keeping) && { known: true }),
  };
}
