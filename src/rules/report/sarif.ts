// A check as SARIF 2.1.0, which code hosts show beside the lines of a file: here those of the trace.
import { safeJson } from '../../lib/safe-json.ts';
import type { Finding, Severity } from '../finding.ts';
import { RULES } from '../registry.ts';
import type { Rule } from '../rule.ts';
import type { Source } from '../source.ts';
import type { FileReport, ReportedFinding } from './report.ts';
import { everySentence } from './said.ts';

const LEVEL: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  hint: 'note',
};
/** Places a result names; viewers show no more. */
const MOST_PLACES = 100;

export function sarifReport(files: readonly FileReport[], toolVersion: string): string {
  const used = new Set(files.flatMap(({ findings }) => findings.map(({ rule }) => rule)));
  const document = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'acp-scope',
            version: toolVersion,
            rules: RULES.filter(({ id }) => used.has(id)).map(descriptionOf),
          },
        },
        invocations: [invocation(files)],
        results: files.flatMap((file) => file.findings.map((one) => result(file, one))),
      },
    ],
  };
  return safeJson(document);
}

/** Whether every file was read to its end, and what was not. */
function invocation(files: readonly FileReport[]) {
  const notes = files.flatMap(({ file, unread }) =>
    unread.map(({ line, problem }) => ({
      level: line === undefined ? 'error' : 'warning',
      message: { text: line === undefined ? problem : `line ${line}: ${problem}; not checked` },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: uriOf(file) },
            ...(line !== undefined && { region: { startLine: line } }),
          },
        },
      ],
    })),
  );
  return {
    executionSuccessful: notes.every(({ level }) => level !== 'error'),
    ...(notes.length > 0 && { toolExecutionNotifications: notes }),
  };
}

function descriptionOf(rule: Rule) {
  const { id, clause, severity, source } = rule;
  const sentences = everySentence(rule);
  const text = sentences.map(
    ({ said, places }) => `${said} (${places.map(({ words }) => words).join('; ')})`,
  );
  const markdown = sentences.map(
    ({ said, places }) => `> ${said}\n>\n> ${places.map(linkOf).join('; ')}`,
  );
  return {
    id,
    shortDescription: { text: clause },
    fullDescription: { text: text.join('\n') },
    help: {
      text: [clause, ...text].join('\n\n'),
      markdown: [clause, ...markdown].join('\n\n'),
    },
    helpUri: source.url,
    defaultConfiguration: { level: LEVEL[severity] },
  };
}

function linkOf({ words, url }: Source): string {
  return `[${words}](${url})`;
}

function result(file: FileReport, finding: ReportedFinding) {
  const { rule, severity, side, seen, due, seqs, known, suppressed } = finding;
  return {
    ruleId: rule,
    ...kindOf(finding.verdict, severity),
    message: { text: `${side}: ${seen}. Due: ${due}.` },
    locations: seqs.slice(0, MOST_PLACES).map((seq) => ({
      physicalLocation: {
        artifactLocation: { uri: uriOf(file.file) },
        region: { startLine: file.lineOf(seq) },
      },
      logicalLocations: [{ name: `#${seq}`, fullyQualifiedName: `#${seq}${finding.pointer}` }],
    })),
    ...(known ? { baselineState: 'unchanged' } : {}),
    ...(suppressed === undefined
      ? {}
      : { suppressions: [{ kind: 'external', justification: suppressed }] }),
  };
}

function kindOf(verdict: Finding['verdict'], severity: Severity) {
  switch (verdict) {
    case 'fail':
      return { kind: 'fail', level: LEVEL[severity] };
    case 'pass':
      return { kind: 'pass', level: 'none' };
    case 'undecidable':
      return { kind: 'open', level: 'none' };
  }
}

/** Relative paths stay so; SARIF wants slashes and no spaces. */
function uriOf(path: string): string {
  return encodeURI(path.replaceAll('\\', '/'));
}
