// What a check of files says, before it is printed in one format or another.
import { arr, objects, parseJson, str } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { safeJson } from '../../lib/safe-json.ts';
import { raisedTo } from '../against.ts';
import type { CheckedTrace } from '../check-trace.ts';
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

export interface FileReport extends Omit<CheckedTrace, 'findings'> {
  /** As given on the command line. */
  readonly file: string;
  readonly unread: readonly Unread[];
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

/** True if a check fails because of the finding: by its severity, or because all after the handshake is unchecked. */
export function failsCheck(finding: ReportedFinding, floor: Severity): boolean {
  const { verdict, severity } = finding;
  const isFault = verdict === 'fail' && isAtLeast(severity, floor);
  return (isFault || isUnchecked(finding)) && counts(finding);
}

/** True if a finding reports a connection whose handshake failed, or has no response in the trace. */
export function isUnchecked({ rule, verdict }: { rule: string; verdict: string }): boolean {
  return rule === 'init/refused' && verdict !== 'pass';
}

/** Whether any finding fails the check. */
export function isFailed(files: readonly FileReport[], floor: Severity): boolean {
  return files.some(({ findings }) => findings.some((one) => failsCheck(one, floor)));
}

// A check as one JSON document; its shape is docs/check.md's.

export function findingsJson(files: readonly FileReport[]): string {
  const document = {
    files: files.map(({ file, protocolVersion, against, frames, holes, findings, unread }) => ({
      file,
      protocolVersion: protocolVersion ?? null,
      profile: against.edition,
      ...(against.raised.length > 0 && { raised: Object.fromEntries(raisedTo(against)) }),
      frames,
      ...(holes.length > 0 && { holes }),
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

// A baseline: findings that are known, from an earlier check in JSON. Seqs and ids differ from run to
// run, so a finding is the same if rule, side and place in the message are.

export class FindingBaseline {
  /** Keys by file; of a file the baseline does not name, those of all count. */
  readonly #files = new Map<string, Set<string>>();
  readonly #all = new Set<string>();

  /** Undefined: the text is no check in JSON. */
  static read(text: string): FindingBaseline | undefined {
    const document: Json | undefined = parseJson(text);
    if (arr(document, 'files').length === 0) return undefined;
    const made = new FindingBaseline();
    for (const file of objects(document, 'files')) {
      const keys = new Set<string>();
      made.#files.set(nameOf(str(file, 'file') ?? ''), keys);
      for (const finding of objects(file, 'findings')) {
        const rule = str(finding, 'rule') ?? '';
        const verdict = str(finding, 'verdict') ?? '';
        if (verdict !== 'fail' && !isUnchecked({ rule, verdict })) continue;
        const key = keyOf(rule, str(finding, 'side') ?? '', str(finding, 'pointer') ?? '');
        keys.add(key);
        made.#all.add(key);
      }
    }
    return made;
  }

  /** The findings of a file, those that are known marked so. */
  mark(file: string, findings: readonly Finding[]): readonly ReportedFinding[] {
    const known = this.#files.get(nameOf(file)) ?? this.#all;
    return findings.map((finding) => {
      const { verdict, rule, side, pointer } = finding;
      const mayFail = verdict === 'fail' || isUnchecked(finding);
      return mayFail && known.has(keyOf(rule, side, pointer))
        ? { ...finding, known: true }
        : finding;
    });
  }
}

/** Places in lists differ from run to run as well. */
function keyOf(rule: string, side: string, pointer: string): string {
  return [rule, side, pointer.replace(/\/\d+(?=\/|$)/g, '/*')].join('\n');
}

/** The last part of a path: a checkout lies elsewhere on the next machine. */
function nameOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}
