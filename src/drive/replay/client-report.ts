// What came of a replay as the client: in what the live agent diverged from the recorded one.
import type { Json } from '../../acp/message.ts';
import { count } from '../../lib/format-count.ts';
import { xml } from '../../lib/xml.ts';
import type { ClientRun } from './client.ts';
import type { Divergence } from './divergence.ts';
import type { NoteKind, ReplayNote } from './mismatch.ts';

export interface ClientReport {
  readonly run: Omit<ClientRun, 'folders'>;
  readonly divergence: Pick<Divergence, 'differences' | 'aliases'>;
}

/** Nothing was otherwise than recorded. */
export function isAsRecorded({ run, divergence }: ClientReport): boolean {
  return (
    divergence.differences.length === 0 &&
    run.problems.length === 0 &&
    !run.notes.some(({ kind }) => kind === 'mismatch')
  );
}

/** For a person. `file`: the recording. */
export function clientReportText(report: ClientReport, file: string): string {
  const { run, divergence } = report;
  const all = divergence.differences;
  const mismatches = of(run.notes, 'mismatch');
  const lines = [
    isAsRecorded(report)
      ? `No divergence from ${file}: ${count(run.sent, 'frame')} sent, same story, same state.`
      : `Divergence from ${file}: ${count(all.length, 'difference')}, ${count(mismatches.length, 'mismatch', 'mismatches')}; ${run.sent} of ${count(run.sent + run.unsent, 'frame')} sent.`,
    ...mismatches.map(({ sentence }) => `  not as recorded: ${sentence}`),
    ...all.map((one) => {
      const place = [one.a && `#${one.a.seq}`, one.b && `live #${one.b.seq}`];
      const where = place.filter((part) => part !== undefined).join(', ');
      const path = one.path === '$' ? '' : ` ${one.path}`;
      return `  ${one.view}: ${one.kind} ${one.of}${path} (${where})${changeWords(one.before, one.after)}`;
    }),
    ...of(run.notes, 'tolerated').map(({ sentence }) => `  let pass: ${sentence}`),
    ...run.problems.map((sentence) => `  ${sentence}`),
  ];
  return lines.join('\n');
}

const LONGEST = 160;

function changeWords(before: Json | undefined, after: Json | undefined): string {
  const words = [before, after].map((value) => {
    const text = value === undefined ? 'nothing' : JSON.stringify(value);
    return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  });
  return `\n      - ${words[0]}\n      + ${words[1]}`;
}

export function clientReportJson({ run, divergence }: ClientReport, file: string): string {
  const { sent, unsent, ended, notes, problems } = run;
  const differences = divergence.differences.map(
    ({ view, kind, of: what, a, b, path, before, after }) => ({
      ...{ view, kind, of: what },
      a: a && { seq: a.seq },
      b: b && { seq: b.seq },
      ...{ path, before, after },
    }),
  );
  const told = (kind: NoteKind) =>
    of(notes, kind).map(({ method, recorded, sentence }) => ({
      method,
      recorded: recorded === undefined ? undefined : { seq: recorded },
      sentence,
    }));
  const aliases = Object.fromEntries(
    divergence.aliases.map(({ name, kind, a, b }) => [name, { kind, a, b }]),
  );
  return JSON.stringify(
    {
      role: 'client',
      recording: file,
      divergence: { equal: differences.length === 0, differences, aliases },
      mismatches: told('mismatch'),
      tolerated: told('tolerated'),
      ...{ sent, unsent, ended, problems },
    },
    null,
    2,
  );
}

/** One suite: a case for the run, one for each view. */
export function clientReportJunit({ run, divergence }: ClientReport, file: string): string {
  const wrong = [...of(run.notes, 'mismatch').map(({ sentence }) => sentence), ...run.problems];
  const cases = [
    caseOf(file, 'sent as recorded', wrong),
    ...(['story', 'state'] as const).map((view) =>
      caseOf(
        file,
        `same ${view}`,
        divergence.differences.flatMap((one) =>
          one.view === view
            ? [`${one.kind} ${one.of} ${one.path}${changeWords(one.before, one.after)}`]
            : [],
        ),
      ),
    ),
  ];
  const failures = cases.filter(({ isFailed }) => isFailed).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="acp-scope replay">',
    `  <testsuite name="${xml(file)}" tests="${cases.length}" failures="${failures}" errors="0" skipped="0">`,
    ...cases.map(({ text }) => text),
    '  </testsuite>',
    '</testsuites>',
  ].join('\n');
}

function caseOf(file: string, name: string, wrong: readonly string[]) {
  const head = `    <testcase classname="${xml(file)}" name="${xml(name)}"`;
  if (wrong.length === 0) return { isFailed: false, text: `${head}/>` };
  const message = count(wrong.length, 'difference');
  const failure = `<failure type="divergence" message="${xml(message)}">${xml(wrong.join('\n'))}</failure>`;
  return { isFailed: true, text: `${head}>${failure}</testcase>` };
}

function of(notes: readonly ReplayNote[], wanted: NoteKind): readonly ReplayNote[] {
  return notes.filter(({ kind }) => kind === wanted);
}
