// Findings as Markdown, for an issue or a message.
import type { FindingView } from '../../engine/findings/finding-messages.ts';
import { count } from '../../lib/format.ts';
import type { Block, ReportDetail, ReportItem } from '../../report/document.ts';
import { markdownReport } from '../../report/markdown.ts';
import { code, detail, lines, section } from '../../report/words.ts';

interface FindingContext {
  readonly trace: string;
  /** "v2 as of SDK 2.4.0" */
  readonly against: string;
}

/** Frames that are named one by one. */
const MOST_FRAMES = 20;

export function findingMarkdown(finding: FindingView, { trace, against }: FindingContext): string {
  const told = lines([code(trace), `, checked against ${against}.`]);
  return markdown(`Finding in ${trace}`, [told, items([finding])]);
}

export function findingsMarkdown(
  findings: readonly FindingView[],
  { trace, against }: FindingContext,
): string {
  const failed = findings.filter(({ verdict, suppressed }) => verdict === 'fail' && !suppressed);
  const suppressed = findings.filter((finding) => finding.suppressed !== undefined);
  const undecided = findings.length - failed.length - suppressed.length;
  return markdown(`Findings in ${trace}`, [
    lines(
      `Checked against ${against}: ${count(failed.length, 'finding')}, ${suppressed.length} suppressed, ${undecided} that this trace cannot decide.`,
    ),
    items(failed),
    ...(suppressed.length > 0 ? [section('Suppressed', items(suppressed))] : []),
  ]);
}

function markdown(title: string, blocks: readonly Block[]): string {
  return markdownReport({ name: 'acp-scope', title, blocks, suites: [] });
}

function items(findings: readonly FindingView[]): Block {
  return { kind: 'items', items: findings.map(itemOf) };
}

const TONES = { error: 'bad', warning: 'warn', hint: 'info' } as const;

function itemOf(finding: FindingView): ReportItem {
  const { rule, verdict, severity, side, session, method, frames, places, seen, due } = finding;
  const isFault = verdict === 'fail';
  const named = places.slice(0, MOST_FRAMES).map(({ seq }) => `#${seq}`);
  const rest = frames - named.length;
  const where = [
    ...(session === undefined ? [] : ['session ', code(session), ' ']),
    ...(method === undefined ? [] : [code(method)]),
  ];
  return {
    word: isFault ? severity : 'not judged yet',
    tone: isFault ? TONES[severity] : 'quiet',
    title: [`${side} `, code(rule)],
    details: [
      detail(isFault ? 'seen' : 'why', seen),
      detail(isFault ? 'due' : 'would decide it', due),
      detail('frames', `${named.join(' ')}${rest > 0 ? ` and ${rest} more` : ''}`),
      ...(where.length > 0 ? [detail('in', where)] : []),
      said(finding.source),
      ...(finding.suppressed ? [detail('suppressed', finding.suppressed.reason)] : []),
    ],
  };
}

function said({ quote, words, url }: FindingView['source']): ReportDetail {
  const link = { text: words, link: url };
  return quote === undefined
    ? detail('source', [link])
    : detail('says', [`“${quote}” (`, link, ')']);
}
