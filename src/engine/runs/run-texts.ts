// Reports of runs to copy or save, in the formats that the commands print as well.
import type { FrameWords } from '../../drive/verdict.ts';
import { labJson } from '../../drive/lab/report-json.ts';
import { labDocument } from '../../drive/lab/report-document.ts';
import type { LabReport } from '../../drive/lab/report.ts';
import { probeDocument, jsonReport } from '../../drive/probes/report/document.ts';
import type { ProbeReport } from '../../drive/probes/run.ts';
import { clientDocument, clientReportJson } from '../../drive/replay/client-report.ts';
import { agentDocument, agentReportJson } from '../../drive/replay/agent-report.ts';
import {
  scenarioDocument,
  jsonReport as scenarioJson,
} from '../../drive/scenario/report/document.ts';
import { programName } from '../../lib/program-name.ts';
import type { ReportDocument } from '../../report/document.ts';
import { rendered } from '../../report/render.ts';
import type { KnownPlay } from './play.ts';
import type { KnownRerun } from './rerun-run.ts';
import type { RunFormat } from './run-messages.ts';
import type { KnownScenario } from './scenario-run.ts';

/** A report that can be written down: its own JSON, or its document in a format. */
export interface Told {
  readonly json: () => string;
  readonly document: () => ReportDocument;
}

export function toldIn({ json, document }: Told, format: RunFormat): string {
  return format === 'json' ? json() : rendered(document(), format);
}

export function toldProbes(report: ProbeReport, argv: readonly string[], frame: FrameWords): Told {
  return {
    json: () => jsonReport(report, argv),
    document: () => probeDocument(report, programName(argv), {}, frame),
  };
}

export function toldLab(report: LabReport, frame: FrameWords): Told {
  return { json: () => labJson(report), document: () => labDocument(report, {}, frame) };
}

/** Undefined: it is not over. */
export function toldRerun({ view, report }: KnownRerun): Told | undefined {
  return (
    report && {
      json: () => clientReportJson(report, view.name),
      document: () => clientDocument(report, view.name),
    }
  );
}

export function toldPlay({ report }: KnownPlay): Told {
  return { json: () => agentReportJson(report), document: () => agentDocument(report) };
}

export function toldScenario({ report }: KnownScenario): Told {
  return { json: () => scenarioJson(report), document: () => scenarioDocument([report]) };
}
