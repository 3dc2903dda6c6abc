// A recording turned into a scenario: what the client sent becomes steps, how it answered becomes
// answers, what it waited for becomes expectations, and ids of the agent become names.
import {
  clientOffer,
  knownVersion,
  nearestVersion,
  protocolVersionIn,
} from '../../../acp/handshake.ts';
import { isYes } from '../../../acp/gate.ts';
import { get, isArray, isObject, obj, objects, str } from '../../../acp/json.ts';
import type { Json, JsonObject, Message, Request } from '../../../acp/message.ts';
import { assertNever } from '../../../lib/assert-never.ts';
import { saidBy } from '../../../model/timeline/digest.ts';
import { isMember, type Seq, type TraceEvent } from '../../../trace/event.ts';
import { fidelityOf } from '../../../model/fidelity/fidelity.ts';
import { literal, literalText } from './names.ts';
import type { RestoreVerdict } from '../../../model/restore/restore-verdict.ts';
import type { RecordedTrace } from '../assert/record.ts';
import { TurnEnds } from '../../../model/indexed-trace.ts';
import { pointerPart } from '../../../acp/json-pointer.ts';
import { offeredOption } from '../../../model/facts/permission.ts';

type Draft = Record<string, Json>;

/** A step at its place of the trace; those that send move the mark expectations count from. */
interface Entry {
  readonly place: number;
  readonly step: Draft;
  readonly sends: boolean;
}

interface FromOptions {
  readonly name?: string;
  /** Where an editor finds the schema. */
  readonly schema?: string;
}

/** The document, as it is written to a file. `traces`: one a connection, in order. */
export function scenarioFrom(
  traces: readonly RecordedTrace[],
  { name, schema }: FromOptions = {},
): JsonObject {
  const recalled = new Recalled();
  const parts = traces.map((trace) => new Connection(trace, recalled));
  const first = parts[0];
  const last = fidelityOf(traces).windows.at(-1)?.restored;
  const steps = parts.flatMap((part, at) => {
    const own = part.steps();
    if (at === 0) return own;
    const kill = endOf(traces[at - 1]);
    const { protocol, handshake } = part;
    return [
      ...(kill === undefined ? [] : [{ kill }]),
      {
        restart: true,
        ...(protocol !== undefined && protocol !== parts[at - 1]?.protocol && { protocol }),
        ...(handshake !== parts[at - 1]?.handshake && { handshake }),
      },
      ...own,
    ];
  });
  return {
    ...(schema !== undefined && { $schema: schema }),
    ...(name !== undefined && { name }),
    ...(first?.protocol !== undefined && { protocol: first.protocol }),
    ...(first && !first.handshake && { handshake: false }),
    ...(first?.capabilities && { capabilities: first.capabilities }),
    ...(first?.subagents && { subagents: true }),
    steps,
    assert: last === undefined ? [] : assertsOf(last),
  };
}

/** What was as due is asked for again. What was not is a fault that is to be gone. */
function assertsOf(verdict: RestoreVerdict): readonly string[] {
  switch (verdict) {
    case 'restored-without-replay':
    case 'replayed-from-start':
    case 'replayed-from-cursor':
    case 'rejected-as-due':
      return [`restore(last) = ${verdict}`];
    case 'open':
    case 'incomplete':
    case 'undecidable':
      return [];
    default:
      return [`restore(last) != ${verdict}`];
  }
}

function endOf(trace: RecordedTrace | undefined): string | undefined {
  const exit = trace?.events.find((event) => event.type === 'exit');
  // It may have ended in its own way, and no system but POSIX ones tells of a signal.
  const signals = exit?.type === 'exit' ? [exit.sent, exit.signal] : [];
  return signals.find((signal) => signal === 'SIGKILL' || signal === 'SIGTERM');
}

class Connection {
  readonly protocol: 1 | 2 | undefined;
  readonly subagents: boolean;
  readonly handshake: boolean;
  readonly capabilities: JsonObject | undefined;
  readonly #trace: RecordedTrace;
  readonly #recalled: Recalled;
  /** Events at the places of the index: the messages of an array follow it. */
  readonly #events: readonly TraceEvent[];
  readonly #messages: readonly (Message | undefined)[];
  readonly #initialize: number;
  /** By the seq of each prompt: the place where its turn ends. */
  readonly #ends = new Map<Seq, number>();
  readonly #entries: Entry[] = [];

  constructor(trace: RecordedTrace, recalled: Recalled) {
    this.#trace = trace;
    this.#recalled = recalled;
    for (const [place, { prompts }] of new TurnEnds(trace).all())
      for (const { seq } of prompts) this.#ends.set(seq, place);
    const { index, eventAt } = trace;
    this.#events = Array.from({ length: index.length }, (_, place) => eventAt(place));
    this.#messages = this.#events.map((event) => saidBy(event));
    const opening = this.#events.findIndex(
      (event, place) => isOurs(event) && !this.#isArray(place),
    );
    const message = this.#messages[opening];
    const params =
      message?.kind === 'request' && message.method === 'initialize' ? message.params : undefined;
    this.handshake = params !== undefined;
    this.#initialize = this.handshake ? opening : -1;
    const version = protocolVersionIn(params);
    const [v1, v2] = [clientOffer(params, 1), clientOffer(params, 2)];
    // In the shapes of both: it asked for the highest.
    const isBoth = v1 !== undefined && v2 !== undefined;
    this.protocol = isBoth ? undefined : knownVersion(version);
    this.capabilities = nearestVersion(version) === 1 ? v1 : v2;
    this.subagents = isBoth && isYes(v1['subagents']);
  }

  steps(): Draft[] {
    const events = this.#events;
    const start = events.find((event) => event.type === 'start');
    if (start?.type === 'start') this.#recalled.folder(start.cwd);
    for (const [place, event] of events.entries()) {
      const message = this.#messages[place];
      if (event.type !== 'frame' || message === undefined || this.#isArray(place)) continue;
      if (event.from === 'agent') this.#heard(place, message);
      else if (place !== this.#initialize) this.#sent(place, event, message);
    }
    this.#waitFor(events.length, true);
    return this.#assembled();
  }

  #sent(place: number, event: TraceEvent, message: Message): void {
    switch (message.kind) {
      case 'request':
      case 'notification': {
        this.#waitFor(place, false);
        const params = message.params === undefined ? {} : this.#named(message.params);
        const key = message.kind === 'request' ? 'request' : 'notify';
        this.#add(place, { [key]: message.method, params }, true);
        return;
      }
      case 'invalid':
        if (event.type !== 'frame' || !('text' in event.line)) return;
        this.#waitFor(place, false);
        this.#add(place, { line: literalText(event.line.text) }, true);
        return;
      case 'success':
      case 'failure': {
        const asked = this.#trace.index.columns.partnerOf(place);
        const request = asked === undefined ? undefined : this.#messages[asked];
        if (asked === undefined || request?.kind !== 'request') return;
        const body =
          message.kind === 'failure'
            ? { error: literal({ ...message.error }) }
            : saysOf(request, message.result);
        this.#add(this.#before(asked), { answer: request.method, ...body }, false);
        return;
      }
      default:
        assertNever(message);
    }
  }

  #heard(place: number, message: Message): void {
    const { columns } = this.#trace.index;
    if (message.kind === 'request' && columns.partnerOf(place) === undefined)
      this.#add(this.#before(place), { answer: message.method, never: true }, false);
    const request = columns.partnerOf(place);
    const asking = this.#entries.find((entry) => entry.place === request);
    for (const { value, key, pointer } of sourcesIn(message))
      this.#recalled.learn(value, key, (name) => {
        if (asking) return capture(asking.step, name, pointer);
        const known = this.#entries.find(
          (entry) => entry.place === place && 'expect' in entry.step,
        );
        const step = known?.step ?? { expect: this.#queryOf(place) };
        if (!known) this.#add(place, step, false);
        capture(step, name, pointer);
      });
  }

  /** Just before the step during which the agent asked. */
  #before(place: number): number {
    const sent = this.#entries.findLast((entry) => entry.sends && entry.place < place);
    return (sent?.place ?? place) - 0.5;
  }

  /** What was still under way when the client went on is not waited for; what came last is. */
  #waitFor(until: number, isEnd: boolean): void {
    const { index } = this.#trace;
    const open = this.#entries.filter(
      ({ place, step }) => 'request' in step && !('wait' in step) && !this.#isOver(place, until),
    );
    if (open.length === 0) return;
    for (const { step } of open) step['wait'] = false;
    const sent = this.#entries.findLast((entry) => entry.sends)?.place ?? -1;
    const last = this.#events.findLastIndex(
      (event, place) =>
        place < until && place > sent && event.type === 'frame' && event.from === 'agent',
    );
    if (last < 0 || (isEnd && index.columns.partnerOf(last) !== undefined)) return;
    if (!this.#entries.some(({ place, step }) => place === last && 'expect' in step))
      this.#add(last, { expect: this.#queryOf(last) }, false);
  }

  /** A request is answered, and the turn of a prompt has ended, before `until`. */
  #isOver(place: number, until: number): boolean {
    const { columns } = this.#trace.index;
    const answer = columns.partnerOf(place);
    if (answer === undefined || answer >= until) return false;
    const isPrompt = columns.nameOf(place) === 'session/prompt';
    return !isPrompt || (this.#ends.get(columns.seqOf(place)) ?? Infinity) < until;
  }

  #queryOf(place: number): string {
    const { columns } = this.#trace.index;
    const name = columns.nameOf(place);
    const kind = columns.kindOf(place);
    if (kind === 'bad') return 'side:agent type:bad';
    const field = this.#isUpdate(place) ? 'update' : 'method';
    return `side:agent type:${kind} ${field}:${name}`;
  }

  #isUpdate(place: number): boolean {
    const message = this.#messages[place];
    return (
      message?.kind === 'notification' &&
      message.method === 'session/update' &&
      obj(message.params, 'update') !== undefined
    );
  }

  #named(value: Json): Json {
    if (typeof value === 'string') return this.#recalled.nameFor(value);
    if (isArray(value)) return value.map((item) => this.#named(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#named(item)]));
  }

  #add(place: number, step: Draft, sends: boolean): void {
    this.#entries.push({ place, step, sends });
  }

  /** In the order of the trace; an expectation says the how-manieth it is since the mark. */
  #assembled(): Draft[] {
    const entries = this.#entries.toSorted((a, b) => a.place - b.place);
    let mark = -1;
    for (const { place, step, sends } of entries) {
      if (sends) mark = place;
      if (!('expect' in step)) continue;
      let nth = 0;
      for (let at = mark + 1; at <= place; at++)
        if (
          this.#messages[at] !== undefined &&
          this.#isAgent(at) &&
          !this.#isArray(at) &&
          this.#queryOf(at) === step['expect']
        )
          nth++;
      if (nth > 1) step['nth'] = nth;
      mark = place;
    }
    return entries.map(({ step }) => step);
  }

  /** True if the messages of the frame are at the places after it. */
  #isArray(place: number): boolean {
    const [event, next] = [this.#events[place], this.#events[place + 1]];
    return !!event && !!next && !isMember(event) && isMember(next);
  }

  #isAgent(place: number): boolean {
    const event = this.#events[place];
    return event?.type === 'frame' && event.from === 'agent';
  }
}

function isOurs(event: TraceEvent): boolean {
  return event.type === 'frame' && event.from === 'client';
}

function capture(step: Draft, name: string, pointer: string): void {
  const known = step['capture'];
  step['capture'] = { ...(isObject(known) && known), [name]: pointer };
}

/** A permission is told by the kind of its option, where only one has it. */
function saysOf({ params }: Request, result: Json): JsonObject {
  const chosen = str(get(result, 'outcome'), 'optionId');
  if (chosen === undefined) return { result: literal(result) };
  const options = objects(params, 'options');
  const kind = str(offeredOption(params, chosen), 'kind');
  const isOne = options.filter((option) => str(option, 'kind') === kind).length === 1;
  return { select: kind !== undefined && isOne ? kind : chosen };
}

interface IdSource {
  readonly value: string;
  /** The key it stands under. */
  readonly key: string;
  /** In the whole message. */
  readonly pointer: string;
}

/** Ids and list cursors that a message of the agent gives. */
function sourcesIn(message: Message): readonly IdSource[] {
  if (message.kind === 'success') return [...idsIn(message.result, '/result', '')];
  if (message.kind === 'notification' || message.kind === 'request')
    return [...idsIn(message.params ?? null, '/params', '')];
  return [];
}

function* idsIn(value: Json, pointer: string, key: string): Generator<IdSource> {
  if (typeof value === 'string') {
    if (/Id$|[cC]ursor$/.test(key) && value !== '') yield { value, key, pointer };
  } else if (isArray(value)) {
    for (const [at, item] of value.entries()) yield* idsIn(item, `${pointer}/${at}`, key);
  } else if (isObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      yield* idsIn(item, `${pointer}/${pointerPart(name)}`, name);
    }
  }
}

interface Known {
  readonly key: string;
  readonly capture: (name: string) => void;
  name: string | undefined;
}

class Recalled {
  readonly #known = new Map<string, Known>();
  readonly #names = new Set<string>(['$cwd', '$sessionId']);
  #folder: string | undefined;

  folder(path: string): void {
    this.#folder ??= path;
  }

  /** `capture` is called once, if the value is used. The first that gives it counts. */
  learn(value: string, key: string, capture: (name: string) => void): void {
    if (!this.#known.has(value)) this.#known.set(value, { key, capture, name: undefined });
  }

  /** What stands for this text: a name, a text with the folder's name in it, or itself. */
  nameFor(text: string): Json {
    const known = this.#known.get(text);
    if (known) {
      if (known.name === undefined) {
        known.name = this.#newName(known.key);
        known.capture(known.name);
      }
      return known.name;
    }
    const folder = this.#folder;
    if (folder === undefined || folder === '/') return literal(text);
    if (text === folder) return '$cwd';
    return text.startsWith(`${folder}/`)
      ? `\${cwd}${literalText(text.slice(folder.length))}`
      : literal(text);
  }

  /** `$session`, `$message2`: `$sessionId` is what the last answer gave, whatever it was. */
  #newName(key: string): string {
    const stem = `$${key.replace(/Id$/, '').replace(/\W/g, '') || 'id'}`;
    for (let number = 1; ; number++) {
      const name = number === 1 ? stem : `${stem}${number}`;
      if (this.#names.has(name)) continue;
      this.#names.add(name);
      return name;
    }
  }
}
