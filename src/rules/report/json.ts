// A check as one JSON document; its shape is docs/check.md's.
import { safeJson } from '../../lib/safe-json.ts';
import type { Profile } from '../profile.ts';
import type { FileReport, ReportedFinding } from './report.ts';
import { summaryOf } from './report.ts';
import { quoteOf } from './said.ts';

export function jsonReport(files: readonly FileReport[]): string {
  const document = {
    files: files.map(({ file, protocolVersion, profile, frames, findings, unread }) => ({
      file,
      protocolVersion: protocolVersion ?? null,
      profile,
      frames,
      findings: findings.map((finding) => findingOf(finding, profile)),
      summary: summaryOf(findings),
      ...(unread.length > 0 && { unread }),
    })),
  };
  return safeJson(document);
}

function findingOf(finding: ReportedFinding, profile: Profile) {
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
    quote: quoteOf(rule, profile) ?? null,
    ...(known && { known }),
    ...(suppressed === undefined ? {} : { suppressed }),
  };
}
