// A trace as what is to be said again: its frames, which of them answer each other, whose session
// each belongs to, and after which of the client's each of the agent's may come.
import { knownVersion, nearestVersion, offeredVersion, offersIn } from '../../acp/handshake.ts';
import { get, str } from '../../acp/json.ts';
import type { JsonObject, Message, Request } from '../../acp/message.ts';
import { isMethodOf, MAKERS, type Version } from '../../acp/methods.ts';
import { sessionOf } from '../../acp/update.ts';
import { count } from '../../lib/format.ts';
import { isBusy, isResting } from '../../model/facts/activity.ts';
import { Exchanges } from '../../model/facts/exchanges.ts';
import { HandshakeFold } from '../../model/facts/handshake.ts';
import { TurnReader } from '../../model/facts/turns.ts';
import { membersIn, messageOf } from '../../model/timeline/digest.ts';
import {
  type Frame,
  type Line,
  otherSide,
  type Seq,
  type Side,
  timeOf,
  type TraceEvent,
} from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';

export interface RecordedFrame {
  /** Where it stands in `frames`. */
  readonly place: number;
  readonly seq: Seq;
  /** Milliseconds since the trace began; `NO_TIME` where it has none. */
  readonly at: number;
  readonly from: Side;
  readonly line: Line;
  readonly text: string;
  readonly message: Message;
  /** The session it belongs to; undefined: to the connection. */
  readonly session: string | undefined;
  /** The other frame of its exchange. */
  readonly pair: number | undefined;
  /**
   * The agent's: the frame of the client that came before it, of the same session where there is
   * one: it is not said before that has come. Undefined: the agent spoke first.
   */
  readonly cue: number | undefined;
  /** How many requests of the client before it changed who is signed in. */
  readonly epoch: number;
}

export interface Recorded {
  readonly frames: readonly RecordedFrame[];
  /** What `initialize` settled on; undefined: it was not recorded. */
  readonly version: Version | undefined;
  /** The version that the client asked for. */
  readonly asked: Version | undefined;
  readonly agentCapabilities: JsonObject;
  /** What of the trace cannot be said again, as sentences. */
  readonly problems: readonly string[];
}

const SIGNS_IN: ReadonlySet<string> = new Set([
  'authenticate',
  'logout',
  'auth/login',
  'auth/logout',
]);

/** The folder of the first session, as the client named it. */
export function recordedCwd({ frames }: Recorded): string | undefined {
  for (const { message } of frames) {
    const cwd = message.kind === 'request' ? str(message.params, 'cwd') : undefined;
    if (cwd !== undefined) return cwd;
  }
  return undefined;
}

export function readRecorded(events: readonly TraceEvent[]): Recorded {
  const reader = new Reader();
  for (const event of events) reader.take(event);
  return reader.end();
}

/** Of which it is not known yet what stands around it. */
interface Draft extends Omit<RecordedFrame, 'place' | 'text' | 'cue' | 'pair' | 'session'> {
  pair: number | undefined;
  session: string | undefined;
}

class Reader {
  readonly #drafts: Draft[] = [];
  readonly #exchanges = new Exchanges();
  readonly #hello = new HandshakeFold();
  readonly #problems: string[] = [];
  #epoch = 0;

  take(event: TraceEvent): void {
    if (event.type === 'gap' && !event.omitted)
      this.#problems.push(
        `${count(event.count, 'event')} before #${event.seq + event.count} were not recorded (${event.reason}), so they cannot be replayed.`,
      );
    if (event.type !== 'frame') return;
    const { seq, oversize } = event;
    if (oversize) {
      this.#problems.push(
        `#${seq} was too long to record whole (${oversize.bytes} bytes), so it cannot be replayed.`,
      );
      return;
    }
    const message = messageOf(event);
    // The messages of an array are sent again one by one.
    const members = [...membersIn(event, message)];
    for (const one of members) this.#said(one.frame, one.message);
    if (members.length === 0) this.#said(event, message);
  }

  #said(frame: Frame, message: Message): void {
    const { seq, from, line } = frame;
    const at = timeOf(frame);
    const place = this.#drafts.length;
    const draft: Draft = {
      ...{ seq, at, from, line, message, epoch: this.#epoch },
      pair: undefined,
      session: undefined,
    };
    this.#drafts.push(draft);
    if (message.kind === 'request') {
      this.#exchanges.ask({ index: place, from, request: message });
      if (from === 'client' && SIGNS_IN.has(message.method)) this.#epoch++;
      if (from === 'client' && message.method === 'initialize')
        this.#hello.ask({ seq, request: message });
    }
    if (message.kind === 'success' || message.kind === 'failure') {
      const asked = this.#exchanges.answer(from, message.id)?.index;
      const request = asked === undefined ? undefined : this.#drafts[asked];
      draft.pair = asked;
      if (request) request.pair = place;
      const hello = requestOf(request);
      if (request && from === 'agent' && hello?.method === 'initialize')
        this.#hello.answer({ seq: request.seq, request: hello }, message, seq);
    }
    draft.session = this.#named(draft);
  }

  end(): Recorded {
    const drafts = this.#drafts;
    for (const draft of drafts) draft.session = this.#sessionOf(draft) ?? draft.session;
    /** The client's newest frame: of each session, and of all. */
    const newest = new Map<string | undefined, number>();
    const frames = drafts.map((draft, place): RecordedFrame => {
      const { session } = draft;
      const cue = draft.from === 'agent' ? this.#cueOf(draft, newest) : undefined;
      if (draft.from === 'client') {
        newest.set(undefined, place);
        if (session !== undefined) newest.set(session, place);
      }
      return { ...draft, place, cue, text: lineText(draft.line) };
    });
    return { frames, ...this.#handshake(), problems: this.#problems };
  }

  #handshake(): Pick<Recorded, 'version' | 'asked' | 'agentCapabilities'> {
    const { chosen, current } = this.#hello;
    const params = current?.asked.request.params;
    const { agentCapabilities } = offersIn(params, current?.result, nearestVersion(chosen));
    return { version: knownVersion(chosen), asked: offeredVersion(params), agentCapabilities };
  }

  #cueOf({ pair, session }: Draft, newest: ReadonlyMap<string | undefined, number>) {
    // What answers for the connection waits for its request alone: others are none of its business.
    if (session === undefined && pair !== undefined) return pair;
    return (session === undefined ? undefined : newest.get(session)) ?? newest.get(undefined);
  }

  /** The session a message is about by what it names itself. */
  #named({ message, from }: Draft): string | undefined {
    if (message.kind !== 'request' && message.kind !== 'notification') return undefined;
    const named = sessionOf(message);
    if (named !== undefined) return named;
    // It names a request, and with it that one's session.
    const asker = message.method === '$/cancel_request' ? from : otherSide(from);
    const asked = this.#exchanges.find(asker, get(message.params, 'requestId'));
    return asked && this.#drafts[asked.index]?.session;
  }

  /** Answers are about what their request is about; what makes a session, about that session. */
  #sessionOf({ message, pair }: Draft): string | undefined {
    if (pair === undefined) return undefined;
    const partner = this.#drafts[pair];
    if (!partner) return undefined;
    const isRequest = message.kind === 'request';
    const request = isRequest ? message : partner.message;
    const answer = isRequest ? partner.message : message;
    const made = request.kind === 'request' && isMethodOf(MAKERS, request.method);
    if (made && answer.kind === 'success') return str(answer.result, 'sessionId');
    return isRequest ? undefined : partner.session;
  }
}

export function requestOf(frame: Pick<RecordedFrame, 'message'> | undefined): Request | undefined {
  return frame?.message.kind === 'request' ? frame.message : undefined;
}

// What the client waited for before each of its frames: which answers had come, how much of the
// session had been said, and whether its turn was over.

export interface Barrier {
  /** Requests of the client whose answers had come. */
  readonly answered: readonly RecordedFrame[];
  /** Of each session, and of the connection, what had been said. */
  readonly said: readonly SaidSince[];
  /** When the last frame before it crossed, in milliseconds. */
  readonly after: number;
}

export interface SaidSince {
  /** Undefined: what is about no session. */
  readonly session: string | undefined;
  /** Frames of the agent since the client's last about the same. */
  readonly frames: number;
  /** A turn was under way: the agent may be silent and yet not done. */
  readonly isBusy: boolean;
  /** v2: the session had said that it is idle. */
  readonly isIdle: boolean;
}

/** Before the frame at `place`; at the length of the recording: before the end. */
export function barrierAt({ frames }: Recorded, place: number): Barrier {
  const before = frames.slice(0, place);
  const answered = before.filter(
    ({ from, message, pair }) =>
      from === 'client' && message.kind === 'request' && pair !== undefined && pair < place,
  );
  const turns = new TurnReader();
  for (const frame of before) turns.take(frame, frame.message);
  const next = frames[place];
  const said = [...new Set(before.map(({ session }) => session))].map((session): SaidSince => {
    const own = before.filter((frame) => frame.session === session);
    const activity = turns.of(session ?? '');
    return {
      session,
      frames: own.length - 1 - own.findLastIndex(({ from }) => from === 'client'),
      // This frame does not wait for the end of other sessions' work.
      isBusy: isBusy(activity) && (next === undefined || next.session === session),
      isIdle: activity.state === 'idle' && isResting(activity),
    };
  });
  return { answered, said, after: before.at(-1)?.at ?? 0 };
}
