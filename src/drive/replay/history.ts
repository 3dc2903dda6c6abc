// The history replay of a session whose restore was not recorded, from the frames that were: what
// the adapter of load over resume would have kept and told, kept and told here at once.
import { get, str } from '../../acp/json.ts';
import { type Version, MAKERS, isMethodOf } from '../../acp/methods.ts';
import { updateOf } from '../../acp/update.ts';
import { count } from '../../lib/format.ts';
import type { StoreEntry } from '../adapt/entry.ts';
import { type HistoryPort, AdaptRecording } from '../adapt/recording.ts';
import { textAt, bareLine } from '../adapt/line-edit.ts';
import { Surveyor } from '../adapt/survey.ts';
import { Teller, underSession } from '../adapt/teller.ts';
import { requestOf, type Recorded, type RecordedFrame } from './recorded.ts';

interface RebuiltHistory {
  /** `session/update` lines, in the recording's names. */
  readonly lines: readonly string[];
  /** What they were made from, as a clause; undefined: there was nothing. */
  readonly from: string | undefined;
  /** The recording begins after the session did: what was before is not there. */
  readonly isCut: boolean;
}

interface HistoryScope {
  readonly session: string;
  readonly version: Version;
  /** Which of the frames count: those that have been said, where any of the session were. */
  readonly counts: (frame: RecordedFrame) => boolean;
  /** v1: the client takes compactions. */
  readonly compactions: boolean;
}

export function rebuildHistory(recorded: Recorded, wish: HistoryScope): RebuiltHistory {
  const { session, version, compactions } = wish;
  const kept = new Kept(recorded, wish);
  const entries = kept.entries();
  const survey = new Surveyor();
  for (const entry of entries) survey.take(entry);
  // Never `middle`: what is missing is said in the report, and not in the conversation.
  const head = { session, agent: '', begin: 'new', tool: '' } as const;
  const teller = new Teller({ head, survey, acp: version, compactions });
  const lines = [...teller.begin(), ...entries.flatMap((entry) => teller.tell(entry))];
  return {
    lines: lines.map((line) => underSession(line, session)),
    from: kept.words(),
    isCut: kept.isCut,
  };
}

/** Frames of one session as the entries of its history. */
class Kept {
  isCut = true;
  readonly #recorded: Recorded;
  readonly #wish: HistoryScope;
  readonly #entries: StoreEntry[] = [];
  readonly #recording: AdaptRecording;
  readonly #prompts = new Map<number, string>();
  #seq = 0;
  #first: number | undefined;
  #last = 0;
  #frames = 0;
  /** In a restore that replays: the place of its answer, or the end. */
  #until = -1;

  constructor(recorded: Recorded, wish: HistoryScope) {
    this.#recorded = recorded;
    this.#wish = wish;
    // The same prompt has the same id in every replay.
    this.#recording = new AdaptRecording(this.#port(), () => `acp-scope-replay-${this.#seq}`);
  }

  entries(): readonly StoreEntry[] {
    const { session, counts, version } = this.#wish;
    this.#recording.begin(session, 'new', version);
    for (const frame of this.#recorded.frames)
      if (frame.session === session && counts(frame)) this.#take(frame);
    return this.#entries;
  }

  words(): string | undefined {
    if (this.#first === undefined) return undefined;
    return `${count(this.#frames, 'recorded frame')} (#${this.#first}–#${this.#last})`;
  }

  #take(frame: RecordedFrame): void {
    const { message, place } = frame;
    this.#seq = frame.seq;
    switch (message.kind) {
      case 'request':
        if (frame.from === 'agent') return this.#recording.agentAsked(message);
        if (isMethodOf(MAKERS, message.method)) this.#made(frame);
        if (isFullReplay(message.method, message.params)) this.#restored(frame);
        if (message.method === 'session/prompt') this.#prompted(frame);
        return;
      case 'notification': {
        if (message.method !== 'session/update') return;
        const read = updateOf(message.params);
        if (!read) return;
        if (place < this.#until) this.#entries.push({ type: 'update', line: bareLine(frame.text) });
        else this.#recording.updated(read, bareLine(frame.text));
        return this.#counted(frame);
      }
      case 'success':
      case 'failure': {
        if (frame.from === 'client') {
          if (message.kind === 'success') this.#recording.editorAnswered(message);
          return;
        }
        const prompt = frame.pair === undefined ? undefined : this.#prompts.get(frame.pair);
        if (prompt !== undefined) this.#recording.answered(this.#wish.session, prompt, message);
        return;
      }
      case 'invalid':
        return;
    }
  }

  #prompted(frame: RecordedFrame): void {
    const blocks = textAt(bareLine(frame.text), ['params', 'prompt']);
    const id = this.#recording.prompted(this.#wish.session, blocks);
    if (id !== undefined) this.#prompts.set(frame.place, id);
    this.#counted(frame);
  }

  /** The whole history comes again: what was kept before it is in it. */
  #restored({ pair }: RecordedFrame): void {
    const answer = pair === undefined ? undefined : this.#recorded.frames[pair]?.message;
    if (answer?.kind === 'failure') return;
    this.#entries.length = 0;
    this.#recording.begin(this.#wish.session, 'new', this.#wish.version);
    this.#until = pair ?? this.#recorded.frames.length;
    this.isCut = false;
    this.#frames = 0;
    this.#first = undefined;
  }

  #made(frame: RecordedFrame): void {
    const { method, params } = requestOf(frame) ?? {};
    const from = str(params, 'sessionId');
    // Forking failed: it is still the one it was to be made from.
    if (from === this.#wish.session) return;
    this.isCut = false;
    if (method === 'session/fork' && from !== undefined) this.#forked(from, frame.place);
  }

  /** It goes on from what the other session had come to. */
  #forked(session: string, until: number): void {
    const counts = ({ place }: RecordedFrame) => place < until;
    const before = new Kept(this.#recorded, { ...this.#wish, session, counts });
    this.#entries.push(...before.entries().filter(({ type }) => type !== 'open'));
    this.isCut = before.isCut;
    this.#frames += before.#frames;
    this.#first ??= before.#first;
    this.#last = Math.max(this.#last, before.#last);
  }

  #counted({ seq }: RecordedFrame): void {
    this.#first ??= seq;
    this.#last = seq;
    this.#frames++;
  }

  #port(): HistoryPort {
    const nothing = () => undefined;
    return {
      claim: () => ({ kind: 'ours', stored: false }),
      begin: (_, __, acp) => void this.#entries.push({ type: 'open', at: '', acp }),
      add: (_, entry) => void this.#entries.push(entry),
      position: () => 0,
      copy: nothing,
      missed: nothing,
      release: nothing,
      remove: nothing,
    };
  }
}

/** v1 `session/load`, v2 `session/resume` from the start. */
export function isFullReplay(method: string, params: Parameters<typeof get>[0]): boolean {
  if (method === 'session/load') return true;
  const cursor = method === 'session/resume' ? get(params, 'replayFrom') : undefined;
  return str(cursor, 'type') === 'start';
}
