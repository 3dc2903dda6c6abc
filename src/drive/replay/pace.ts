// What the client waited for before each of its frames: which answers had come, how much of the
// session had been said, and whether its turn was over.
import { get, str } from '../../acp/json.ts';
import { updateOf } from '../../acp/update.ts';
import { requestOf, type Recorded, type RecordedFrame } from './recorded.ts';

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
  const sessions = new Set(before.map(({ session }) => session));
  const next = frames[place];
  const said = [...sessions].map((session) => {
    const since = saidSince(before, session);
    // What others are at is nothing that this frame waits for to end.
    const isOther = next !== undefined && next.session !== session;
    return isOther ? { ...since, isBusy: false } : since;
  });
  return { answered, said, after: before.at(-1)?.at ?? 0 };
}

function saidSince(before: readonly RecordedFrame[], session: string | undefined): SaidSince {
  let frames = 0;
  let state: string | undefined;
  let open = 0;
  for (const frame of before) {
    if (frame.session !== session) continue;
    if (frame.from === 'client') frames = 0;
    else frames++;
    if (requestOf(frame)?.method === 'session/prompt') {
      if (frame.pair === undefined || frame.pair >= before.length) open++;
      state = undefined;
    }
    state = stateSaid(frame) ?? state;
  }
  const isRunning = state !== undefined && state !== 'idle';
  return { session, frames, isBusy: open > 0 || isRunning, isIdle: state === 'idle' };
}

/** v2: the state that a frame says its session is in. */
export function stateSaid({ message }: Pick<RecordedFrame, 'message'>): string | undefined {
  if (message.kind !== 'notification' || message.method !== 'session/update') return undefined;
  const read = updateOf(message.params);
  return read?.variant === 'state_update' ? str(get(message.params, 'update'), 'state') : undefined;
}
