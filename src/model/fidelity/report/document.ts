// A fidelity report: a word and a sentence for each window, figures by kind, then the differences, the
// worst first, each with both frames.
import { FIDELITY_VERDICTS } from '../ledger.ts';
import { decidingDetail, leftOpenBlock } from './around.ts';
import { causeWords } from '../refusal.ts';
import { HISTORY_WORDS, type HistoryAnswer, type HistoryWord } from './answer.ts';
import type {
  ChildFidelity,
  ChildVerdict,
  FidelityVerdict,
  ItemDifference,
  FidelityReport,
  FidelityWindow,
} from './report.ts';
import { UNDECIDABLE_WORDS } from './sentence.ts';
import { verdictWord, COMPARED_KINDS, KIND_WORDS } from '../../sessions/compare-terms.ts';
import { count, formatCount } from '../../../lib/format.ts';
import { RESTORE_VERDICT_WORDS } from '../../restore/restore-verdict.ts';
import { shortId } from '../../words.ts';
import type {
  Block,
  JUnitCase,
  ReportItem,
  ReportDocument,
  JUnitSuite,
  Table,
  Tone,
} from '../../../report/document.ts';
import { cut, detail, lines, visibleLine, section, toned } from '../../../report/words.ts';
import type { ConnectionId, FrameRef } from '../../../trace/event.ts';
import { lowered } from '../../../lib/sentence.ts';

/** Differences of one verdict that are told one by one, unless all are asked for. */
const MOST = 12;
const MOST_COSMETIC = 3;
/** Characters of a value. */
const SHOWN = 70;

const HISTORY_TONES: Readonly<Record<HistoryWord, Tone>> = {
  wrong: 'bad',
  incomplete: 'bad',
  late: 'warn',
  inconclusive: 'info',
  equivalent: 'good',
  identical: 'good',
  'no replay': 'quiet',
};

const VERDICT_TONES: Readonly<Record<FidelityVerdict, Tone>> = {
  equal: 'good',
  cosmetic: 'good',
  lossy: 'warn',
  corrupt: 'bad',
  undecidable: 'info',
};

/** A trace as the report names it: `c2`, and the file it is in. */
export interface NamedTrace {
  readonly connection: ConnectionId;
  readonly name: string;
  readonly file: string;
}

type FrameName = (ref: FrameRef | undefined) => string;

/** `all`: every difference. `unjudged`: why replays were left unjudged, see `whyUnjudged`. */
export function fidelityDocument(
  report: FidelityReport,
  traces: readonly NamedTrace[],
  all: boolean,
  unjudged = nothingJudged(report),
): ReportDocument {
  const { windows } = report;
  const isMany = traces.length > 1;
  const names = new Map(traces.map(({ connection, name }) => [connection, name]));
  const frame: FrameName = (ref) =>
    ref === undefined ? '—' : `${isMany ? (names.get(ref.connection) ?? '') : ''}#${ref.seq}`;
  const legend = traces.map(({ name, file }) => [toned('quiet', `${name}  ${file}`)]);
  return {
    name: 'acp-scope fidelity',
    title: 'The replay, compared with the live session',
    untitled: true,
    blocks:
      windows.length === 0
        ? [lines(unjudged)]
        : [
            ...(isMany ? [lines(...legend)] : []),
            ...windows.map((window) => windowBlock(window, frame, all)),
            lines(closing(windows), unjudged),
          ],
    suites: [
      ...traces.flatMap(({ connection, file }) => {
        const own = windows.filter((window) => window.connection === connection);
        return own.length === 0 ? [] : [{ name: file, cases: own.flatMap(casesOf) }];
      }),
      ...(unjudged === undefined ? [] : [unjudgedSuite(unjudged)]),
    ],
  };
}

function windowBlock(window: FidelityWindow, frame: FrameName, all: boolean): Block {
  const { connection, variant, cursor, session, requestSeq, restored } = window;
  // `v2 start` is a name of the lab; a reader of a trace looks for the method and its cursor.
  const name = cursor === undefined ? variant : 'v2 resume';
  const asked =
    cursor === undefined
      ? ''
      : cursor === 'omitted'
        ? ' without replayFrom'
        : ` with replayFrom ${cursor}`;
  return section(
    `${frame({ connection, seq: requestSeq })} ${name} of session ${shortId(session)}${asked}: ${RESTORE_VERDICT_WORDS[restored]}`,
    ...judgedBlocks(window, frame, all),
    leftOpenBlock(window.leftOpen, frame),
    ...window.children.map((child) =>
      section(
        `child session ${child.session} of ${shortId(child.parent)}`,
        ...judgedBlocks(child, frame, all),
      ),
    ),
  );
}

/** Of a session that was asked for, or of a child of it. */
function judgedBlocks(
  judged: FidelityWindow | ChildFidelity,
  frame: FrameName,
  all: boolean,
): readonly (Block | undefined)[] {
  const { answer, live, partly, historyComplete } = judged;
  const from = live.map(({ connection, from, to }) => {
    const first = frame({ connection, seq: from });
    return to === from ? first : `${first}–#${to}`;
  });
  const told: ReportItem['details'] = [
    ...(answer.figures === '' ? [] : [[answer.figures]]),
    ...(answer.more === '' ? [] : [[answer.more]]),
    ...('protocol' in answer ? [detail('Protocol', [answer.protocol, ': ', answer.why])] : []),
    ...(from.length > 0 ? [[toned('quiet', `live: ${from.join(', ')}`)]] : []),
    ...partly.map((why) => [toned('quiet', `only partly known: ${why}`)]),
    ...causeWords(judged, frame),
    ...('decidedBy' in judged && judged.decidedBy ? [decidingDetail(judged.decidedBy)] : []),
    ...('intercepted' in judged && judged.intercepted ? [[toned('quiet', INTERCEPTED)]] : []),
    ...(historyComplete ? [[toned('quiet', 'the agent said that its history is complete')]] : []),
  ];
  const item = {
    word: answer.history.toUpperCase(),
    tone: HISTORY_TONES[answer.history],
    title: answer.headline,
    details: told,
  };
  return [{ kind: 'items', items: [item] }, tableOf(judged), ...differencesOf(judged, frame, all)];
}

const INTERCEPTED =
  'an intercept changed lines of the agent on their way: what the agent wrote is compared';

const FIGURES = [
  'live',
  'replayed',
  'equal',
  'cosmetic',
  'lossy',
  'corrupt',
  'undecidable',
] as const;

function tableOf({ kinds }: Pick<FidelityWindow, 'kinds'>): Table | undefined {
  const rows = COMPARED_KINDS.flatMap((kind) => {
    const score = kinds[kind];
    if (!score) return [];
    const figures = FIGURES.map((head) =>
      score[head] === 0 && head !== 'live' && head !== 'replayed' ? '' : formatCount(score[head]),
    );
    const share = score.score === undefined ? '–' : `${Math.round(score.score * 100)} %`;
    return [[KIND_WORDS[kind][1], ...figures, share]];
  });
  if (rows.length === 0) return undefined;
  const right = [
    ...FIGURES.map((head) => (head === 'live' || head === 'replayed' ? head : verdictWord(head))),
    'score',
  ].map((name) => ({ name, right: true }) as const);
  return { kind: 'table', heads: [{ name: 'kind' }, ...right], rows };
}

function differencesOf(
  { differences }: Pick<FidelityWindow, 'differences'>,
  frame: FrameName,
  all: boolean,
): readonly Block[] {
  return FIDELITY_VERDICTS.flatMap((verdict): readonly Block[] => {
    const own = differences.filter((one) => one.verdict === verdict);
    if (own.length === 0) return [];
    const shown = all ? own : own.slice(0, verdict === 'cosmetic' ? MOST_COSMETIC : MOST);
    const more = own.length - shown.length;
    return [
      section(
        [toned(VERDICT_TONES[verdict], verdictWord(verdict))],
        { kind: 'items', items: shown.map((one) => differenceItem(one, frame)) },
        more > 0
          ? lines([toned('quiet', `and ${count(more, 'more', 'more')}; --all lists them`)])
          : undefined,
      ),
    ];
  });
}

export function differenceItem(difference: ItemDifference, frame: FrameName): ReportItem {
  const { kind, verdict, item, field, live, replayed, before, after, why } = difference;
  const isValued = before !== undefined || after !== undefined;
  return {
    word: kind,
    tone: VERDICT_TONES[verdict],
    title: `${item}${field === undefined ? '' : `, ${field}`}: ${why}`,
    details: [
      detail('frames', [toned('quiet', `${frame(live)} → ${frame(replayed)}`)]),
      ...(isValued ? [detail('value', `${value(before)} → ${value(after)}`)] : []),
    ],
  };
}

function value(text: string | undefined): string {
  return text === undefined ? 'nothing' : cut(visibleLine(text), SHOWN);
}

/** A child that fails the report is told here too: its parent's word is its own. */
function closing(windows: readonly FidelityWindow[]): string {
  const children = windows.flatMap((window) => window.children);
  return [
    `${count(windows.length, 'replay window')}: ${tally(windows)}`,
    ...(children.length > 0
      ? [`${count(children.length, 'child session')}: ${tally(children)}`]
      : []),
  ].join('; ');
}

function tally(judged: readonly { readonly answer: HistoryAnswer }[]): string {
  return HISTORY_WORDS.flatMap((word) => {
    const own = judged.filter(({ answer }) => answer.history === word).length;
    return own === 0 ? [] : [`${own} ${word}`];
  }).join(', ');
}

/** Skipped cases alone would look like success. */
function unjudgedSuite(why: string): JUnitSuite {
  return {
    name: 'acp-scope fidelity',
    cases: [
      { name: 'a replay that can be judged', outcome: 'fail', type: 'undecidable', message: why },
    ],
  };
}

function casesOf(window: FidelityWindow): JUnitCase[] {
  const of = `${window.variant} #${window.requestSeq}`;
  return [
    caseOf(`${of} (${window.session})`, window),
    ...window.children.map((child) => caseOf(`${of} (child ${child.session})`, child)),
  ];
}

function caseOf(name: string, judged: FidelityWindow | ChildFidelity): JUnitCase {
  const { verdict, sentence, differences } = judged;
  if (verdict === 'undecidable' || verdict === 'not kept')
    return { name, outcome: 'skip', message: sentence };
  if (!isBad(verdict)) return { name, outcome: 'pass' };
  const body = differences
    .filter((one) => one.verdict === 'lossy' || one.verdict === 'corrupt')
    .map((one) => {
      const field = one.field === undefined ? '' : `, ${one.field}`;
      return `${one.verdict}: ${one.item}${field}: ${one.why}`;
    });
  return { name, outcome: 'fail', type: verdict, message: sentence, body: body.join('\n') };
}

// Whether a fidelity report fails, and whether it says anything at all.

/** Why a report says nothing of any replay; undefined: it does. */
export function nothingJudged({ windows }: FidelityReport): string | undefined {
  const due = windows.filter(({ verdict }) => verdict !== 'nothing due');
  if (due.length === 0 && windows.length > 0) return undefined;
  if (due.some(({ verdict }) => verdict !== 'undecidable')) return undefined;
  const [first] = due;
  if (first?.unjudged !== undefined)
    return `No replay could be judged: ${UNDECIDABLE_WORDS[first.unjudged]}`;
  return first !== undefined
    ? `No replay could be judged: ${lowered(first.sentence)}`
    : 'No restore is in these traces: there is no replay to compare. Record one with session/load or session/resume.';
}

/** Why replays with something to judge were not judged, wholly or in part; undefined: all were. */
export function whyUnjudged(report: FidelityReport): string | undefined {
  const nothing = nothingJudged(report);
  if (nothing !== undefined) return nothing;
  const due = report.windows.filter(
    ({ verdict, refused }) => verdict !== 'nothing due' && !refused,
  );
  const open = due.filter(({ verdict, children }) =>
    [verdict, ...children.map((child) => child.verdict)].includes('undecidable'),
  );
  const [first] = open;
  if (first === undefined) return undefined;
  const child = first.children.find(({ verdict }) => verdict === 'undecidable');
  const why = first.verdict === 'undecidable' ? first.sentence : (child?.sentence ?? '');
  return `${open.length} of ${count(due.length, 'replay')} could not be judged, wholly or in part. The first: ${lowered(why)} With --allow-inconclusive, this alone does not fail.`;
}

/** Of itself or of a child that was kept. */
export function fails({ verdict, children }: FidelityWindow): boolean {
  return isBad(verdict) || children.some((child) => isBad(child.verdict));
}

function isBad(verdict: ChildVerdict): boolean {
  return verdict === 'lossy' || verdict === 'corrupt';
}
