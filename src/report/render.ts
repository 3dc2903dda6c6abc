// The formats of reports, the same for every command and for the page.
import { assertNever } from '../lib/assert-never.ts';
import type { ReportDocument } from './document.ts';
import { htmlReport } from './html.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import { textReport, type Paint } from './text.ts';

/** Those that a document is rendered in; JSON is each report's own, and SARIF needs files with lines. */
export const DOCUMENT_FORMATS = ['text', 'markdown', 'html', 'junit'] as const;
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];

export function rendered(report: ReportDocument, format: DocumentFormat, paint?: Paint): string {
  switch (format) {
    case 'text':
      return textReport(report, paint);
    case 'markdown':
      return markdownReport(report);
    case 'html':
      return htmlReport(report);
    case 'junit':
      return junitReport(report);
    default:
      return assertNever(format);
  }
}
