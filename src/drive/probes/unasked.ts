// Why a run of probes came to no verdict at all: a run that asked nothing must not look like one that
// found nothing.
import { count } from '../../lib/format-count.ts';
import type { ProbeVerdict } from './probe.ts';
import { PROBES } from './registry.ts';

/** Reasons that are told. */
const TOLD = 2;

/** A sentence; undefined: something was judged. */
export function unaskedWhy(
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
