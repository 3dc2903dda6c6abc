// The way from the client to the agent, with what a scenario does to it: faults that befall lines, and
// answers that come late, twice, wrong or never. What the record holds is what was sent.
import { isArray, objects, str } from '../../acp/json.ts';
import {
  idKey,
  parseMessage,
  type Json,
  type JsonObject,
  type Message,
  type Request,
} from '../../acp/message.ts';
import { decodeUtf8, encodeUtf8 } from '../../lib/utf8.ts';
import type { Frame, Origin } from '../../trace/event.ts';
import { errorLine, permissionSelected, resultLine } from '../policy.ts';
import type { Driven, Ended } from '../peer.ts';
import type { Timers } from '../timers.ts';
import { fill, type Names } from './file/names.ts';
import type { AnswerRule, Fault, FaultRule, Wrong } from './file/scenario.ts';
import type { UnmetAnswer } from './report/words.ts';

interface Counted<T> {
  readonly rule: T;
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

export class FaultyWire implements Driven {
  readonly trace: string;
  readonly ended: Promise<Ended>;
  /** What could not be done, as a sentence. */
  problem: string | undefined;
  readonly #agent: Driven;
  readonly #timers: Timers;
  readonly #names: Names;
  readonly #faults: Counted<FaultRule>[] = [];
  readonly #answers: Counted<AnswerRule>[] = [];
  /** The agent's requests: the last by key of its id, and all. */
  readonly #asked = new Map<string, string>();
  readonly #methods: string[] = [];
  readonly #ruled = new Map<string, Ruled[]>();
  readonly #held: Ruled[] = [];
  /** Lines that wait for a line that is on its way slowly. */
  readonly #queue: (() => Promise<void> | undefined)[] = [];
  #isBusy = false;
  /** Held back until our next line is sent. */
  #swapped: (() => Promise<void> | undefined)[] = [];
  #next: Fault | undefined;
  #isStep = false;
  /** Lines of steps that were sent and are not yet in the record. */
  readonly #own: string[] = [];
  #isOver = false;

  constructor(agent: Driven, timers: Timers, names: Names) {
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

  addFault(rule: FaultRule): void {
    this.#faults.push({ rule, left: rule.times, isMet: false });
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

  /** Rules that found nothing to befall. */
  unmet(): { readonly faults: readonly FaultRule[]; readonly answers: readonly UnmetAnswer[] } {
    const rules = <T>(all: readonly Counted<T>[]) =>
      all.flatMap(({ rule, isMet }) => (isMet ? [] : [rule]));
    const asked = ({ method }: AnswerRule) =>
      this.#methods.filter((one) => isNamed(one, method)).length;
    return {
      faults: rules(this.#faults),
      answers: rules(this.#answers).map((rule) => ({ rule, asked: asked(rule) })),
    };
  }

  /** What is sent inside meets this fault and no other. */
  during<T>(fault: Fault | undefined, send: () => T): T {
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
    for (const put of this.#swapped.splice(0)) this.#enqueue(put);
    while (this.#isBusy && !this.#isOver) await pause(this.#timers, 1);
  }

  send(line: string, origin: Origin): void {
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
    this.#way(line, message, origin);
  }

  #hear(frame: Frame, message: Message): void {
    if (frame.from !== 'agent' || message.kind !== 'request') return;
    const key = idKey(message.id);
    this.#asked.set(key, message.method);
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
    const answer = rule.wrong === undefined ? said : wrongLine(request, rule.wrong, said);
    const put = () => {
      for (let left = rule.twice ? 2 : 1; left > 0; left--)
        this.#way(answer, parseMessage(answer), 'script');
    };
    if (rule.late === undefined) put();
    else this.#timers.later(rule.late, put);
  }

  #way(line: string, message: Message, origin: Origin): void {
    const fault = this.#faultOn(message, line);
    const isStep = this.#isStep;
    const put = (text: string) => () => {
      if (isStep) this.#own.push(text);
      this.#agent.send(text, origin);
      return undefined;
    };
    switch (fault?.kind) {
      case undefined:
        return this.#enqueue(put(line), true);
      case 'drop':
        return;
      case 'delay':
        this.#enqueue(() => pause(this.#timers, fault.ms));
        return this.#enqueue(put(line), true);
      case 'duplicate':
        for (let left = fault.more; left > 0; left--) this.#enqueue(put(line));
        return this.#enqueue(put(line), true);
      case 'reorder':
        this.#swapped.push(put(line));
        return;
      case 'truncate':
        return this.#enqueue(put(firstBytes(line, fault.bytes)), true);
      case 'split':
        return this.#enqueue(() => {
          const { split } = this.#agent;
          if (isStep) this.#own.push(line);
          if (split) return split(line, fault.bytes, fault.pause, origin);
          this.problem ??= 'This connection writes whole lines: split cannot be tried here.';
          this.#agent.send(line, origin);
          return undefined;
        }, true);
    }
  }

  #faultOn(message: Message, line: string): Fault | undefined {
    const fault = this.#dueOn(message);
    const { bytes } = fault && 'bytes' in fault ? fault : {};
    const length = encodeUtf8(line).length;
    if (bytes !== undefined && bytes >= length)
      this.problem ??= `${fault?.kind} ${bytes} leaves a line of ${length} bytes whole. Give fewer.`;
    return fault;
  }

  #dueOn(message: Message): Fault | undefined {
    if (this.#next !== undefined) return this.#next;
    const method = this.#methodOf(message);
    const counted = this.#faults.find(
      ({ rule, left }) =>
        left > 0 && (rule.on === undefined || (method !== undefined && isNamed(method, rule.on))),
    );
    if (counted) counted.left--;
    if (counted) counted.isMet = true;
    return counted?.rule.fault;
  }

  #methodOf(message: Message): string | undefined {
    switch (message.kind) {
      case 'request':
      case 'notification':
        return message.method;
      case 'success':
      case 'failure':
        return this.#asked.get(idKey(message.id));
      case 'invalid':
        return undefined;
    }
  }

  /** At once where nothing is on its way. `releases`: what waited for a next line follows it. */
  #enqueue(put: () => Promise<void> | undefined, releases = false): void {
    this.#queue.push(put);
    if (releases) this.#queue.push(...this.#swapped.splice(0));
    if (!this.#isBusy) this.#flow();
  }

  #flow(): void {
    for (let put = this.#queue.shift(); put; put = this.#queue.shift()) {
      const done = put();
      if (done === undefined) continue;
      this.#isBusy = true;
      void done.finally(() => {
        this.#isBusy = false;
        this.#flow();
      });
      return;
    }
  }
}

/** Whether a method is meant by a name that may end in `*`. */
function isNamed(method: string, name: string): boolean {
  return name.endsWith('*') ? method.startsWith(name.slice(0, -1)) : method === name;
}

function saidLine(
  { id, params }: Request,
  says: NonNullable<AnswerRule['says']>,
  names: Names,
): string {
  const line = (key: 'result' | 'error', value: Json) =>
    `{"jsonrpc":"2.0","id":${id.token},"${key}":${JSON.stringify(fill(value, names))}}`;
  switch (says.kind) {
    case 'result':
      return line('result', says.result);
    case 'error':
      return line('error', says.error);
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

const STRANGER = '"acp-scope-asked-by-nobody"';

function wrongLine(request: Request, wrong: Wrong, line: string): string {
  const { id } = request;
  switch (wrong) {
    case 'id': {
      const head = `{"jsonrpc":"2.0","id":${id.token},`;
      return `{"jsonrpc":"2.0","id":${STRANGER},${line.slice(head.length)}`;
    }
    case 'result':
      return `{"jsonrpc":"2.0","id":${id.token},"result":"wrong"}`;
    case 'both': {
      const message = parseMessage(line);
      const result = message.kind === 'success' && !isArray(message.result) ? message.result : {};
      const error = errorLine(id, -32603, 'Internal error');
      return `${error.slice(0, -1)},"result":${JSON.stringify(result)}}`;
    }
  }
}

/** A character is whole or not there. */
function firstBytes(line: string, most: number): string {
  const bytes = encodeUtf8(line);
  for (let end = Math.min(most, bytes.length); end > 0; end--) {
    const text = decodeUtf8(bytes.subarray(0, end));
    if (text !== undefined) return text;
  }
  return '';
}

function pause(timers: Timers, ms: number): Promise<void> {
  return new Promise((resolve) => void timers.later(ms, resolve));
}
