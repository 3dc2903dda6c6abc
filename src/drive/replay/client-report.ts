// What came of a replay as the client: in what the live agent diverged from the recorded one.
import { safeJson } from '../../lib/safe-json.ts';
import type { Json } from '../../acp/message.ts';
import { count } from '../../lib/format.ts';
import type { JUnitCase, ReportItem, ReportDocument, Tone } from '../../report/document.ts';
import { cut, section } from '../../report/words.ts';
import type { ClientRun } from './client.ts';
import type { Seq } from '../../trace/event.ts';
import type { Diverging, Divergence, FrameDifference } from './divergence.ts';
import { type NoteKind, type ReplayNote, notesJson } from './differences.ts';

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

/** What came of it, in one sentence. `file`: the recording. */
export function clientVerdict(report: ClientReport, file: string): string {
  const { run, divergence } = report;
  if (isAsRecorded(report))
    return `No divergence from ${file}: ${count(run.sent, 'frame')} sent, same story, same state.`;
  const mismatches = of(run.notes, 'mismatch').length;
  const { told } = toldOnce(divergence.differences);
  const steps = new Set(
    told.flatMap(({ view, a, b }) => (view === 'story' ? `${a?.seq} ${b?.seq}` : [])),
  );
  const state = told.filter(({ view }) => view === 'state').length;
  const parts = [
    steps.size > 0 && `${count(steps.size, 'difference')} in the story`,
    state > 0 && `${count(state, 'difference')} in the state at the end`,
    mismatches > 0 && count(mismatches, 'mismatch', 'mismatches'),
  ].filter(Boolean);
  const sent = `${run.sent} of ${count(run.sent + run.unsent, 'frame')} sent`;
  return `Divergence from ${file}: ${[...parts, sent].join(', ')}.`;
}

/** `file`: the recording. In JUnit one suite: a case for the run, one for each view. */
export function clientDocument(report: ClientReport, file: string): ReportDocument {
  const { run, divergence } = report;
  const { besides = [], differences: all } = divergence;
  const mismatches = of(run.notes, 'mismatch').map(({ sentence }) => sentence);
  const { told, again } = toldOnce(all);
  const note = (word: string, tone: Tone, title: string): ReportItem => {
    return { word, tone, title, details: [] };
  };
  const title = clientVerdict(report, file);
  const items = [
    ...mismatches.map((sentence) => note('not as recorded', 'bad', sentence)),
    ...told.map((one): ReportItem => {
      const path = one.path === '$' ? '' : ` ${one.path}`;
      const [before, after] = changeWords(one);
      return {
        word: one.view,
        tone: 'warn',
        title: `${one.kind} ${one.of}${path} (${placeWords(one)})`,
        details: [`- ${before}`, `+ ${after}`],
      };
    }),
    ...(again > 0 ? [note('state', 'quiet', `${again} of these at the end too.`)] : []),
    ...of(run.notes, 'tolerated').map(({ sentence }) => note('let pass', 'quiet', sentence)),
    ...(besides.length === 0 ? [] : [note('let pass', 'quiet', besidesWords(besides))]),
    ...run.problems.map((sentence) => note('problem', 'bad', sentence)),
  ];
  return {
    name: 'acp-scope replay',
    title,
    untitled: true,
    blocks: [section(title, { kind: 'items', items })],
    suites: [
      {
        name: file,
        cases: [
          caseOf('sent as recorded', [...mismatches, ...run.problems]),
          ...(['story', 'state'] as const).map((view) =>
            caseOf(
              `same ${view}`,
              all
                .filter((one) => one.view === view)
                .map((one) => `${one.kind} ${one.of} ${one.path}: ${changeWords(one).join(' → ')}`),
            ),
          ),
        ],
      },
    ],
  };
}

function caseOf(name: string, wrong: readonly string[]): JUnitCase {
  if (wrong.length === 0) return { name, outcome: 'pass' };
  const message = count(wrong.length, 'difference');
  return { name, outcome: 'fail', type: 'divergence', message, body: wrong.join('\n') };
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

function changeWords({ before, after }: Diverging): readonly [string, string] {
  const words = (value: Json | undefined) =>
    cut(value === undefined ? 'nothing' : JSON.stringify(value), LONGEST);
  return [words(before), words(after)];
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
  const aliases = Object.fromEntries(
    divergence.aliases.map(({ name, kind, a, b }) => [name, { kind, a, b }]),
  );
  return safeJson({
    role: 'client',
    recording: file,
    divergence: {
      equal: differences.length === 0,
      differences,
      besides: divergence.besides,
      aliases,
    },
    mismatches: notesJson(notes, 'mismatch'),
    tolerated: notesJson(notes, 'tolerated'),
    ...{ sent, unsent, ended, problems },
  });
}

function of(notes: readonly ReplayNote[], wanted: NoteKind): readonly ReplayNote[] {
  return notes.filter(({ kind }) => kind === wanted);
}
