// What shows a finding, or some frames, to somebody else: a trace file, the same in words for an issue, and
// in few words for a language model.
import { decodeLossy } from '../../lib/utf8.ts';
import type { RedactionOptions } from '../../model/redact/redactor.ts';
import { markdownReport } from '../../report/markdown.ts';
import { bundleOf, type Wanted } from '../../rules/bundle/bundle.ts';
import { bundleBrief, bundleDocument } from '../../rules/bundle/document.ts';
import { findingKey, type Finding } from '../../rules/finding.ts';
import { loadRemarks } from '../../rules/steps.ts';
import type { ConnectionId, Seq } from '../../trace/event.ts';
import { eventLine, isUnreadable, parseHeader } from '../../trace/format.ts';
import type { Parts } from '../parts.ts';
import { exportName } from '../../trace/file-name.ts';
import { headed, redactorOf, type IsWanted, type Shared } from './share.ts';

/** A finding by its key, or frames. */
export type EvidenceOf = { readonly finding: string } | { readonly seqs: readonly Seq[] };

/** The trace file, and what goes beside it. */
export interface EvidenceFile extends Shared {
  readonly markdown: { readonly name: string; readonly text: string };
  readonly brief: string;
  /** Events that are kept, and all of them. */
  readonly kept: number;
  readonly of: number;
  /** False: the file alone does not show the finding. */
  readonly shown: boolean;
}

/** `file`: all of the trace. Throws where there is no such trace or finding, or nobody waits. */
export async function evidenceFile(
  { catalog, traces, checks, driving }: Parts,
  connection: ConnectionId,
  file: Blob,
  what: EvidenceOf,
  { isWanted, ...options }: RedactionOptions & { readonly isWanted: IsWanted },
): Promise<EvidenceFile> {
  const stored = catalog.get(connection);
  const check = (await checks.get())?.get(connection);
  if (!stored || !check) throw new Error('The trace is not open any more.');
  const findings = check.checker.book.findings(check.against);
  const [open, redactor, remarksOf] = await Promise.all([
    traces.whole(connection),
    redactorOf(file, options, isWanted),
    loadRemarks(check.choice),
  ]);
  const { index, lines } = open;
  const trace = { index, connection, eventAt: (place: number) => lines.read(place) };
  const order = { trace, findings, edition: check.choice, remarksOf };
  const bundle = bundleOf({ ...order, wanted: wantedOf(findings, what) }, redactor);
  const headerText = headed(redactor, decodeLossy(stored.header));
  const header = parseHeader(headerText);
  if (isUnreadable(header)) throw new Error(header.problem);
  const subject = bundle.finding?.rule ?? `frames-${bundle.seqs[0]}`;
  const name = exportName(`${stored.name}-${subject}`);
  const { redaction } = redactor;
  const told = { ...bundle, header, file: name, tool: `acp-scope ${driving.version}`, redaction };
  const text = [headerText, ...bundle.events.map(eventLine)].join('\n').concat('\n');
  return {
    ...{ name, redaction, kept: bundle.kept, of: bundle.of, shown: bundle.shown },
    blob: new Blob([text], { type: file.type }),
    markdown: {
      name: name.replace(/\.acptrace\.jsonl$/, '.md'),
      text: markdownReport(bundleDocument(told)),
    },
    brief: bundleBrief(told),
  };
}

function wantedOf(findings: readonly Finding[], what: EvidenceOf): Wanted {
  if ('seqs' in what) return what;
  const finding = findings.find((one) => findingKey(one) === what.finding);
  if (finding === undefined) throw new Error('The finding is not there any more.');
  return { finding };
}
