// Turns that had not ended when the trace did: the last sign of life, the tool calls that were open, and who
// was waited for.
import { isFinal } from '../../acp/update.ts';
import { defined } from '../../lib/defined.ts';
import { millis, type Millis } from '../../lib/time.ts';
import type { Seq } from '../../trace/event.ts';
import { AGENT, CLIENT, EVT, FLAG, REQ } from '../columns.ts';
import type { SessionRecord } from '../facts/sessions.ts';
import { asleepBetween } from '../facts/sleeps.ts';
import { turnNumber, type TurnEnd } from '../facts/turns.ts';
import { itemKindOf } from '../facts/variants.ts';
import type { SignOfLife } from '../facts/waiting.ts';
import type { TraceIndex } from '../trace-index.ts';
import { answererOf } from './methods.ts';

/** A tool call without a final status. */
interface OpenTool {
  readonly toolCallId: string;
  readonly title?: string;
  readonly status?: string;
  /** The last frame about it. */
  readonly seq: Seq;
}

export interface OpenTurn {
  /** As `turn:` finds it. */
  readonly turn: number;
  /** v1: the prompt; v2: the first frame of the turn. */
  readonly begin: Seq;
  readonly session: string;
  readonly sessionId: string;
  /** The agent's last frame of the session or its subagents in the turn; absent: none came. */
  readonly last?: SignOfLife;
  /** From that frame, or the begin, to the end of the trace, without sleeps. `NO_TIME` if the trace has no times. */
  readonly silent: Millis;
  readonly tools: readonly OpenTool[];
  /** `nobody`: the agent's process had ended. */
  readonly waitsFor: 'agent' | 'person' | 'client' | 'nobody';
  /** The agent's request that waits for a person or the client. */
  readonly request?: Seq;
}

/** What one session and its subagents hold at the end of the trace. */
interface Open {
  last: number;
  request: number;
  readonly tools: Map<number, number>;
}

/** The last, in the order they began. */
const MAX_OPEN = 100;

/** `ends`: the turns that ended. */
export function openTurns(index: TraceIndex, ends: readonly TurnEnd[]): readonly OpenTurn[] {
  const begins = beginsOf(index, new Set(ends.map(({ number }) => number)));
  if (begins.length === 0) return [];
  const { columns } = index;
  const byRoot = new Map<SessionRecord, Open>();
  const first = begins[0]?.place ?? 0;
  let exit = -1;
  for (let place = first; place < columns.length; place++) {
    const side = columns.side.get(place);
    if (columns.kind.get(place) === EVT && columns.nameOf(place) === 'exit') exit = place;
    const root = side === AGENT ? rootAt(index, place) : undefined;
    if (root === undefined || columns.has(place, FLAG.replay | FLAG.late)) continue;
    const open = byRoot.get(root) ?? { last: -1, request: -1, tools: new Map() };
    byRoot.set(root, open);
    open.last = place;
    if (open.request < 0 && columns.kind.get(place) === REQ && index.waits(place))
      open.request = place;
    const item = columns.item.get(place) - 1;
    const isReport =
      columns.has(place, FLAG.update) && itemKindOf(columns.nameOf(place)) === 'tool' && item >= 0;
    // Some agents report a tool call first in the request for its permission.
    const isAsk = columns.kind.get(place) === REQ && item === place;
    if (isReport || isAsk)
      if (isFinal(columns.statuses.text(columns.status.get(place)))) open.tools.delete(item);
      else open.tools.set(item, place);
  }
  return begins.map(({ turn, place, record }): OpenTurn => {
    const open = byRoot.get(index.children.rootOf(record));
    const last = open && open.last > place ? open.last : -1;
    const end = columns.length - 1;
    const since = Math.max(last, place);
    const asked = open && open.request > place && open.request > exit ? open.request : -1;
    const by = asked < 0 ? 'agent' : answererOf(columns.nameOf(asked), 'agent');
    const waitsFor: OpenTurn['waitsFor'] = exit > place ? 'nobody' : by;
    return defined({
      ...{ turn, begin: columns.seqOf(place) },
      ...{ session: record.facts.chip ?? '', sessionId: record.sessionId },
      last: last < 0 ? undefined : signAt(index, last),
      silent: millis(
        columns.at.get(end) - columns.at.get(since) - asleepBetween(index.sleeps, since, end),
      ),
      tools: [...(open?.tools ?? [])]
        .filter(([item]) => item > place)
        .map(([item, at]) => toolAt(index, item, at, record)),
      waitsFor,
      request: asked < 0 ? undefined : columns.seqOf(asked),
    });
  });
}

interface Begin {
  readonly turn: number;
  readonly place: number;
  readonly record: SessionRecord;
}

/** Where the turns begin that did not end. */
function beginsOf(index: TraceIndex, ended: ReadonlySet<number>): readonly Begin[] {
  if (index.turns <= ended.size) return [];
  const { columns } = index;
  const begins = new Map<number, Begin>();
  for (let place = 0; place < columns.length; place++) {
    const turn = columns.turn.get(place);
    if (turn === 0 || ended.has(turn) || begins.has(turn)) continue;
    const record = index.sessionByNumber(columns.session.get(place));
    if (record) begins.set(turn, { turn, place, record });
  }
  return [...begins.values()]
    .filter(({ turn, place, record }) => {
      const isPrompt = columns.side.get(place) === CLIENT && columns.kind.get(place) === REQ;
      const isAnswered = columns.partnerOf(place) !== undefined;
      if (columns.has(place, FLAG.refused | FLAG.kept)) return false;
      // A turn of v2 lasts longer than its prompt; it is over if its session is closed.
      return (isPrompt && !isAnswered) || turnNumber(record.activity) === turn;
    })
    .slice(-MAX_OPEN);
}

function rootAt(index: TraceIndex, place: number): SessionRecord | undefined {
  const record = index.sessionByNumber(index.columns.session.get(place));
  return record && index.children.rootOf(record);
}

function signAt({ columns }: TraceIndex, place: number): SignOfLife {
  return { seq: columns.seqOf(place), at: columns.timeOf(place), name: columns.nameOf(place) };
}

function toolAt(index: TraceIndex, item: number, place: number, record: SessionRecord): OpenTool {
  const toolCallId = index.toolIds.get(item) ?? '';
  return defined({
    toolCallId,
    title: record.tools.get(toolCallId)?.title,
    status: index.columns.statuses.text(index.columns.status.get(place)) || undefined,
    seq: index.columns.seqOf(place),
  });
}

/** `agent` · `a person, #12` · `nobody: the agent ended`. */
export function waitsWords({ waitsFor, request }: OpenTurn): string {
  switch (waitsFor) {
    case 'agent':
      return 'agent';
    case 'nobody':
      return 'nobody: the agent has exited';
    case 'person':
      return `a person, since #${request}`;
    case 'client':
      return `client, since #${request}`;
  }
}

/** The open tool calls, by title or id. */
export function toolWords({ tools }: OpenTurn): string {
  return tools
    .map(({ title, toolCallId, status }) => `${title ?? toolCallId}${status ? ` (${status})` : ''}`)
    .join(', ');
}

/** `#6 tool_call`; `none` if the agent sent nothing. */
export function signWords({ last }: OpenTurn): string {
  return last === undefined ? 'none' : `#${last.seq} ${last.name}`;
}
