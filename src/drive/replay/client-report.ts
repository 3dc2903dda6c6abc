// What came of a replay as the client: in what the live agent diverged from the recorded one.
import type { Json } from '../../acp/message.ts';
import { count } from '../../lib/format-count.ts';
import { xml } from '../../lib/xml.ts';
import type { ClientRun } from './client.ts';
import type { Seq } from '../../trace/event.ts';
import type { Diverging, Divergence } from './divergence.ts';
import type { FrameDifference } from './divergence-frames.ts';
import type { NoteKind, ReplayNote } from './mismatch.ts';

export interface ClientReport {
  readonly run: Omit<ClientRun, 'folders'>;
  /** `besides`: absent in reports that were kept before it was told. */
  readonly divergence: Pick<Divergence, 'differences' | 'aliases'> &
    Partial<Pick<Divergence, 'besides'>>;
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
  const { besides = [] } = divergence;
  const all = divergence.differences;
  const mismatches = of(run.notes, 'mismatch');
  const { told, again } = toldOnce(all);
  const lines = [
    isAsRecorded(report)
      ? `No divergence from ${file}: ${count(run.sent, 'frame')} sent, same story, same state.`
      : `Divergence from ${file}: ${count(all.length, 'difference')}, ${count(mismatches.length, 'mismatch', 'mismatches')}; ${run.sent} of ${count(run.sent + run.unsent, 'frame')} sent.`,
    ...mismatches.map(({ sentence }) => `  not as recorded: ${sentence}`),
    ...told.map((one) => {
      const where = placeWords(one);
      const path = one.path === '$' ? '' : ` ${one.path}`;
      return `  ${one.view}: ${one.kind} ${one.of}${path} (${where})${changeWords(one.before, one.after)}`;
    }),
    ...(again > 0 ? [`  state: ${again} of these at the end too.`] : []),
    ...of(run.notes, 'tolerated').map(({ sentence }) => `  let pass: ${sentence}`),
    ...(besides.length === 0 ? [] : [`  let pass: ${besidesWords(besides)}`]),
    ...run.problems.map((sentence) => `  ${sentence}`),
  ];
  return lines.join('\n');
}

/** What the state at the end repeats of the story is counted, not told again. */
function toldOnce(all: readonly Diverging[]): {
  readonly told: readonly Diverging[];
  readonly again: number;
} {
  const keyOf = ({ kind, of: what, a, b, before, after }: Diverging) =>
    JSON.stringify([kind, what, a?.seq, b?.seq, before, after]);
  const story = new Set(all.filter(({ view }) => view === 'story').map(keyOf));
  const told = all.filter((one) => one.view === 'story' || !story.has(keyOf(one)));
  return { told, again: all.length - told.length };
}

/** `#12, live #13; by #40, live #41`: where the step begins, and the frame that makes it differ. */
function placeWords({ a, b, frame }: Diverging): string {
  const pair = (left: Seq | undefined, right: Seq | undefined) =>
    [left !== undefined && `#${left}`, right !== undefined && `live #${right}`]
      .filter(Boolean)
      .join(', ');
  const step = pair(a?.seq, b?.seq);
  const by = frame && pair(frame.a?.seq, frame.b?.seq);
  return by === undefined || by === step ? step : `${step}; by ${by}`;
}

const MOST_NAMED = 8;

function besidesWords(besides: readonly FrameDifference[]): string {
  const places = besides
    .slice(0, MOST_NAMED)
    .map(({ a, b }) => (a ? `#${a.seq}` : `live #${b?.seq}`));
  const more = besides.length > MOST_NAMED ? ', …' : '';
  const differ = besides.length === 1 ? 'differs' : 'differ';
  return `${count(besides.length, 'frame')} ${differ}, and the same is told: ${places.join(', ')}${more}.`;
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
    ({ view, kind, of: what, a, b, path, before, after, frame }) => ({
      ...{ view, kind, of: what },
      a: a && { seq: a.seq },
      b: b && { seq: b.seq },
      ...{ path, before, after, frame },
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
      divergence: {
        equal: differences.length === 0,
        differences,
        besides: divergence.besides,
        aliases,
      },
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
