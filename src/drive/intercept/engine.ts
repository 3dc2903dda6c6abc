// What becomes of each frame under the rules of an intercept: a frame in, what is to be done out. It
// has no clock, no timer and no stream of its own, so that tap, relay, scenario and tests run the same.
// Rules are taken in their order; each that matches acts on what the one before it left, and a frame
// that is held, moved, dropped or answered meets no more of them. Nothing is lost that no rule names.
import { idKey, type Message, parseMessage } from '../../acp/message.ts';
import { parseJson, isObject } from '../../acp/json.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { defined } from '../../lib/defined.ts';
import { encodeUtf8, decodeUtf8 } from '../../lib/utf8.ts';
import { otherSide, type InterceptDeed, type Origin, type Side } from '../../trace/event.ts';
import { answerLine, bareLine, valueSpan, withKey, withoutKey } from '../adapt/line-edit.ts';
import { notificationLine, requestLine } from '../../acp/lines.ts';
import { fill } from '../scenario/file/names.ts';
import type { Acting, Injected, InterceptAction, KeyPath } from './table.ts';

/** Names what was told of a frame, from 1. */
export type InterceptKey = number;

/** What is told of a line, and kept with it. */
export interface Fact {
  readonly did: InterceptDeed;
  readonly from?: Side;
  readonly rule?: string;
  readonly line?: Uint8Array;
  readonly of?: InterceptKey;
  readonly deadline?: number;
  readonly problem?: string;
}

export type Effect =
  /** It crosses now. `of`: what was told of it; absent: it is as it came. */
  | {
      readonly do: 'send';
      readonly from: Side;
      readonly line: Uint8Array;
      readonly origin: Origin;
      readonly of?: InterceptKey;
    }
  | { readonly do: 'tell'; readonly key: InterceptKey; readonly fact: Fact }
  /** Both directions end. */
  | { readonly do: 'cut' };

export interface Arrived {
  readonly from: Side;
  /** Without its 0x0A. */
  readonly line: Uint8Array;
  readonly origin: Origin;
  readonly message: Message;
  /** The id of the session it belongs to, also where its line does not say so. */
  readonly session?: string | undefined;
  /** Those of the rules whose query it meets, in their order. */
  readonly matched: readonly Acting[];
  /** Rules that reorder, behind such a frame. */
  readonly behind: readonly Acting[];
}

type Send = Extract<Effect, { readonly do: 'send' }>;

interface Waiting {
  readonly key: InterceptKey;
  readonly rule: Acting;
  readonly from: Side;
  readonly sends: readonly Send[];
  /** It goes on at the latest, and at the earliest, where a rule before it delayed it. */
  readonly until: number;
  readonly due: number;
}

interface Delayed {
  readonly sends: readonly Send[];
  readonly due: number;
}

export class InterceptEngine {
  readonly #newId: () => string;
  readonly #counts = new WeakMap<Acting, { seen: number; acted: number }>();
  readonly #lanes: Readonly<Record<Side, Delayed[]>> = { client: [], agent: [] };
  /** Held for a person, or until another frame has gone; in the order they came. */
  readonly #waiting = new Map<InterceptKey, Waiting>();
  /** Ids of ours, by the side that was asked. */
  readonly #asked: Readonly<Record<Side, Set<string>>> = { client: new Set(), agent: new Set() };
  /** Of those, without an answer so far. */
  readonly #open = new Set<string>();
  #keys = 0;

  /** `newId`: of a request of ours, like no id that a peer uses. */
  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** Whether nothing waits here. */
  get isEmpty(): boolean {
    const { client, agent } = this.#lanes;
    return client.length + agent.length + this.#waiting.size === 0;
  }

  /** Whether an answer to a request of ours has not come yet, which is to be kept. */
  get expects(): boolean {
    return this.#open.size > 0;
  }

  /** Bytes that a side wrote and that wait here. */
  waitingOf(side: Side): number {
    const waiting = [...this.#waiting.values()].filter(({ from }) => from === side);
    return [...this.#lanes[side], ...waiting].reduce((sum, { sends }) => sums(sends) + sum, 0);
  }

  /** When `tick` is due next; undefined: nothing waits for a time. */
  get next(): number | undefined {
    const [client] = this.#lanes.client;
    const [agent] = this.#lanes.agent;
    const times = [client?.due, agent?.due, ...[...this.#waiting.values()].map((one) => one.until)];
    const due = Math.min(...times.filter((time) => time !== undefined));
    return due === Infinity ? undefined : due;
  }

  take(frame: Arrived, now: number): readonly Effect[] {
    const { from, line, origin, message } = frame;
    const out: Effect[] = [];
    const answers = message.kind === 'success' || message.kind === 'failure';
    if (answers && this.#asked[from].has(idKey(message.id))) {
      this.#open.delete(`${from} ${idKey(message.id)}`);
      this.#tell(out, { did: 'keep', from, line });
      return out;
    }
    let of: InterceptKey | undefined;
    let sends: Send[] = [{ do: 'send', from, line, origin }];
    const after: Effect[] = [];
    let late = 0;
    let due = now;
    let stays: 'goes' | 'waits' | 'gone' = 'goes';
    for (const rule of frame.matched) {
      if (!this.#isDue(rule)) continue;
      const { action } = rule;
      const tell = (more: Partial<Fact> = {}): InterceptKey => {
        const about = { did: action.kind, from, rule: rule.name, line, ...defined({ of }) };
        const key = this.#tell(out, { ...about, ...more });
        of ??= key;
        return key;
      };
      const ours = (written: Uint8Array, side: Side): Send => ({
        ...{ do: 'send', from: side, line: written, origin: 'intercept' },
        of: tell(),
      });
      switch (action.kind) {
        case 'hold':
        case 'reorder': {
          const { deadline } = action;
          const until = due + deadline;
          const key = tell({ deadline: late + deadline });
          sends = sends.map((send) => ({ ...send, of: key }));
          this.#waiting.set(key, { key, rule, from, sends, until, due });
          stays = 'waits';
          break;
        }
        case 'edit': {
          const [first] = sends;
          const done = edited(first?.line ?? line, action);
          if (!done.ok) tell({ problem: done.problem });
          else sends = sends.map(() => ours(done.line, from)).slice(0, 1);
          break;
        }
        case 'truncate':
          if (line.length <= action.bytes)
            tell({ problem: `It went on as it was: it has no more than ${line.length} bytes.` });
          else sends = [ours(line.subarray(0, action.bytes), from)];
          break;
        case 'drop':
          tell();
          stays = 'gone';
          break;
        case 'cut':
          tell();
          after.push(...this.flush(), { do: 'cut' });
          stays = 'gone';
          break;
        case 'delay': {
          late += action.ms;
          due = now + late;
          const key = tell();
          sends = sends.map((send) => ({ ...send, of: key }));
          break;
        }
        case 'duplicate': {
          const [first] = sends;
          const copy = ours(first?.line ?? line, from);
          sends = [...sends, ...Array.from({ length: action.more }, () => copy)];
          break;
        }
        case 'inject': {
          const added = this.#injected(action.what, action.to, frame.session);
          if (added) after.push(ours(added, otherSide(action.to)));
          else tell({ problem: NO_SESSION });
          break;
        }
        case 'answer': {
          if (message.kind !== 'request') {
            tell({ problem: 'It went on as it was: it is no request.' });
            break;
          }
          const body = JSON.stringify({ [action.key]: action.value });
          const said = ours(encodeUtf8(answerLine(message.id.token, body)), otherSide(from));
          if (due <= now) after.push(said);
          // Only this is late: what the other side says itself is not held up by it.
          else this.#later(said, rule, due);
          stays = 'gone';
          break;
        }
        default:
          assertNever(action);
      }
      if (stays !== 'goes') break;
    }
    if (stays === 'goes') this.#put(out, from, sends, due, now);
    for (const effect of after)
      if (effect.do === 'send') this.#put(out, effect.from, [effect], now, now);
      else out.push(effect);
    for (const one of [...this.#waiting.values()])
      if (stays === 'waits' ? false : isBehind(one, frame, stays === 'goes'))
        this.#go(out, one.key, now);
    return out;
  }

  /** What is due by now goes on. */
  tick(now: number): readonly Effect[] {
    const out: Effect[] = [];
    for (const lane of Object.values(this.#lanes))
      while (lane[0] && lane[0].due <= now) out.push(...(lane.shift()?.sends ?? []));
    for (const { key, until } of [...this.#waiting.values()])
      if (until <= now) this.#go(out, key, now);
    return out;
  }

  /** A held frame goes on, as it was or as another line. Nothing of this key is held: nothing is done. */
  release(key: InterceptKey, line: Uint8Array | undefined, now: number): readonly Effect[] {
    const out: Effect[] = [];
    this.#go(out, key, now, line);
    return out;
  }

  /** A held frame does not go on. */
  discard(key: InterceptKey): readonly Effect[] {
    const out: Effect[] = [];
    const one = this.#waiting.get(key);
    if (one && this.#waiting.delete(key)) this.#tell(out, { did: 'drop', from: one.from, of: key });
    return out;
  }

  /** All that waits goes on now, that of one side or of both. */
  flush(side?: Side): readonly Effect[] {
    const out: Effect[] = [];
    for (const from of side === undefined ? (['client', 'agent'] as const) : [side])
      out.push(...this.#lanes[from].splice(0).flatMap(({ sends }) => sends));
    for (const { key, from } of [...this.#waiting.values()])
      if (side === undefined || from === side) this.#go(out, key, Infinity);
    return out;
  }

  #later(send: Send, rule: Acting, due: number): void {
    const { from, of: key = 0 } = send;
    this.#waiting.set(key, { key, rule, from, sends: [send], until: due, due });
  }

  #go(out: Effect[], key: InterceptKey, now: number, line?: Uint8Array): void {
    const one = this.#waiting.get(key);
    if (!one) return;
    this.#waiting.delete(key);
    const sends: readonly Send[] =
      line === undefined
        ? one.sends
        : [{ do: 'send', from: one.from, line, origin: 'intercept', of: key }];
    this.#put(out, one.from, sends, Math.max(one.due, now), now);
  }

  /** Behind what is delayed, or at once. */
  #put(out: Effect[], from: Side, sends: readonly Send[], due: number, now: number): void {
    const lane = this.#lanes[from];
    const last = lane.at(-1);
    if (!last && due <= now) out.push(...sends);
    else lane.push({ sends, due: Math.max(due, last?.due ?? 0) });
  }

  #tell(out: Effect[], fact: Fact): InterceptKey {
    const key = ++this.#keys;
    out.push({ do: 'tell', key, fact });
    return key;
  }

  #isDue(rule: Acting): boolean {
    let count = this.#counts.get(rule);
    if (!count) this.#counts.set(rule, (count = { seen: 0, acted: 0 }));
    const turn = ++count.seen - rule.skip;
    if (turn < 1 || turn % rule.every !== 0 || count.acted >= rule.times) return false;
    count.acted++;
    return true;
  }

  /** Undefined: it names the session of a frame that has none. */
  #injected(what: Injected, to: Side, session: string | undefined): Uint8Array | undefined {
    if (what.kind === 'line') {
      const message = parseMessage(what.text);
      if (message.kind === 'request') this.#ask(to, idKey(message.id));
      return encodeUtf8(what.text);
    }
    const filled = (id: string) => fill(what.params, new Map([[SESSION, id]]));
    const params = filled(session ?? '');
    if (session === undefined && JSON.stringify(params) !== JSON.stringify(filled('?')))
      return undefined;
    if (what.kind === 'notify') return encodeUtf8(notificationLine(what.method, params));
    const id = this.#newId();
    this.#ask(to, JSON.stringify(id));
    return encodeUtf8(requestLine(id, what.method, params));
  }

  #ask(side: Side, id: string): void {
    this.#asked[side].add(id);
    this.#open.add(`${side} ${id}`);
  }
}

function sums(sends: readonly Send[]): number {
  return sends.reduce((sum, { line }) => sum + line.length, 0);
}

/** Whether a frame that waits for another goes behind this one. */
function isBehind({ rule, from }: Waiting, frame: Arrived, goes: boolean): boolean {
  if (rule.action.kind !== 'reorder') return false;
  if (rule.action.behind !== undefined) return frame.behind.includes(rule);
  return goes && frame.from === from;
}

/** What a rule may say of the frame it acts on. */
const SESSION = '$sessionId';
const NO_SESSION = `Nothing was added: the rule says ${SESSION}, and this frame belongs to no session.`;

type Edited =
  | { readonly ok: true; readonly line: Uint8Array }
  /** It stays as it is: why, as a sentence. */
  | { readonly ok: false; readonly problem: string };

export function edited(
  bytes: Uint8Array,
  action: Extract<InterceptAction, { kind: 'edit' }>,
): Edited {
  const { set, remove, replace, line } = action;
  if (line !== undefined) return { ok: true, line: encodeUtf8(line) };
  const text = decodeUtf8(bytes);
  if (text === undefined) return unchanged('it is not UTF-8');
  let now = text;
  if (set.length + remove.length > 0) {
    const json = bareLine(text);
    if (!isObject(parseJson(json))) return unchanged('it is no JSON object');
    now = json;
    for (const { keys, json: value } of set) now = withValueAt(now, keys, value);
    for (const keys of remove)
      if (valueSpan(now, keys)) now = withoutKey(now, keys.slice(0, -1), keys.at(-1) ?? '');
    const at = text.indexOf(json);
    now = text.slice(0, at) + now + text.slice(at + json.length);
  }
  for (const { text: said, by } of replace) now = now.replaceAll(said, by);
  if (now === text) return unchanged('there is nothing in it that the rule changes');
  return { ok: true, line: encodeUtf8(now.replaceAll('\n', ' ')) };
}

function unchanged(why: string): Edited {
  return { ok: false, problem: `It went on as it was: ${why}.` };
}

/** The objects on the way to it are made where there are none. */
function withValueAt(line: string, keys: KeyPath, json: string): string {
  for (let depth = keys.length - 1; depth >= 0; depth--) {
    const parent = keys.slice(0, depth);
    const [key = '', ...inner] = keys.slice(depth);
    if (valueSpan(line, parent)?.kind !== 'object') continue;
    const value = inner.reduceRight((made, name) => `{${JSON.stringify(name)}:${made}}`, json);
    return withKey(line, parent, key, value);
  }
  return line;
}
