// What a trace holds beside the messages of a side that fell silent: its answers on stderr, the last lines of
// stderr, and a long line that it was sent.
import { idKey, parseMessage } from '../../acp/message.ts';
import { formatBytes } from '../../lib/format.ts';
import type { Millis } from '../../lib/time.ts';
import { otherSide, type Seq, type Side } from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';
import { fact, type Connection, type EarlierRequest, type Session } from '../connection.ts';
import { onFrame, onStderr } from '../listen.ts';
import { quote, type Fold } from '../rule.ts';

/** Longer lines, in bytes, do not fit what many readers buffer. */
const MAX_BUFFERED = 64 * 1024;
/** Lines of stderr that are looked back on, those that a finding names, and characters of each. */
const MAX_LINES = 20;
const MAX_NAMED = 5;
const MAX_TEXT = 300;
/** Answers on stderr that wait for the same answer on stdout. */
const MAX_ANSWERS = 200;

interface PlacedText {
  readonly seq: Seq;
  readonly text: string;
}

interface Beside {
  /** The last lines of stderr. */
  readonly stderr: PlacedText[];
  /** Answers on stderr, by the id of their request. */
  readonly answers: Map<string, { readonly seq: Seq; readonly at: Millis }>;
  /** The first line of each side that exceeds `MAX_BUFFERED`. */
  readonly long: Partial<Record<Side, { readonly seq: Seq; readonly size: number }>>;
}

const beside = fact<Connection, Beside>(() => ({ stderr: [], answers: new Map(), long: {} }));
/** The last frame of the agent that names a session. */
const heard = fact<Session, { seq: Seq | undefined }>(() => ({ seq: undefined }));

export const silenceFold: Fold = [
  onFrame(({ from, seq, size, session }, connection) => {
    if (session !== undefined && from === 'agent') heard.of(session).seq = seq;
    if (size > MAX_BUFFERED) beside.of(connection).long[from] ??= { seq, size };
  }),
  onStderr(({ seq, at, line }, connection) => {
    const { stderr, answers } = beside.of(connection);
    const text = lineText(line).trim();
    if (text === '') return;
    stderr.push({ seq, text: text.slice(0, MAX_TEXT) });
    if (stderr.length > MAX_LINES) stderr.shift();
    if (!text.startsWith('{')) return;
    const message = parseMessage(text);
    if (message.kind !== 'success' && message.kind !== 'failure') return;
    answers.set(idKey(message.id), { seq, at });
    for (const oldest of answers.keys())
      if (answers.size > MAX_ANSWERS) answers.delete(oldest);
      else break;
  }),
];

/** The answer to this request that the agent wrote to stderr; undefined if there is none. */
export function answerOnStderr({ from, seq, request }: EarlierRequest, connection: Connection) {
  if (from !== 'client') return undefined;
  const answer = beside.of(connection).answers.get(idKey(request.id));
  // An earlier request may have had the same id.
  return answer !== undefined && answer.seq > seq ? answer : undefined;
}

/** What may explain why `side` is silent since the frame `since`, as words after a clause, and the events it names. */
export function silenceEvidence(
  side: Side,
  since: Seq,
  session: Session | undefined,
  connection: Connection,
): { readonly words: string; readonly seqs: readonly Seq[] } {
  const { stderr, long } = beside.of(connection);
  const last = connection.last[side]?.seq;
  const words: string[] = [];
  const line = long[otherSide(side)];
  if (line !== undefined && (last === undefined || last < line.seq))
    words.push(`#${line.seq} before it has ${formatBytes(line.size)}, the first line over 64 KiB`);
  if (side === 'client') return { words: words.map((one) => `; ${one}`).join(''), seqs: [] };
  const sign = session && heard.of(session).seq;
  if (session && sign !== undefined && last !== undefined && sign < last) {
    const other = openedAfter(sign, connection);
    const before = other && `, before ${quote(other.id)} was opened (#${other.announced})`;
    words.push(`the last sign of life of ${quote(session.id)} is #${sign}${before ?? ''}`);
  }
  const lines = stderr.filter(({ seq }) => seq > Math.max(since, sign ?? 0)).slice(-MAX_NAMED);
  const told = lines.findLast(({ text }) => FAILURE.test(text)) ?? lines.at(-1);
  if (told !== undefined) words.push(`stderr ${spanOf(lines)}: ${quote(told.text)}`);
  return {
    words: words.map((one) => `; ${one}`).join(''),
    seqs: lines.map(({ seq }) => seq),
  };
}

/** How programs report that something went wrong. */
const FAILURE = /error|exception|panic|fatal|fail|abort|exceed|too l|signal|exited|killed/i;

function openedAfter(sign: Seq, { sessions }: Connection): Session | undefined {
  for (const session of sessions.values())
    if (session.active && session.announced !== undefined && session.announced > sign)
      return session;
  return undefined;
}

function spanOf(lines: readonly PlacedText[]): string {
  const [first = 0, last = 0] = [lines[0]?.seq, lines.at(-1)?.seq];
  if (last - first >= lines.length || lines.length === 1)
    return lines.map(({ seq }) => `#${seq}`).join(' ');
  return `#${first}–#${last}`;
}
