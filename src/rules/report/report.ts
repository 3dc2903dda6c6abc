// What a check of files says, before it is printed in one format or another.
import type { Against } from '../against.ts';
import { isAtLeast, type Finding, type Severity } from '../finding.ts';

export interface ReportedFinding extends Finding {
  /** It stands in the baseline: not new, so it fails no build. */
  readonly known?: true;
  /** Set aside in the trace itself, for this reason. */
  readonly suppressed?: string;
}

/** Part of a file that could not be read, and so was not checked. */
export interface Unread {
  /** Undefined: the whole file. */
  readonly line: number | undefined;
  readonly problem: string;
}

export interface FileReport {
  /** As given on the command line. */
  readonly file: string;
  readonly unread: readonly Unread[];
  readonly protocolVersion: number | undefined;
  readonly against: Against;
  /** The edition was chosen although the handshake settles on `protocolVersion`. */
  readonly contradicts: boolean;
  readonly frames: number;
  readonly findings: readonly ReportedFinding[];
  /** Lines of the file by seq, for places in it. */
  lineOf(seq: number): number;
}

/** How many findings of each kind count. */
export interface Summary {
  readonly error: number;
  readonly warning: number;
  readonly hint: number;
  readonly undecidable: number;
}

/** Not in the baseline, and not set aside. */
export function counts(finding: ReportedFinding): boolean {
  return finding.known !== true && finding.suppressed === undefined;
}

export function summaryOf(findings: readonly ReportedFinding[]): Summary {
  const counted = findings.filter(counts);
  const failed = (severity: Severity) =>
    counted.filter((one) => one.verdict === 'fail' && one.severity === severity).length;
  return {
    error: failed('error'),
    warning: failed('warning'),
    hint: failed('hint'),
    undecidable: counted.filter(({ verdict }) => verdict === 'undecidable').length,
  };
}

/** Whether any finding fails at or above a severity. */
export function isFailed(files: readonly FileReport[], floor: Severity): boolean {
  return files.some(({ findings }) =>
    findings.some((one) => one.verdict === 'fail' && counts(one) && isAtLeast(one.severity, floor)),
  );
}
