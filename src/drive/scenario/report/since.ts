// What is different about a run since the one before: which outcomes changed, and what was said
// differently. What is the same is left out.
import { diffTraces } from '../../../diff/traces/diff.ts';
import { diffDocument } from '../../../diff/traces/report/document.ts';
import { visibleWords as visible } from '../../../lib/visible-text.ts';
import { textReport } from '../../../report/text.ts';
import type { RunRecord } from '../assert/record.ts';
import { stepFailureWords, type RunReport } from './report.ts';

export interface FinishedRun {
  readonly report: RunReport;
  readonly record: RunRecord;
}

interface SinceOptions {
  /** What the runs are called: `run 3`, `run 4`. */
  readonly before: string;
  readonly after: string;
}

/** Lines for a terminal; none: nothing is different. */
export async function sinceLast(
  a: FinishedRun,
  b: FinishedRun,
  options: SinceOptions,
): Promise<string[]> {
  const lines = outcomeLines(a.report, b.report);
  const most = Math.max(a.record.traces.length, b.record.traces.length);
  for (let at = 0; at < most; at++) {
    const [left, right] = [a.record.traces[at], b.record.traces[at]];
    const where = most > 1 ? `, connection ${at + 1}` : '';
    if (left === undefined || right === undefined) {
      const which = left === undefined ? options.after : options.before;
      lines.push(`only ${which} has a connection ${at + 1}`);
      continue;
    }
    const report = await diffTraces(left, right, { view: 'story' });
    if (report.equal) continue;
    lines.push(
      textReport(
        diffDocument(report, {
          left: `${options.before}${where}`,
          right: `${options.after}${where}`,
        }),
      ),
    );
  }
  return lines;
}

function outcomeLines(a: RunReport, b: RunReport): string[] {
  const [was, is] = [a, b].map(({ failure }) => failure && stepFailureWords(failure));
  const steps =
    was === is
      ? []
      : [
          is === undefined
            ? `now pass  steps; before: ${visible(was ?? '')}`
            : `now FAIL  ${visible(is)}`,
        ];
  const asserts = b.asserts.flatMap((now, at) => {
    const before = a.asserts[at];
    if (before === undefined || before.verdict === now.verdict) return [];
    const word = now.verdict === 'pass' ? 'pass' : now.verdict === 'fail' ? 'FAIL' : 'unknown';
    const seen = now.verdict === 'pass' ? `before: ${before.seen}` : now.seen;
    return [visible(`now ${word.padEnd(5)} ${now.title}; ${seen}`)];
  });
  return [...steps, ...asserts];
}
