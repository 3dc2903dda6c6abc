// One frame as a report: what a person looks it up for, and its line.
import { formatBytes } from '../../lib/format.ts';
import { formatClock, formatSpan, knownDate } from '../../lib/format-time.ts';
import type { Block, ReportDetail, ReportItem, Tone } from '../../report/document.ts';
import { code, detail, toned } from '../../report/words.ts';
import { lineText } from '../../trace/line.ts';
import type { RowKind } from '../columns.ts';
import { facts, oneLine } from '../words.ts';
import type { FrameDetail } from './frame-detail.ts';
import type { MarkSeverity } from './finding-marks.ts';

interface FindingWords {
  readonly rule: string;
  readonly severity: MarkSeverity;
  readonly seen: string;
}

export interface ShownFrame {
  /** `#12`, or `c2#12`. */
  readonly name: string;
  readonly detail: FrameDetail;
  readonly kind: RowKind;
  /** Its `method` is the variant of a session/update. */
  readonly isUpdate: boolean;
  /** As its row says it. */
  readonly summary: string;
  /** Undefined: nobody looked. */
  readonly findings: readonly FindingWords[] | undefined;
}

const KIND_WORDS: Readonly<Record<RowKind, string>> = {
  req: 'request',
  res: 'result',
  err: 'error',
  ntf: 'notification',
  bad: 'no message',
  std: 'stderr',
  evt: 'event',
};

const TONES = { error: 'bad', warning: 'warn', hint: 'info' } as const satisfies Record<
  FindingWords['severity'],
  Tone
>;

export function frameBlocks(frame: ShownFrame): readonly Block[] {
  const { name, detail: shown, kind, isUpdate, summary } = frame;
  const title = `${isUpdate ? 'update ' : ''}${oneLine(shown.title)}`;
  const item: ReportItem = {
    ...{ word: name, tone: 'strong', title: [toned('strong', title)] },
    details: [
      ...(summary === '' || summary === shown.title ? [] : [summary]),
      detail('from', senderWords(frame)),
      detail('at', timeWords(shown)),
      ...exchangeDetails(shown, kind),
      ...sessionDetails(shown),
      ...(frame.findings ?? []).map(({ rule, severity, seen }) =>
        detail('finding', [toned(TONES[severity], severity), ' ', code(rule), `  ${seen}`]),
      ),
      ...(shown.mark === undefined ? [] : [detail('mark', shown.mark || 'without a label')]),
    ],
  };
  const { line, from, seq } = shown;
  const items: Block = { kind: 'items', items: [item] };
  if (!line) return [items];
  const frames = [{ seq, from: from ?? ('agent' as const), text: lineText(line) }];
  return [items, { kind: 'frames', title: `Line, ${lineWords(shown)}`, frames }];
}

/** By whom, and as what. */
function senderWords({ detail: { from, origin }, kind }: ShownFrame): string {
  if (from === undefined) return KIND_WORDS[kind];
  return `${from}${origin === 'peer' ? '' : ` (${origin})`} · ${KIND_WORDS[kind]}`;
}

function timeWords({ at, sincePrevious, wallClock }: FrameDetail): string {
  const since = sincePrevious === undefined ? '' : ` (+${formatSpan(sincePrevious)})`;
  return facts(`${formatClock(at)}${since}`, knownDate(wallClock) && wallClock);
}

function exchangeDetails({ exchange }: FrameDetail, kind: RowKind): readonly ReportDetail[] {
  if (!exchange) return [];
  const { request, answer, latency, method, id } = exchange;
  const after = latency === undefined ? '' : ` after ${formatSpan(latency)}`;
  const words =
    kind !== 'req'
      ? `answers #${request} ${oneLine(method)}${after}`
      : answer === undefined
        ? 'no answer in this trace'
        : `answered by #${answer}${after}`;
  return [detail('exchange', facts(oneLine(id), words))];
}

function sessionDetails(shown: FrameDetail): readonly ReportDetail[] {
  const { session, sessionId, turn, replayOf, late, inWindow } = shown;
  if (sessionId === undefined) return [];
  const is =
    replayOf !== undefined
      ? `history replay, asked for by #${replayOf}`
      : late
        ? `late history: the replay that #${inWindow?.request} asked for had ended`
        : 'live';
  const chip = facts(session, turn !== undefined && `turn ${turn}`);
  return [detail('session', [`${chip}  `, code(sessionId)]), detail('is', is)];
}

function lineWords({ size, cut, oversize, line }: FrameDetail): string {
  return facts(
    formatBytes(size),
    cut && 'cut off: the stream ended in it',
    oversize && 'only its beginning was kept',
    line !== undefined && 'base64' in line && 'not UTF-8: bad bytes are shown as U+FFFD',
  );
}
