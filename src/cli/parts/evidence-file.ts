// `acp-scope export IN OUT.md`: what shows a finding, or some frames, to somebody else.
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { version } from '../../../package.json';
import { count } from '../../lib/format-count.ts';
import { indexedTrace } from '../../model/indexed-trace.ts';
import type { Redactor } from '../../model/redact/redactor.ts';
import { markdownReport } from '../../report/markdown.ts';
import { bundleOf, type Wanted } from '../../rules/bundle/bundle.ts';
import { bundleDocument, type BundleTold } from '../../rules/bundle/document.ts';
import { checkTrace, type CheckedTrace } from '../../rules/check-trace.ts';
import type { Finding } from '../../rules/finding.ts';
import { loadRemarks } from '../../rules/steps.ts';
import type { Seq, TraceEvent } from '../../trace/event.ts';
import type { Header } from '../../trace/format.ts';
import { FileError, UsageError } from '../command.ts';
import type { SeqSpan } from './frame-places.ts';
import { readTrace, writeTrace } from './trace-files.ts';

interface EvidenceWish {
  /** Rule, or rule and one of its frames: `replay/empty`, `replay/empty#12`. */
  readonly finding: string | undefined;
  readonly spans: readonly SeqSpan[];
}

/** The trace file beside `out`. */
export function evidenceTrace(out: string): string {
  return out.replace(/\.md$/, '.acptrace.jsonl');
}

/** `header`: as it may leave. `redactor`: has learned the file. Throws UsageError where there is no such finding. */
export async function writeEvidence(
  input: string,
  out: string,
  header: Header,
  redactor: Redactor,
  wish: EvidenceWish,
): Promise<BundleTold> {
  const { events } = await readTrace(input);
  const remarksOf = await loadRemarks();
  const checked = checkTrace(events, { remarksOf });
  const wanted = wantedOf(input, events, checked, wish);
  const { findings } = checked;
  const trace = indexedTrace(events, 'c1');
  const bundle = bundleOf({ trace, findings, wanted, edition: 'auto', remarksOf }, redactor);
  const file = evidenceTrace(out);
  const told: BundleTold = {
    ...bundle,
    header,
    file: basename(file),
    tool: `acp-scope ${version}`,
    redaction: redactor.redaction,
  };
  await writeTrace(file, header, [bundle.events]);
  await writeFile(out, markdownReport(bundleDocument(told)), { mode: 0o600 }).catch(
    (error: unknown) => {
      throw new FileError(`Cannot write ${out}: ${String(error)}.`);
    },
  );
  return told;
}

function wantedOf(
  input: string,
  events: readonly TraceEvent[],
  { findings }: CheckedTrace,
  { finding, spans }: EvidenceWish,
): Wanted {
  if (finding !== undefined) return { finding: findingNamed(input, findings, finding) };
  const isMeant = (seq: Seq) => spans.some(({ from, to }) => seq >= from && seq <= to);
  const seqs = events.flatMap(({ seq }) => (isMeant(seq) ? [seq] : []));
  if (seqs.length > 0) return { seqs };
  throw new UsageError(`${input} has no such frames.`);
}

/** The worst finding of this name; the others are named on stderr. */
function findingNamed(input: string, findings: readonly Finding[], name: string): Finding {
  const [, rule = name, at] = /^(.+)#(\d+)$/.exec(name) ?? [];
  const named = findings.filter((one) => one.rule === rule);
  const fitting = named.filter(
    ({ seqs }) => at === undefined || seqs.some((seq) => `${seq}` === at),
  );
  const [first, ...more] = fitting;
  if (first === undefined) {
    const there = named.length > 0 ? named : findings.filter(({ verdict }) => verdict === 'fail');
    const names = [...new Set(there.map(nameOf))].join(', ');
    throw new UsageError(
      names === ''
        ? `${input} has no findings. Name frames instead: ${input}#4,7..9`
        : `${input} has no finding ${name}. It has ${names}.`,
    );
  }
  if (more.length > 0)
    console.error(
      `${count(more.length, 'more finding')} of ${rule}: ${more.map(nameOf).join(', ')}.`,
    );
  return first;
}

function nameOf({ rule, seqs }: Finding): string {
  return `${rule}#${seqs[0]}`;
}
