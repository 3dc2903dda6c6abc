// A check as one JSON document; its shape is docs/check.md's.
import { safeJson } from '../../lib/safe-json.ts';
import type { EditionId } from '../../acp/editions/edition.ts';
import { raisedTo } from '../against.ts';
import type { FileReport, ReportedFinding } from './report.ts';
import { summaryOf } from './report.ts';
import { quoteOf } from './said.ts';

export function jsonReport(files: readonly FileReport[]): string {
  const document = {
    files: files.map(({ file, protocolVersion, against, frames, findings, unread }) => ({
      file,
      protocolVersion: protocolVersion ?? null,
      profile: against.edition,
      ...(against.raised.length > 0 && { raised: Object.fromEntries(raisedTo(against)) }),
      frames,
      findings: findings.map((finding) => findingOf(finding, against.edition)),
      summary: summaryOf(findings),
      ...(unread.length > 0 && { unread }),
    })),
  };
  return safeJson(document);
}

function findingOf(finding: ReportedFinding, edition: EditionId) {
  const { rule, verdict, severity, side, seqs, pointer, seen, due, source } = finding;
  const { known, suppressed } = finding;
  return {
    rule,
    verdict,
    severity,
    side,
    seqs,
    pointer,
    seen,
    due,
    source,
    quote: quoteOf(rule, edition) ?? null,
    ...(known && { known }),
    ...(suppressed === undefined ? {} : { suppressed }),
  };
}
