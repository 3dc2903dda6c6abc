// Recorded answers to what the live agent asks: each goes out when its turn has come, which is behind
// all that the recorded client sent between question and answer, after the recorded pause.
import type { Timers } from '../timers.ts';
import type { Reply } from './asked-by-agent.ts';
import type { Speed } from './manner.ts';
import type { Recorded, RecordedFrame } from './recorded.ts';

export interface DueAnswersOptions {
  readonly recorded: Recorded;
  readonly speed: Speed;
  readonly timers: Timers;
  readonly wasSent: (frame: RecordedFrame) => boolean;
  readonly isOver: () => boolean;
  readonly say: (frame: RecordedFrame, line: string) => void;
}

export class DueAnswers {
  readonly #options: DueAnswersOptions;
  #waiting: readonly Reply[] = [];

  constructor(options: DueAnswersOptions) {
    this.#options = options;
  }

  add(reply: Reply): void {
    this.#waiting = [...this.#waiting, reply];
    this.flush();
  }

  /** Something was sent: others may be due. */
  flush(): void {
    const all = this.#waiting;
    const due = all.filter((reply) => this.#isDue(reply));
    this.#waiting = all.filter((reply) => !due.includes(reply));
    for (const reply of due) this.#send(reply);
  }

  #send({ frame, line }: Reply): void {
    const { recorded, speed, timers, isOver, say } = this.#options;
    if (!frame || !line) return;
    const asked = recorded.frames[frame.pair ?? 0]?.at ?? frame.at;
    const pause = speed === 'max' ? 0 : (frame.at - asked) / speed;
    if (pause <= 0) say(frame, line());
    else timers.later(pause, () => (isOver() ? undefined : say(frame, line())));
  }

  #isDue({ frame }: Reply): boolean {
    const { recorded, wasSent } = this.#options;
    return recorded.frames
      .slice((frame?.pair ?? 0) + 1, frame?.place)
      .every(
        (one) =>
          one.from !== 'client' ||
          one.session !== frame?.session ||
          one.message.kind === 'success' ||
          one.message.kind === 'failure' ||
          wasSent(one),
      );
  }
}
