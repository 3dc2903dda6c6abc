// The way from the client to the agent, with what a scenario does to it: a fault that befalls the line of a
// step, which is a rule of the intercept's engine, and answers that come late, twice, wrong or never. What the record
// holds is what was sent.
import { wrongLine } from '../../acp/answers.ts';
import { objects, str } from '../../acp/json.ts';
import {
  idKey,
  parseMessage,
  type JsonObject,
  type Message,
  type Request,
} from '../../acp/message.ts';
import { decodeUtf8, encodeUtf8, utf8Size } from '../../lib/utf8.ts';
import { messagesOfFrame } from '../../model/timeline/digest.ts';
import type { Frame, Seq } from '../../trace/event.ts';
import { InterceptEngine, type Effect } from '../intercept/engine.ts';
import type { Acting, InterceptAction } from '../intercept/table.ts';
import { errorLine, resultLine } from '../../acp/lines.ts';
import { permissionSelected } from '../policy.ts';
import type { Driven, Ended } from '../peer.ts';
import type { Timers } from '../timers.ts';
import { fill, type NamedValues } from './file/names.ts';
import type { AnswerRule, LineFault } from './file/scenario.ts';
import type { UnmetAnswer } from './report/words.ts';

type Split = Extract<LineFault, { readonly kind: 'split' }>;

interface Counted {
  readonly rule: AnswerRule;
  left: number;
  isMet: boolean;
}

/** A request of the agent that a rule answers. */
interface Ruled {
  readonly request: Request;
  readonly rule: AnswerRule;
  /** What a client without a script would say; it stands behind `never`. */
  line: string | undefined;
}

export class Wire implements Driven {
  readonly trace: string;
  readonly ended: Promise<Ended>;
  /** What could not be done, as a sentence. */
  problem: string | undefined;
  readonly #agent: Driven;
  readonly #timers: Timers;
  readonly #names: NamedValues;
  readonly #answers: Counted[] = [];
  /** Of all the agent's requests. */
  readonly #methods: string[] = [];
  readonly #ruled = new Map<string, Ruled[]>();
  readonly #held: Ruled[] = [];
  /** Nothing of ours is injected, so that nothing asks for an id. */
  readonly #engine = new InterceptEngine(() => '');
  #callOff: (() => void) | undefined;
  /** Those that go out in two writes. */
  readonly #splits = new WeakMap<Uint8Array, Split>();
  /** Lines that wait for one that is half written; undefined: none is. */
  #behind: Uint8Array[] | undefined;
  #next: LineFault | undefined;
  #isStep = false;
  /** Bytes of lines of steps; what is cut off of one shares them. */
  readonly #steps = new WeakSet<ArrayBufferLike>();
  /** Lines of steps that were sent and are not yet in the record. */
  readonly #own: string[] = [];
  #isOver = false;

  constructor(agent: Driven, timers: Timers, names: NamedValues) {
    this.#agent = agent;
    this.#timers = timers;
    this.#names = names;
    this.trace = agent.trace;
    this.ended = agent.ended;
    void agent.ended.then(() => (this.#isOver = true));
    agent.receive((frame, message) => this.#hear(frame, message));
  }

  receive(listener: (frame: Frame, message: Message) => void): () => void {
    return this.#agent.receive(listener);
  }

  onRefused(listener: (of: Seq, why: string) => boolean): void {
    this.#agent.onRefused?.(listener);
  }

  end(): void {
    this.#agent.end();
  }

  signal(name: 'SIGTERM' | 'SIGKILL'): void {
    this.#agent.signal(name);
  }

  /** False: this transport cannot be cut. */
  cut(): boolean {
    this.#agent.cut?.();
    return this.#agent.cut !== undefined;
  }

  /** Puts these rules in force, or none. Resolves with a sentence if they are not in force; undefined: they are. */
  async steer(rules: string | undefined): Promise<string | undefined> {
    const { intercept } = this.#agent;
    return intercept
      ? await intercept(rules)
      : 'Nothing here can alter what crosses. Run it from the command line or the page.';
  }

  /** Answers what is held open first, and then what comes. */
  addAnswer(rule: AnswerRule): void {
    let left = rule.times;
    let isMet = false;
    for (const held of rule.never ? [] : [...this.#held]) {
      if (left < 1 || !isNamed(held.request.method, rule.method)) continue;
      left--;
      isMet = true;
      this.#held.splice(this.#held.indexOf(held), 1);
      if (held.line !== undefined) this.#answer({ ...held, rule });
    }
    this.#answers.push({ rule, left, isMet });
  }

  /** Answers that were never given. */
  unmet(): readonly UnmetAnswer[] {
    return this.#answers.flatMap(({ rule, isMet }) => {
      const asked = this.#methods.filter((one) => isNamed(one, rule.method)).length;
      return isMet ? [] : [{ rule, asked }];
    });
  }

  /** What is sent inside meets this fault and no other. */
  during<T>(fault: LineFault | undefined, send: () => T): T {
    this.#next = fault;
    this.#isStep = true;
    try {
      return send();
    } finally {
      this.#next = undefined;
      this.#isStep = false;
    }
  }

  /** Whether a line of the record is one that a step sent; asked once of each. */
  isOwn(line: string): boolean {
    const at = this.#own.indexOf(line);
    if (at >= 0) this.#own.splice(at, 1);
    return at >= 0;
  }

  /** Resolves when nothing of ours is on its way any more; what waits for a next line is sent. */
  async settled(): Promise<void> {
    while (!this.#isOver && (this.#behind || this.#engine.next !== undefined))
      await pause(this.#timers, 1);
    this.#do(this.#engine.flush('client'));
  }

  send(line: string): void {
    const message = parseMessage(line);
    if (message.kind === 'success' || message.kind === 'failure') {
      const ruled = this.#ruled.get(idKey(message.id))?.shift();
      if (ruled) {
        ruled.line = line;
        if (ruled.rule.never) this.#held.push(ruled);
        else this.#answer(ruled);
        return;
      }
    }
    this.#way(line, message);
  }

  #hear(frame: Frame, message: Message): void {
    if (frame.from !== 'agent') return;
    for (const one of messagesOfFrame(frame, message)) if (one.kind === 'request') this.#asked(one);
  }

  #asked(message: Request): void {
    const key = idKey(message.id);
    this.#methods.push(message.method);
    const counted = this.#answers.find(
      ({ rule, left }) => left > 0 && isNamed(message.method, rule.method),
    );
    if (!counted) return;
    counted.left--;
    counted.isMet = true;
    const ruled: Ruled = { request: message, rule: counted.rule, line: undefined };
    const same = this.#ruled.get(key);
    if (same) same.push(ruled);
    else this.#ruled.set(key, [ruled]);
  }

  #answer({ request, rule, line = '' }: Ruled): void {
    const said = rule.says === undefined ? line : saidLine(request, rule.says, this.#names);
    if (rule.says?.kind === 'select') this.problem ??= unoffered(request, rule.says.option);
    const answer = rule.wrong === undefined ? said : wrongLine(request.id.token, rule.wrong, said);
    const put = () => {
      for (let left = rule.twice ? 2 : 1; left > 0; left--) this.#way(answer, parseMessage(answer));
    };
    if (rule.late === undefined) put();
    else this.#timers.later(rule.late, put);
  }

  #way(line: string, message: Message): void {
    const fault = this.#faultOn(line);
    const bytes = encodeUtf8(line);
    if (fault?.kind === 'split') this.#splits.set(bytes, fault);
    const matched = fault && fault.kind !== 'split' ? [ruleOf(fault, bytes)] : [];
    const frame = { line: bytes, message, matched, behind: [] };
    if (this.#isStep) this.#steps.add(bytes.buffer);
    this.#do(this.#engine.take({ from: 'client', origin: 'script', ...frame }, this.#timers.now()));
  }

  #faultOn(line: string): LineFault | undefined {
    const fault = this.#next;
    const { bytes } = fault && 'bytes' in fault ? fault : {};
    const length = utf8Size(line);
    if (bytes !== undefined && bytes >= length)
      this.problem ??= `${fault?.kind} ${bytes} leaves a line of ${length} bytes whole. Give fewer.`;
    return fault;
  }

  #do(effects: readonly Effect[]): void {
    for (const effect of effects) if (effect.do === 'send') this.#put(effect.line);
    this.#callOff?.();
    const { next } = this.#engine;
    const timers = this.#timers;
    this.#callOff =
      next === undefined
        ? undefined
        : timers.later(Math.max(0, next - timers.now()), () =>
            this.#do(this.#engine.tick(timers.now())),
          );
  }

  #put(bytes: Uint8Array): void {
    if (this.#behind) return void this.#behind.push(bytes);
    const line = decodeUtf8(bytes) ?? '';
    if (this.#steps.has(bytes.buffer)) this.#own.push(line);
    const asked = this.#splits.get(bytes);
    const { split } = this.#agent;
    if (!asked || !split) {
      if (asked) this.problem ??= 'This connection writes whole lines: split cannot be tried here.';
      return this.#agent.send(line, 'script');
    }
    const behind: Uint8Array[] = [];
    this.#behind = behind;
    void split(line, asked.bytes, asked.pause, 'script').finally(() => {
      this.#behind = undefined;
      for (const next of behind) this.#put(next);
    });
  }
}

/** What the engine does to this line. */
function ruleOf(fault: Exclude<LineFault, Split>, line: Uint8Array): Acting {
  return { name: fault.kind, action: actionOf(fault, line), times: 1, every: 1, skip: 0 };
}

function actionOf(fault: Exclude<LineFault, Split>, line: Uint8Array): InterceptAction {
  switch (fault.kind) {
    case 'reorder':
      return { ...fault, behind: undefined, deadline: Infinity };
    case 'truncate':
      return { ...fault, bytes: wholeIn(line, fault.bytes) };
    default:
      return fault;
  }
}

/** A character is whole or not there. */
function wholeIn(line: Uint8Array, most: number): number {
  let end = Math.min(most, line.length);
  while (((line[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}

/** Whether a method is meant by a name that may end in `*`. */
function isNamed(method: string, name: string): boolean {
  return name.endsWith('*') ? method.startsWith(name.slice(0, -1)) : method === name;
}

function saidLine(
  { id, params }: Request,
  says: NonNullable<AnswerRule['says']>,
  names: NamedValues,
): string {
  switch (says.kind) {
    case 'result':
      return resultLine(id, fill(says.result, names));
    case 'error':
      return errorLine(id, fill(says.error, names));
    case 'select': {
      const chosen = objects(params, 'options').find((option) => isMeant(option, says.option));
      return resultLine(id, permissionSelected(str(chosen, 'optionId') ?? says.option));
    }
  }
}

/** By its kind or its id. */
function isMeant(option: JsonObject, name: string): boolean {
  return str(option, 'kind') === name || str(option, 'optionId') === name;
}

/** Undefined: the option was offered. */
function unoffered({ method, params }: Request, name: string): string | undefined {
  const options = objects(params, 'options');
  if (options.some((option) => isMeant(option, name))) return undefined;
  const offered = options.map(
    (option) => `${str(option, 'kind') ?? 'no kind'} (${str(option, 'optionId') ?? 'no id'})`,
  );
  return `${method} offered no ${name}; it offered ${offered.join(', ') || 'nothing'}. To answer with another, write a result.`;
}

function pause(timers: Timers, ms: number): Promise<void> {
  return new Promise((resolve) => void timers.later(ms, resolve));
}
