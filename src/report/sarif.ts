// A report as SARIF 2.1.0, which code hosts show beside the lines of a file.
import { safeJson } from '../lib/safe-json.ts';
import type { ReportRule, Result, Results } from './document.ts';

/** Places a result names; viewers show no more. */
const MOST_PLACES = 100;

/** `version`: of the tool. */
export function sarifReport(reported: Results, version: string): string {
  const { clauses, results } = reported;
  return safeJson({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'acp-scope', version, rules: clauses.map(descriptionOf) } },
        invocations: [invocation(reported)],
        results: results.map(resultOf),
      },
    ],
  });
}

/** Whether every file was read to its end, and what was not. */
function invocation({ unread }: Results) {
  const notes = unread.map(({ file, line, problem }) => ({
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
  }));
  return {
    executionSuccessful: notes.every(({ level }) => level !== 'error'),
    ...(notes.length > 0 && { toolExecutionNotifications: notes }),
  };
}

function descriptionOf({ id, title, level, url, sentences }: ReportRule) {
  const text = sentences.map(
    ({ said, places }) => `${said} (${places.map(({ words }) => words).join('; ')})`,
  );
  const markdown = sentences.map(
    ({ said, places }) =>
      `> ${said}\n>\n> ${places.map((one) => `[${one.words}](${one.url})`).join('; ')}`,
  );
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text: text.join('\n') },
    help: {
      text: [title, ...text].join('\n\n'),
      markdown: [title, ...markdown].join('\n\n'),
    },
    helpUri: url,
    defaultConfiguration: { level },
  };
}

function resultOf({ clause, outcome, level, message, file, places, known, suppressed }: Result) {
  return {
    ruleId: clause,
    kind: outcome,
    level: outcome === 'fail' ? level : 'none',
    message: { text: message },
    locations: places.slice(0, MOST_PLACES).map(({ line, name, pointer }) => ({
      physicalLocation: {
        artifactLocation: { uri: uriOf(file) },
        region: { startLine: line },
      },
      logicalLocations: [{ name, fullyQualifiedName: `${name}${pointer}` }],
    })),
    ...(known && { baselineState: 'unchanged' }),
    ...(suppressed !== undefined && {
      suppressions: [{ kind: 'external', justification: suppressed }],
    }),
  };
}

/** Relative paths stay so; SARIF wants slashes and no spaces. */
function uriOf(path: string): string {
  return encodeURI(path.replaceAll('\\', '/'));
}
