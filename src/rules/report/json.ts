// A check as one JSON document; its shape is docs/check.md's.
import { safeJson } from '../../lib/safe-json.ts';
import { raisedTo } from '../against.ts';
import type { FileReport, ReportedFinding } from './report.ts';
import { summaryOf } from './report.ts';

export function jsonReport(files: readonly FileReport[]): string {
  const document = {
    files: files.map(({ file, protocolVersion, against, frames, findings, unread }) => ({
      file,
      protocolVersion: protocolVersion ?? null,
      profile: against.edition,
      ...(against.raised.length > 0 && { raised: Object.fromEntries(raisedTo(against)) }),
      frames,
      findings: findings.map(findingOf),
      summary: summaryOf(findings),
      ...(unread.length > 0 && { unread }),
    })),
  };
  return safeJson(document);
}

function findingOf(finding: ReportedFinding) {
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
    source: source.url,
    quote: source.quote ?? null,
    ...(known && { known }),
    ...(suppressed === undefined ? {} : { suppressed }),
  };
}
