// Reports of runs as text to copy or save: JSON and HTML as the commands print them, and Markdown.
import { labHtml } from '../../drive/lab/report-html.ts';
import { labJson } from '../../drive/lab/report-json.ts';
import { labMarkdown } from '../../drive/lab/report-markdown.ts';
import type { LabReport } from '../../drive/lab/report.ts';
import { clientReportJson, clientReportText } from '../../drive/replay/client-report.ts';
import { jsonReport } from '../../drive/probes/report/json.ts';
import { jsonReport as scenarioJson } from '../../drive/scenario/report/report-json.ts';
import { textReport } from '../../drive/scenario/report/report-text.ts';
import { markdownReport } from '../../drive/probes/report/markdown.ts';
import type { ProbeReport } from '../../drive/probes/run.ts';
import type { KnownRerun } from './rerun-run.ts';
import type { KnownScenario } from './scenario-run.ts';
import type { RunFormat } from './run-messages.ts';

/** `c2#12`, of a connection. */
type FrameWords = (trace: string, seq: number) => string;

/** Undefined: not in this format. */
export function probeText(
  report: ProbeReport,
  argv: readonly string[],
  format: RunFormat,
  frame: FrameWords,
): string | undefined {
  switch (format) {
    case 'json':
      return jsonReport(report, argv);
    case 'markdown':
      return markdownReport(report, frame);
    case 'html':
      return undefined;
  }
}

export function labText(report: LabReport, format: RunFormat, frame: FrameWords): string {
  switch (format) {
    case 'json':
      return labJson(report);
    case 'markdown':
      return labMarkdown(report, frame);
    case 'html':
      return labHtml(report);
  }
}

/** Undefined: it is not over, or not in this format. */
export function rerunText({ view, report }: KnownRerun, format: RunFormat): string | undefined {
  if (!report) return undefined;
  switch (format) {
    case 'json':
      return clientReportJson(report, view.name);
    case 'markdown':
      return `\`\`\`\`text\n${clientReportText(report, view.name)}\n\`\`\`\`\n`;
    case 'html':
      return undefined;
  }
}

export function scenarioText({ report }: KnownScenario, format: RunFormat): string | undefined {
  switch (format) {
    case 'json':
      return scenarioJson(report);
    case 'markdown':
      return `\`\`\`\`text\n${textReport(report)}\n\`\`\`\`\n`;
    case 'html':
      return undefined;
  }
}
