// Findings as Markdown, for an issue or a message.
import type { FindingView } from '../../engine/findings/finding-messages.ts';

/** What a finding is of, in words. */
interface FindingContext {
  /** Name of the trace. */
  readonly trace: string;
  /** "v2 as of SDK 2.4.0" */
  readonly against: string;
}

/** Frames that are named one by one. */
const MOST_FRAMES = 20;

export function findingMarkdown(finding: FindingView, context: FindingContext): string {
  return `${sectionOf(finding, 3)}\n_${plain(context.trace)}, checked against ${context.against}._\n`;
}

export function findingsMarkdown(
  findings: readonly FindingView[],
  context: FindingContext,
): string {
  const failed = findings.filter(({ verdict, suppressed }) => verdict === 'fail' && !suppressed);
  const suppressed = findings.filter((finding) => finding.suppressed !== undefined);
  const undecided = findings.length - failed.length - suppressed.length;
  const head = [
    `## Findings in ${plain(context.trace)}`,
    '',
    `Checked against ${context.against}: ${failed.length} ${failed.length === 1 ? 'finding' : 'findings'}, ${suppressed.length} suppressed, ${undecided} that this trace cannot decide.`,
    '',
  ];
  const aside = suppressed.map(
    ({ rule, suppressed: by }) => `- \`${rule}\`: ${plain(by?.reason ?? '')}`,
  );
  return [
    ...head,
    ...failed.map((finding) => sectionOf(finding, 3)),
    ...(aside.length > 0 ? ['### Suppressed', '', ...aside, ''] : []),
  ].join('\n');
}

function sectionOf(finding: FindingView, depth: number): string {
  const { rule, verdict, severity, side, session, method, frames, places, seen, due } = finding;
  const { source, suppressed } = finding;
  const isDecided = verdict === 'fail';
  const title = isDecided ? `${severity}, ${side}` : `cannot be decided, ${side}`;
  const named = places.slice(0, MOST_FRAMES).map((place) => `#${place.seq}`);
  const rest = frames - named.length;
  const where = [
    session !== undefined && `session \`${session}\``,
    method !== undefined && `\`${method}\``,
  ].filter((part) => part !== false);
  return [
    `${'#'.repeat(depth)} \`${rule}\` (${title})`,
    '',
    `- ${isDecided ? 'Seen' : 'Why'}: ${plain(seen)}`,
    `- ${isDecided ? 'Due' : 'Would decide it'}: ${plain(due)}`,
    `- Frames: ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`,
    ...(where.length > 0 ? [`- In: ${where.join(', ')}`] : []),
    saidLine(source),
    ...(suppressed ? [`- Suppressed: ${plain(suppressed.reason)}`] : []),
    '',
  ].join('\n');
}

function saidLine({ quote, words, url }: FindingView['source']): string {
  const link = `[${words}](${url})`;
  return quote === undefined ? `- Source: ${link}` : `- Says: “${quote}” (${link})`;
}

/** On one line, and no HTML, link or picture of the agent's making. */
function plain(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replaceAll('<', '&lt;')
    .replace(/!?\[/g, (sign) => `\\${sign}`);
}
