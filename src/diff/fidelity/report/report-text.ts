// A fidelity report for people at a terminal: a word and a sentence for each window, figures by
// kind, then the differences, the worst first, each with both frames.
import { count, formatCount } from '../../../lib/format-count.ts';
import { visibleWords } from '../../../lib/visible-text.ts';
import { VERDICT_WORDS } from '../../../model/restore/restore-verdict.ts';
import { shortId } from '../../../model/words.ts';
import type { ConnectionId } from '../../../trace/event.ts';
import { KIND_WORDS } from '../../../model/sessions/compared-kinds.ts';
import { KINDS } from './describe.ts';
import { VERDICTS } from '../ledger.ts';
import { nothingJudged } from './report-junit.ts';
import type { FrameRef } from '../normal-form.ts';
import type { Difference, FidelityReport, FidelityVerdict, FidelityWindow } from './report.ts';

export type Paint = (tone: FidelityVerdict | 'quiet', text: string) => string;

const PLAIN: Paint = (_, text) => text;
/** Differences of one verdict that are told one by one, unless all are asked for. */
const MOST = 12;

/** A trace as the report names it. */
export interface NamedTrace {
  readonly connection: ConnectionId;
  readonly file: string;
}

/** `traces`: in the order given, which numbers them. `all`: every difference. */
export function textReport(
  { windows }: FidelityReport,
  traces: readonly NamedTrace[],
  all: boolean,
  paint: Paint = PLAIN,
): string {
  const names = new Map(traces.map(({ connection }, at) => [connection, `c${at + 1}`]));
  const frame = (ref: FrameRef | undefined) =>
    ref === undefined
      ? '—'
      : `${traces.length > 1 ? (names.get(ref.connection) ?? '') : ''}#${ref.seq}`;
  const legend = traces.map(({ file }, at) => paint('quiet', `c${at + 1}  ${safe(file)}`));
  const unjudged = nothingJudged({ windows });
  if (windows.length === 0) return unjudged ?? '';
  return [
    ...(traces.length > 1 ? [legend.join('\n')] : []),
    ...windows.map((window) => windowText(window, frame, all, paint)),
    [closing(windows), ...(unjudged === undefined ? [] : [safe(unjudged)])].join('\n'),
  ].join('\n\n');
}

type FrameName = (ref: FrameRef | undefined) => string;

function windowText(window: FidelityWindow, frame: FrameName, all: boolean, paint: Paint): string {
  const { connection, variant, cursor, session, requestSeq, restored, verdict, live } = window;
  const asked = cursor === undefined || variant === 'v2 omitted' ? '' : ` from ${safe(cursor)}`;
  const head = `${frame({ connection, seq: requestSeq })} ${variant}${asked} of session ${safe(shortId(session))}: ${VERDICT_WORDS[restored]}`;
  const from = live.map((source) => {
    const first = frame({ connection: source.connection, seq: source.from });
    return source.to === source.from ? first : `${first}–#${source.to}`;
  });
  return [
    head,
    `  ${paint(verdict === 'not due' ? 'quiet' : verdict, verdict.toUpperCase())}  ${safe(window.sentence)}`,
    ...(from.length > 0 ? [paint('quiet', `  live: ${from.join(', ')}`)] : []),
    ...window.partly.map((why) => paint('quiet', `  only partly known: ${safe(why)}`)),
    ...tableOf(window),
    ...differencesOf(window, frame, all, paint),
  ].join('\n');
}

function tableOf({ kinds }: FidelityWindow): string[] {
  const present = KINDS.flatMap((kind) => {
    const score = kinds[kind];
    return score ? [{ kind, score }] : [];
  });
  if (present.length === 0) return [];
  const heads = [
    'live',
    'replayed',
    'equal',
    'cosmetic',
    'lossy',
    'corrupt',
    'undecidable',
  ] as const;
  const cells = heads.map((head) => head.padStart(head.length + 2)).join('');
  const rows = present.map(({ kind, score }) => {
    const figures = heads.map((head) => {
      const figure = score[head];
      const shown =
        figure === 0 && head !== 'live' && head !== 'replayed' ? '' : formatCount(figure);
      return shown.padStart(head.length + 2);
    });
    const share = (score.score === undefined ? '–' : `${Math.round(score.score * 100)} %`).padStart(
      7,
    );
    return `  ${KIND_WORDS[kind][1].padEnd(16)}${figures.join('')}${share}`;
  });
  return ['', `  ${'kind'.padEnd(16)}${cells}${'score'.padStart(7)}`, ...rows];
}

function differencesOf(
  { differences }: FidelityWindow,
  frame: FrameName,
  all: boolean,
  paint: Paint,
): string[] {
  return VERDICTS.flatMap((verdict) => {
    const own = differences.filter((one) => one.verdict === verdict);
    if (own.length === 0) return [];
    const shown = all ? own : own.slice(0, verdict === 'cosmetic' ? 3 : MOST);
    const more = own.length - shown.length;
    return [
      '',
      `  ${paint(verdict, verdict)}`,
      ...shown.map((one) => differenceText(one, frame, paint)),
      ...(more > 0
        ? [paint('quiet', `    and ${count(more, 'more', 'more')}; --all tells them`)]
        : []),
    ];
  });
}

function differenceText(difference: Difference, frame: FrameName, paint: Paint): string {
  const { kind, item, field, live, replayed, before, after, why } = difference;
  const frames = `${frame(live)} → ${frame(replayed)}`.padEnd(17);
  const what = `${kind.padEnd(11)} ${safe(item)}${field === undefined ? '' : `, ${safe(field)}`}`;
  const values =
    before === undefined && after === undefined
      ? []
      : [`${' '.repeat(34)}${paint('quiet', `${value(before)} → ${value(after)}`)}`];
  return [`    ${frames} ${what}: ${safe(why)}`, ...values].join('\n');
}

const SHOWN = 70;

function value(text: string | undefined): string {
  if (text === undefined) return 'nothing';
  const shown = safe(text);
  return shown.length > SHOWN ? `${shown.slice(0, SHOWN)}…` : shown;
}

function closing(windows: readonly FidelityWindow[]): string {
  const words = [...VERDICTS.toReversed(), 'not due' as const].flatMap((verdict) => {
    const own = windows.filter((window) => window.verdict === verdict).length;
    return own === 0 ? [] : [`${own} ${verdict}`];
  });
  return `${count(windows.length, 'replay window')}: ${words.join(', ')}`;
}

function safe(text: string): string {
  return visibleWords(text).replace(/\s+/g, ' ');
}
