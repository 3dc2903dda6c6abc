// The view `state`: what a correct client believes of each session at the end of what is compared:
// its items, and what it is set to. The view `handshake`: what both told each other of themselves.
import type { Json, Message } from '../../acp/message.ts';
import { decodeLossy } from '../../lib/utf8.ts';
import { FLAG, REQ } from '../../model/columns.ts';
import { saidBy } from '../../model/timeline/digest.ts';
import { textOf } from '../../model/facts/content-parts.ts';
import { reduce } from '../../model/fold/reduce.ts';
import { sessionFacts } from '../../model/fold/session-facts.ts';
import { freshState, type ItemBody, type Item, type SessionState } from '../../model/fold/state.ts';
import type { IndexedTrace } from '../../model/indexed-trace.ts';
import { listLane, newEntry, type LaneEntry, type DiffLane, type LaneMaking } from './lane.ts';
import type { DiffSection } from './report/report.ts';
import { wireOrder } from './wire-order.ts';
import { get, isObject } from '../../acp/json.ts';

export async function sessionStateOf(making: LaneMaking): Promise<DiffLane> {
  const { source, ignoring, pause, tokens } = making;
  const states = await foldedOf(making);
  const entries: LaneEntry[] = [];
  const sections: DiffSection[] = [];
  for (const state of states) {
    const section = sections.length;
    sections.push({ name: `Session ${section + 1}`, words: state.title?.value ?? '' });
    // No value has it under its key, but texts may repeat it: "Session 8839 not found".
    tokens.ofLeftOut({ sessionId: state.sessionId }, '');
    const add = (
      of: string,
      kind: string,
      value: Json,
      first: number,
      last: number,
      frames: number,
    ) => {
      if (ignoring.drops(of, () => value)) return;
      const left = ignoring.strip(of, value);
      const isItem = kind === 'item';
      const entry = newEntry({
        of,
        weak: `${kind} ${of}`,
        first: placeOf(source, first),
        last: placeOf(source, last),
        frames,
        section,
        value: left,
        loose: isItem,
        movable: isItem,
      });
      entries.push(entry);
      tokens.add(entry.weak, left);
    };
    for (const { path, value, seq, sessionId } of sessionFacts(state))
      // A child is called otherwise in another run, so that its id is a value and no name.
      if (sessionId !== undefined) add('subagent', 'fact', { sessionId, value }, seq, seq, 1);
      else add(path === 'usage' ? 'usage_update' : path, 'fact', { value }, seq, seq, 1);
    for (const item of state.items.slice(0, state.items.length)) {
      await pause();
      add(nameOf(item.body), 'item', valueOf(item), item.first, item.last, item.frames);
    }
    for (const terminal of state.terminals.list.slice(0, state.terminals.list.length)) {
      const { terminalId, command = null, cwd = null, exit = null, output, first, last } = terminal;
      const value = { terminalId, command, cwd, exit, output: decodeLossy(output.bytes()) };
      add('terminal', 'item', value, first, last, 1);
    }
  }
  return listLane(source, entries, sections);
}

/** Of each session that a frame names, in order of appearance. */
async function foldedOf({ source, takes, pause }: LaneMaking): Promise<SessionState[]> {
  const { index, eventAt } = source;
  const { columns } = index;
  const states = new Map<number, SessionState>();
  const { places } = wireOrder(index);
  for (const place of places) {
    if (place % 500 === 0) await pause();
    const number = columns.session.get(place);
    const sessionId = index.session(place)?.sessionId;
    if (sessionId !== undefined && takes(place) && !states.has(number))
      states.set(number, freshState(sessionId, index.version));
  }
  for (const place of places) {
    if (place % 200 === 0) await pause();
    if (!takes(place)) continue;
    const event = eventAt(place);
    const message = saidBy(event);
    const flags = { replay: columns.has(place, FLAG.replay), late: columns.has(place, FLAG.late) };
    const session = columns.session.get(place);
    // What names no session may be about any of them: an exit, the answer that makes one.
    for (const [number, state] of states)
      if (session === 0 || session === number || isAboutAny(columns.nameOf(place)))
        states.set(number, reduce(state, event, message, flags));
  }
  return [...states.values()];
}

function isAboutAny(name: string): boolean {
  return name === 'session/new' || name === 'session/fork' || name === 'session/list';
}

function placeOf({ index }: IndexedTrace, seq: number): number {
  return Math.max(0, index.indexOf(seq));
}

function nameOf(body: ItemBody): string {
  return body.type === 'message' ? body.role : body.type;
}

function valueOf({ body }: Item): Json {
  switch (body.type) {
    case 'message': {
      const others = body.parts.filter((part) => part.type !== 'text');
      return jsonOf({
        text: textOf(body.parts),
        ...(others.length > 0 && { attachments: others }),
      });
    }
    case 'tool': {
      const { toolCallId, name, title, kind, status, content, locations } = body;
      const { rawInput, rawOutput } = body;
      return jsonOf({
        ...{ toolCallId, name, title, kind, status },
        ...{ rawInput, rawOutput, content, locations },
      });
    }
    case 'plan':
      return jsonOf({ entries: body.entries });
    case 'ask':
      return jsonOf({ method: body.method, title: body.title, answer: body.answer?.words ?? null });
    case 'note':
      return jsonOf({ text: body.text });
  }
}

/** Plain data as JSON: without what is undefined. */
function jsonOf(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

/** v1 and v2 have other keys for the same things. */
const PARTS: readonly { readonly of: string; readonly keys: readonly string[] }[] = [
  { of: 'protocolVersion', keys: ['protocolVersion'] },
  { of: 'info', keys: ['clientInfo', 'agentInfo', 'info'] },
  { of: 'capabilities', keys: ['clientCapabilities', 'agentCapabilities', 'capabilities'] },
  { of: 'authMethods', keys: ['authMethods'] },
];

export async function handshakeOf(making: LaneMaking): Promise<DiffLane> {
  const { source, takes, ignoring, pause, tokens } = making;
  const { index, eventAt } = source;
  const { columns } = index;
  const entries: LaneEntry[] = [];
  const sections: DiffSection[] = [
    { name: 'Client', words: '' },
    { name: 'Agent', words: '' },
  ];
  for (let place = 0; place < index.length; place++) {
    if (place % 500 === 0) await pause();
    if (columns.nameOf(place) !== 'initialize' || !takes(place)) continue;
    const event = eventAt(place);
    const message = saidBy(event);
    const section = columns.kind.get(place) === REQ ? 0 : 1;
    const add = (of: string, value: Json) => {
      const left = ignoring.strip(of, { [of]: value });
      if (!isObject(left) || !Object.hasOwn(left, of)) return;
      const entry = newEntry({ of, weak: `${section} ${of}`, first: place, section, value: left });
      entries.push(entry);
      tokens.add(entry.weak, left);
    };
    if (message?.kind === 'failure') add('error', message.error);
    const said = bodyOf(message);
    if (!isObject(said)) continue;
    const known = new Set(PARTS.flatMap(({ keys }) => keys));
    for (const { of, keys } of PARTS) {
      const key = keys.find((one) => get(said, one) !== undefined);
      if (key !== undefined) add(of, get(said, key) ?? null);
    }
    for (const [key, value] of Object.entries(said)) if (!known.has(key)) add(key, value);
  }
  return listLane(source, entries, sections);
}

function bodyOf(message: Message | undefined): Json | undefined {
  if (message?.kind === 'request') return message.params;
  return message?.kind === 'success' ? message.result : undefined;
}
