// `--format`: the formats that reports are printed in, the same for every command; and
// what is wrong with a query, on stderr.
import { styleText } from 'node:util';
import type { ReportDocument, Tone } from '../../report/document.ts';
import { DOCUMENT_FORMATS, rendered, type DocumentFormat } from '../../report/render.ts';
import type { Paint } from '../../report/text.ts';
import { oneOf } from './option-values.ts';
import { cellsOf, visibleLine } from '../../report/words.ts';
import type { QueryProblem } from '../../model/query/query.ts';

export type ReportFormat = DocumentFormat | 'json';

export const REPORT_FORMATS: readonly ReportFormat[] = [
  'text',
  'json',
  ...DOCUMENT_FORMATS.slice(1),
];
/** Where nothing passes or fails. */
export const FIGURE_FORMATS: readonly ReportFormat[] = REPORT_FORMATS.filter(
  (one) => one !== 'junit',
);

/** `text, json, markdown, html or junit`, for help. */
export function formatWords(formats: readonly string[] = REPORT_FORMATS): string {
  return `${formats.slice(0, -1).join(', ')} or ${formats.at(-1)}`;
}

/** Throws UsageError. */
export function formatOf(text = 'text', formats = REPORT_FORMATS): ReportFormat {
  return oneOf('format', text, formats);
}

/** On stdout. `json`: the report's own shape, as docs/ states it. */
export function printReport(
  format: ReportFormat,
  document: () => ReportDocument,
  json: () => string,
): void {
  endWithReader();
  console.log(format === 'json' ? json() : rendered(document(), format, terminalPaint()).trimEnd());
}

/** What is said beside a file that was written: text on stderr, every other format on stdout. */
export function printBeside(
  format: ReportFormat,
  document: () => ReportDocument,
  json: () => string,
): void {
  if (format === 'text') console.error(rendered(document(), 'text').trimEnd());
  else printReport(format, document, json);
}

const STYLES = {
  bad: 'red',
  warn: 'yellow',
  info: 'blue',
  good: 'green',
  quiet: 'gray',
  strong: 'bold',
} as const satisfies Record<Tone, string>;

/** As of a program that the signal ended. */
const BROKEN_PIPE = 128 + 13;

/** Who reads our output has had enough, as `head`: what is left to say is for nobody. */
export function endWithReader(): void {
  if (process.stdout.listenerCount('error') > 0) return;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(BROKEN_PIPE);
    throw error;
  });
}

/** Only on a terminal; `styleText` respects NO_COLOR from Node 22 on, so 20 is told here. */
export function terminalPaint(): Paint | undefined {
  if (!process.stdout.isTTY || process.env['NO_COLOR']) return undefined;
  return (tone, text) => styleText(STYLES[tone], text);
}

/** The sentence, the text, and marks under the place of the mistake. */
export function tellProblem(text: string, { message, from, to }: QueryProblem): void {
  const front = cellsOf(visibleLine(text.slice(0, from)));
  const marks = '^'.repeat(Math.max(1, cellsOf(visibleLine(text.slice(from, to)))));
  console.error(`${message}\n  ${visibleLine(text)}\n  ${' '.repeat(front)}${marks}`);
}
