// What came of a replay as the agent: what was asked, what was not as recorded, what never came.
import { safeJson } from '../../lib/safe-json.ts';
import { count } from '../../lib/format.ts';
import type { ReportDocument } from '../../report/document.ts';
import { lines, section } from '../../report/words.ts';
import type { Seq } from '../../trace/event.ts';
import type { Strictness } from './strictness.ts';
import { type NoteKind, type ReplayNote, notesJson } from './differences.ts';
import type { Recorded, RecordedFrame } from './recorded.ts';

export interface AgentReport {
  readonly role: 'agent';
  /** Under its documented name. */
  readonly manner: Strictness;
  /** Nothing was otherwise than recorded; in `strict`, all that was recorded was asked. */
  readonly ok: boolean;
  /** Frames of the client that were found in the recording. */
  readonly matched: {
    readonly requests: number;
    readonly notifications: number;
    readonly answers: number;
  };
  readonly notes: readonly ReplayNote[];
  /** Requests and notifications of the recording that never came. */
  readonly neverCame: readonly NeverCame[];
  /** Requests of ours that nobody answered, and the recorded client did. */
  readonly unanswered: readonly NeverCame[];
  /** Frames of the agent: said, and not. */
  readonly said: number;
  readonly unsaid: number;
  /** What of the trace could not be replayed at all, as sentences. */
  readonly problems: readonly string[];
}

interface NeverCame {
  readonly seq: Seq;
  readonly method: string;
  /** How many frames of the agent waited for it. */
  readonly holds: number;
}

interface AgentRun {
  readonly recorded: Recorded;
  readonly strictness: Strictness;
  readonly matched: AgentReport['matched'];
  readonly notes: readonly ReplayNote[];
  /** Places of frames that crossed again. */
  readonly crossed: ReadonlySet<number>;
  /** Requests of the agent that wait for an answer. */
  readonly open: readonly RecordedFrame[];
}

export function agentReport(run: AgentRun): AgentReport {
  const { recorded, strictness, matched, notes, crossed, open } = run;
  const { frames } = recorded;
  const waiting = new Map<number | undefined, number>();
  const ours = frames.filter(({ from }) => from === 'agent');
  const unsaid = ours.filter(({ place }) => !crossed.has(place));
  for (const { cue } of unsaid) waiting.set(cue, (waiting.get(cue) ?? 0) + 1);
  const neverCame = frames.flatMap(({ from, place, seq, message }) =>
    from === 'client' && 'method' in message && !crossed.has(place)
      ? [{ seq, method: message.method, holds: waiting.get(place) ?? 0 }]
      : [],
  );
  const unanswered = open.flatMap(({ seq, pair, message }) =>
    pair !== undefined && 'method' in message
      ? [{ seq, method: message.method, holds: waiting.get(pair) ?? 0 }]
      : [],
  );
  const isClean = !notes.some(({ kind }) => kind === 'mismatch');
  const isWhole = neverCame.length === 0 && unanswered.length === 0;
  return {
    role: 'agent',
    manner: strictness,
    ok: isClean && (strictness !== 'strict' || isWhole),
    matched: { ...matched },
    notes: [...notes],
    neverCame,
    unanswered,
    said: ours.length - unsaid.length,
    unsaid: unsaid.length,
    problems: recorded.problems,
  };
}

const HEADS: Readonly<Record<NoteKind, string>> = {
  mismatch: 'not as recorded',
  tolerated: 'let pass',
  rebuilt: 'rebuilt',
};

/** What came of it, in one sentence. */
export function agentVerdict({ matched, notes, said, unsaid, ok }: AgentReport): string {
  const mismatches = notes.filter(({ kind }) => kind === 'mismatch').length;
  const asked = [
    count(matched.requests, 'request'),
    count(matched.notifications, 'notification'),
    count(matched.answers, 'answer'),
  ].join(', ');
  return `${ok ? 'As recorded' : 'Not as recorded'}: ${asked} found in the recording, ${count(mismatches, 'mismatch', 'mismatches')}; said ${said} of ${said + unsaid} recorded frames.`;
}

/** For a person, at the end. */
export function agentDocument(report: AgentReport): ReportDocument {
  const { notes, neverCame, unanswered, problems } = report;
  const told = (['mismatch', 'rebuilt', 'tolerated'] as const).flatMap((kind) =>
    notes.filter((note) => note.kind === kind).map(({ sentence }) => `${HEADS[kind]}: ${sentence}`),
  );
  const waits = (head: string, all: readonly NeverCame[]) =>
    all.map(({ seq, method, holds }) => `${head}: ${method} #${seq}${holdsWords(holds)}`);
  const rest = [
    ...told,
    ...waits('never came', neverCame),
    ...waits('never answered', unanswered),
    ...problems,
  ];
  const title = agentVerdict(report);
  return {
    name: 'acp-scope replay',
    title,
    untitled: true,
    blocks: [section(title, lines(...rest))],
    suites: [],
  };
}

function holdsWords(holds: number): string {
  return holds === 0 ? '' : `, for which ${count(holds, 'frame')} waited`;
}

export function agentReportJson(report: AgentReport): string {
  const { notes, ...rest } = report;
  return safeJson({
    ...rest,
    mismatches: notesJson(notes, 'mismatch'),
    rebuilt: notesJson(notes, 'rebuilt'),
    tolerated: notesJson(notes, 'tolerated'),
  });
}
