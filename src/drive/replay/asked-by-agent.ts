// What the live agent asks of the client, found in the recording by method and content, and
// answered as the recorded client did.
import { CODE, type Request } from '../../acp/message.ts';
import { get, objects, str } from '../../acp/json.ts';
import { errorLine, resultLine } from '../../acp/lines.ts';
import { cancelResult } from '../policy.ts';
import type { Bindings } from './bindings.ts';
import {
  compareValues,
  type ValueDifference,
  differenceWords,
  type ReplayNote,
} from './differences.ts';
import { withStrings, withToken } from '../adapt/line-edit.ts';
import type { ReplaySpeed } from './strictness.ts';
import { requestOf, type Recorded, type RecordedFrame } from './recorded.ts';
import type { Timers } from '../timers.ts';
import { offeredOption } from '../../model/facts/permission.ts';

interface Reply {
  /** The recorded answer; undefined: none is due, or it is made up. */
  readonly frame: RecordedFrame | undefined;
  /** Undefined: the recorded client left it open, and so is it now. */
  readonly line: (() => string) | undefined;
  readonly note: ReplayNote | undefined;
}

/** What must be the same for a recorded answer to fit, besides the session. */
const ESSENTIAL: Readonly<Record<string, readonly string[]>> = {
  'fs/read_text_file': ['/path'],
  'fs/write_text_file': ['/path'],
  'terminal/create': ['/command', '/args'],
  'terminal/output': ['/terminalId'],
  'terminal/wait_for_exit': ['/terminalId'],
  'terminal/kill': ['/terminalId'],
  'terminal/release': ['/terminalId'],
  'elicitation/create': ['/mode'],
};

/** Asked again, these have the same answer. */
const REPEATABLE = /^(?:fs\/read|terminal\/(?:output|wait_for_exit|kill|release)$)/;

export class AskedByAgent {
  readonly #recorded: Recorded;
  readonly #bindings: Bindings;
  readonly #taken = new Set<number>();

  constructor(recorded: Recorded, bindings: Bindings) {
    this.#recorded = recorded;
    this.#bindings = bindings;
  }

  reply(request: Request): Reply {
    const found = this.#find(request);
    if (!found) return this.#madeUp(request);
    const { frame, differences } = found;
    this.#taken.add(frame.place);
    const answer = frame.pair === undefined ? undefined : this.#recorded.frames[frame.pair];
    const told = differences.filter(({ path }) => !this.#isName(path));
    const note =
      told.length > 0 && !REPEATABLE.test(request.method)
        ? noteOf(
            'tolerated',
            request,
            `The agent asked ${request.method} otherwise than in #${frame.seq}: ${differenceWords(told)}. It was answered as then.`,
            frame,
            told,
          )
        : undefined;
    if (!answer) return { frame: undefined, line: undefined, note };
    const option = chosen(request, frame, answer);
    if (option === 'none') return this.#madeUp(request, frame);
    return { frame: answer, line: () => this.#line(request, answer, option), note };
  }

  #find(
    request: Request,
  ): { frame: RecordedFrame; differences: readonly ValueDifference[] } | undefined {
    const { method, params } = request;
    const essential = ESSENTIAL[method] ?? [];
    const isOther = ({ path }: ValueDifference) =>
      path === '/sessionId' || essential.some((at) => path === at || path.startsWith(`${at}/`));
    const fitting = this.#recorded.frames
      .filter((frame) => frame.from === 'agent' && requestOf(frame)?.method === method)
      .filter(({ place }) => !this.#taken.has(place) || REPEATABLE.test(method))
      .map((frame) => {
        const options = { bindings: this.#bindings, tieSessions: false };
        const { differences } = compareValues(requestOf(frame)?.params, params, options);
        const counted = differences.filter(({ path }) => !this.#isName(path)).length;
        return { frame, differences, counted, isTaken: this.#taken.has(frame.place) };
      })
      .filter(({ differences }) => !differences.some(isOther));
    // Free ones first; of those asked before, the last.
    return fitting.sort(
      (a, b) =>
        Number(a.isTaken) - Number(b.isTaken) ||
        a.counted - b.counted ||
        (a.isTaken ? b.frame.place - a.frame.place : a.frame.place - b.frame.place),
    )[0];
  }

  /** Ids of now, and what is for nobody. */
  #isName(path: string): boolean {
    const key = path.slice(path.lastIndexOf('/') + 1);
    return this.#bindings.isMade(key) || /(?:^|\/)_meta(?:\/|$)/.test(path);
  }

  #line({ id }: Request, answer: RecordedFrame, option: string | undefined): string {
    const line = withToken(this.#bindings.toLive(answer.text), ['id'], id.token);
    if (option === undefined) return line;
    return withStrings(line, (key, said) => (key === 'optionId' ? option : said));
  }

  /** The policy for what was not recorded: cancelled, where the method has a word for it. */
  #madeUp(request: Request, frame?: RecordedFrame): Reply {
    const { id, method } = request;
    const result = cancelResult(method);
    const why = frame
      ? `offers no option like the one chosen in #${frame.seq}`
      : 'is not in the recording';
    const how = result ? 'cancelled' : 'with an error';
    const sentence = `What the agent asks by ${method} ${why}; it was answered ${how}.`;
    const line = result
      ? resultLine(id, result)
      : errorLine(id, {
          code: CODE.internalError,
          message: `${method} is not in the recording that is replayed.`,
        });
    return {
      frame: undefined,
      line: () => line,
      note: noteOf('mismatch', request, sentence, frame),
    };
  }
}

function noteOf(
  kind: ReplayNote['kind'],
  { method }: Request,
  sentence: string,
  frame: RecordedFrame | undefined,
  differences: readonly ValueDifference[] = [],
): ReplayNote {
  return { kind, method, ...(frame && { recorded: frame.seq }), sentence, differences };
}

/** The live option for the recorded choice: by its id, else by its kind. Undefined: no choice. */
function chosen(
  { method, params }: Request,
  frame: RecordedFrame,
  { message }: RecordedFrame,
): string | 'none' | undefined {
  if (method !== 'session/request_permission' || message.kind !== 'success') return undefined;
  const outcome = get(message.result, 'outcome');
  const optionId = str(outcome, 'optionId');
  if (optionId === undefined) return undefined;
  if (offeredOption(params, optionId)) return optionId;
  const kind = str(offeredOption(requestOf(frame)?.params, optionId), 'kind');
  const same = objects(params, 'options').find(
    (option) => kind !== undefined && str(option, 'kind') === kind,
  );
  return str(same, 'optionId') ?? 'none';
}

// Recorded answers to what the live agent asks: each goes out when its turn has come, which is behind
// all that the recorded client sent between question and answer, after the recorded pause.

interface DueAnswersOptions {
  readonly recorded: Recorded;
  readonly speed: ReplaySpeed;
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
    if (!(pause > 0)) say(frame, line());
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
