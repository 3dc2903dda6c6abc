// The formats of reports, the same for every command and for the page.
import { assertNever } from '../lib/assert-never.ts';
import type { ReportDocument, JUnitCase, JUnitSuite } from './document.ts';
import { htmlReport } from './html.ts';
import { markdownReport } from './markdown.ts';
import { textReport, type Paint } from './text.ts';
import { AS_ENTITY, AS_MARK, withoutCiCommands } from '../lib/print/ci-commands.ts';
import { visibleWords } from '../lib/visible-text.ts';

/** Those that a document is rendered in; JSON is each report's own, and SARIF needs files with lines. */
export const DOCUMENT_FORMATS = ['text', 'markdown', 'html', 'junit'] as const;
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];

/** As it may be printed: neither a terminal nor the log of a CI obeys any of it. */
export function rendered(report: ReportDocument, format: DocumentFormat, paint?: Paint): string {
  switch (format) {
    case 'text':
      return withoutCiCommands(textReport(report, paint), AS_MARK);
    case 'markdown':
      // A code span of Markdown knows no entity and no escape.
      return withoutCiCommands(markdownReport(report), AS_MARK);
    case 'html':
      return withoutCiCommands(htmlReport(report), AS_ENTITY);
    case 'junit':
      return junitReport(report);
    default:
      return assertNever(format);
  }
}

export function junitReport({ name, suites }: ReportDocument): string {
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${safe(name)}">`,
    ...suites.flatMap(suiteLines),
    '</testsuites>',
  ];
  return withoutCiCommands(lines.join('\n'), AS_ENTITY);
}

function suiteLines({ name, cases, output, errors }: JUnitSuite): readonly string[] {
  const of = (outcome: JUnitCase['outcome']) =>
    cases.filter((one) => one.outcome === outcome).length;
  return [
    `  <testsuite name="${safe(name)}" tests="${cases.length}" failures="${of('fail')}" errors="${of('error')}" skipped="${of('skip')}">`,
    ...cases.map((one) => {
      const head = `    <testcase classname="${safe(name)}" name="${safe(one.name)}"`;
      const body = bodyOf(one);
      return body === '' ? `${head}/>` : `${head}>${body}</testcase>`;
    }),
    ...(output === undefined ? [] : [`    <system-out>${safe(output)}</system-out>`]),
    ...(errors === undefined ? [] : [`    <system-err>${safe(errors)}</system-err>`]),
    '  </testsuite>',
  ];
}

function bodyOf(one: JUnitCase): string {
  switch (one.outcome) {
    case 'pass':
      return '';
    case 'skip':
      return `<skipped message="${safe(one.message)}"/>`;
    case 'told':
      return `<system-out>${safe(one.body)}</system-out>`;
    case 'fail':
    case 'error': {
      const tag = one.outcome === 'fail' ? 'failure' : 'error';
      const head = `<${tag} type="${safe(one.type)}" message="${safe(one.message)}"`;
      const body = one.outcome === 'fail' ? (one.body ?? '') : '';
      return body === '' ? `${head}/>` : `${head}>${safe(body)}</${tag}>`;
    }
  }
}

/** Nothing hidden, nothing that a terminal or a viewer would obey. */
function safe(text: string): string {
  return xml(visibleWords(text));
}

// Text in XML.

/** For text and attributes. Characters that XML 1.0 has no way to write become U+FFFD. */
function xml(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\u{fffd}')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/\n/g, '&#10;');
}
