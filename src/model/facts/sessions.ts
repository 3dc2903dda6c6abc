// The sessions of one connection as its frames tell them: what was asked and answered about each,
// and what the agent said of it in updates. Long, because all of it changes one record a session.
import { childIdOf, sessionIdOf } from '../../acp/update.ts';
import type { Failure, Json, JsonObject, Success } from '../../acp/message.ts';
import { get, isObject, obj, objects, str } from '../../acp/json.ts';
import { effectOf, isMethodOf, MAKERS } from '../../acp/methods.ts';
import { isAbsolutePath } from '../../lib/absolute-path.ts';
import { defined } from '../../lib/defined.ts';
import { seq, type Seq } from '../../trace/event.ts';
import { isBusy, openPrompts, type ActivityFacts } from './activity.ts';
import type { Child, Children } from './children.ts';
import type { ChipOf } from './chips.ts';
import type { PlacedQuestion } from './exchanges.ts';
import type { SessionFacts } from './facts-view.ts';
import type { HandshakeFold } from './handshake.ts';
import {
  endLife,
  isDeleted,
  isOrdinary,
  listLife,
  restartLife,
  unknownLife,
  type SessionLife,
} from './life.ts';
import { Turns } from './turns.ts';
import { Items } from './variants.ts';
import { commandsOf, configOf, modesOf } from './session-state.ts';
import { usageOf } from './usage.ts';

/** What a tool call was last said to be. */
export interface ToolName {
  readonly title?: string;
  readonly kind?: string;
}

type Facts = { -readonly [K in keyof SessionFacts]?: SessionFacts[K] | undefined };

/** What is known of one session. `facts` change in place; `view` is their last snapshot. */
export interface SessionRecord extends SessionLife {
  /** Place in the order of first naming. */
  readonly index: number;
  readonly sessionId: string;
  readonly items: Items;
  readonly tools: Map<string, ToolName>;
  /** Named by a frame other than a list answer and its own deletion. */
  seen: boolean;
  /** The agent spoke of it by itself, or answered a request about it with a result. */
  confirmed: boolean;
  facts: Pick<
    Facts,
    'chip' | 'title' | 'cwd' | 'cwdTried' | 'updatedAt' | 'modes' | 'config' | 'commands' | 'usage'
  > & { frames: number; first: number; last: number };
  view: SessionFacts | undefined;
  /** What of its announcements that tells. */
  viewOf: number;
}

export class Sessions {
  private readonly records: SessionRecord[] = [];
  private readonly byId = new Map<string, SessionRecord>();
  private readonly chipOf: ChipOf;
  readonly turns: Turns;
  /** `nextCursor` of the last list answer. */
  listCursor: string | undefined;

  /** `chipOf` is asked once a session is first named by a frame, never for one that is only listed. */
  constructor(chipOf: ChipOf, hello: HandshakeFold) {
    this.chipOf = chipOf;
    this.turns = new Turns(hello);
  }

  ids(): readonly string[] {
    return this.records.map(({ sessionId }) => sessionId);
  }

  get(index: number): SessionRecord | undefined {
    return this.records[index];
  }

  /** Undefined: no frame has named it. */
  named(sessionId: string): SessionRecord | undefined {
    return this.byId.get(sessionId);
  }

  /** Asks again what those are called that were brought back from where they were kept. */
  retell(): void {
    const now = new Map<string, string>();
    for (const record of this.records) {
      const { chip } = record.facts;
      if (chip === undefined) continue;
      const parent = now.get(chip.slice(0, Math.max(0, chip.lastIndexOf('.'))));
      record.facts.chip = this.chipOf(record.sessionId, parent);
      record.view = undefined;
      now.set(chip, record.facts.chip);
    }
  }

  /** Counts a frame of this session, and begins to know the session with it. */
  frame(sessionId: string, at: number, method: string): SessionRecord {
    const record = this.#named(sessionId, at, method);
    record.facts.frames++;
    record.facts.last = at;
    return record;
  }

  /** The session that a `subagent_update` announces; undefined: it names none. */
  announced(parent: SessionRecord, update: JsonObject, at: number): SessionRecord | undefined {
    const sessionId = childIdOf(update);
    if (sessionId === undefined) return undefined;
    const record = this.#named(sessionId, at, undefined, parent.facts.chip);
    const { facts } = record;
    facts.title = str(update, 'title') ?? facts.title ?? str(update, 'description');
    record.confirmed = true;
    return record;
  }

  /**
   * Takes the parts of a response that do not change the life of its session. `record`: the session that the request
   * names. `at`: the seq of the response.
   */
  answered(
    { request, from }: PlacedQuestion,
    answer: Success | Failure,
    record: SessionRecord | undefined,
    at: Seq,
  ): void {
    if (from !== 'client') return;
    const { method, params } = request;
    const sessionId = sessionIdOf(params);
    if (record !== undefined) record.view = undefined;
    const result = answer.kind === 'success' ? answer.result : undefined;
    // The session that the result made; of another request, the one that it named, whatever the result names.
    const id = isMethodOf(MAKERS, method) ? str(result, 'sessionId') : sessionId;
    const about = id === undefined ? undefined : this.named(id);
    if (about) about.view = undefined;
    if (result === undefined) return;
    if (record !== undefined) record.confirmed = true;
    if (method === 'session/list') this.#listed(result, at);
    else if (about) succeeded(about, method, params, result, this.turns.hello.chosen);
  }

  update(record: SessionRecord, variant: string, update: JsonObject, at: Seq): void {
    const { facts } = record;
    record.view = undefined;
    record.confirmed = true;
    switch (variant) {
      case 'state_update':
        return void this.turns.told(record.activity, at, update);
      case 'current_mode_update':
        return setMode(record, str(update, 'currentModeId'));
      case 'config_option_update':
        facts.config = configOf(update, this.turns.hello.chosen) ?? facts.config;
        return;
      case 'available_commands_update':
        facts.commands = commandsOf(update) ?? facts.commands;
        return;
      case 'session_info_update':
        facts.title = patched(update, 'title', facts.title);
        facts.updatedAt = patched(update, 'updatedAt', facts.updatedAt);
        return;
      case 'usage_update': {
        const told = usageOf(update);
        if (told) facts.usage = { used: told.used, size: told.size };
        return;
      }
      case 'tool_call':
      case 'tool_call_update':
        return nameTool(record, update);
    }
  }

  /** The transport is gone, and every session with it. */
  ended(end: typeof endLife = endLife): void {
    for (const record of this.records) {
      end(record);
      record.view = undefined;
    }
  }

  /** A request that may begin another process on the transport, before it counts. */
  begins({ from, request: { method } }: PlacedQuestion): void {
    if (from === 'client' && method === 'initialize' && this.turns.hello.isOver)
      this.ended(restartLife);
  }

  views(children: Children<SessionRecord>): SessionFacts[] {
    return this.records
      .filter((record) => record.seen || !isDeleted(record))
      .map((record) => {
        const child = children.of(record);
        const now = children.rootOf(record).active ? child?.now : undefined;
        // Of thousands of children few were announced since the last time.
        const of = child ? (now?.told ?? 0) + 2 : 1;
        if (record.viewOf !== of) record.view = undefined;
        record.viewOf = of;
        return (record.view ??= viewOf(record, child, now));
      });
  }

  #named(sessionId: string, at: number, method?: string, parent?: string): SessionRecord {
    const record = this.#record(sessionId, at);
    if (!record.seen && (method === undefined || effectOf(method) !== 'deletes')) {
      record.seen = true;
      record.facts.first = at;
    }
    record.facts.chip ??= this.chipOf(sessionId, parent);
    record.view = undefined;
    return record;
  }

  #record(sessionId: string, at: number): SessionRecord {
    const known = this.byId.get(sessionId);
    if (known !== undefined) return known;
    const record: SessionRecord = {
      index: this.records.length,
      sessionId,
      items: new Items(),
      tools: new Map(),
      view: undefined,
      viewOf: 0,
      seen: false,
      confirmed: false,
      facts: { frames: 0, first: at, last: at },
      ...unknownLife(),
    };
    this.byId.set(sessionId, record);
    this.records.push(record);
    return record;
  }

  #listed(result: Json, at: Seq): void {
    this.listCursor = str(result, 'nextCursor');
    for (const info of objects(result, 'sessions')) {
      const sessionId = str(info, 'sessionId');
      if (sessionId === undefined) continue;
      const record = this.#record(sessionId, at);
      const { facts } = record;
      told(record, str(info, 'cwd'));
      facts.title = patched(info, 'title', facts.title);
      facts.updatedAt = patched(info, 'updatedAt', facts.updatedAt);
      listLife(record, at);
      record.confirmed = true;
      record.view = undefined;
    }
  }
}

/** Takes over what a successful request of the client set or got. */
function succeeded(
  record: SessionRecord,
  method: string,
  params: Json | undefined,
  result: Json,
  version: number | undefined,
): void {
  const { facts } = record;
  switch (method) {
    case 'session/new':
    case 'session/fork':
    case 'session/load':
    case 'session/resume':
      if (isMethodOf(MAKERS, method)) told(record, str(params, 'cwd'));
      else tried(record, str(params, 'cwd'));
      facts.modes = modesOf(get(result, 'modes')) ?? facts.modes;
      facts.config = configOf(result, version) ?? facts.config;
      facts.commands = commandsOf(result) ?? facts.commands;
      return;
    case 'session/set_mode':
      return setMode(record, str(params, 'modeId'));
    case 'session/set_config_option':
      facts.config = configOf(result, version) ?? facts.config;
      return;
    case 'session/set_title':
      facts.title = str(result, 'title') ?? str(params, 'title') ?? facts.title;
      return;
  }
}

/** A session is made, or listed, with its cwd. */
function told({ facts }: SessionRecord, cwd: string | undefined): void {
  if (cwd === undefined) return;
  facts.cwd = cwd;
  facts.cwdTried = undefined;
}

/** A frame says that it was made or listed; that it was asked for says nothing. */
export function isMade({ facts }: SessionRecord): boolean {
  return facts.cwd !== undefined && facts.cwdTried !== true;
}

/** An agent may restore with a cwd that is not the session's: it counts while nothing says better. */
function tried({ facts }: SessionRecord, cwd: string | undefined): void {
  if (facts.cwd !== undefined || cwd === undefined || !isAbsolutePath(cwd)) return;
  facts.cwd = cwd;
  facts.cwdTried = true;
}

function setMode(record: SessionRecord, current: string | undefined): void {
  if (current === undefined) return;
  record.facts.modes = { available: record.facts.modes?.available ?? [], current };
}

/** Omitted: as it was. `null`: cleared. */
function patched(update: JsonObject, key: string, before: string | undefined): string | undefined {
  return get(update, key) === null ? undefined : (str(update, key) ?? before);
}

/** Later updates of a tool call may leave out its title, so it is remembered. */
export function nameTool(record: SessionRecord, tool: Json | undefined): void {
  const id = str(tool, 'toolCallId');
  if (!isObject(tool) || id === undefined) return;
  const title = str(tool, 'title');
  const kind = str(tool, 'kind');
  const before = record.tools.get(id);
  if (before && (title ?? before.title) === before.title && (kind ?? before.kind) === before.kind)
    return;
  record.tools.set(id, defined({ title: title ?? before?.title, kind: kind ?? before?.kind }));
}

/** `now`: of a child whose root lives; it lives with that once it was announced since the last restore of it. */
function viewOf(
  record: SessionRecord,
  child: Child<SessionRecord> | undefined,
  now: Child<SessionRecord>['now'] | undefined,
): SessionFacts {
  const { facts, sessionId, activity, confirmed } = record;
  const { frames, first, last, chip, config, commands, ...known } = facts;
  const active = (record.active && isOrdinary(record)) || now?.told !== undefined;
  return defined({
    ...known,
    sessionId,
    chip: chip ?? '',
    parent: child?.parent.sessionId,
    frames,
    first: seq(first),
    last: seq(last),
    active,
    listedOnly: !record.seen,
    ...(confirmed ? {} : { askedOnly: true as const }),
    ...(obj(now?.capabilities, 'cancel') ? { cancels: true as const } : {}),
    turn: child && activity.state === undefined ? 'unknown' : turnOf(activity, active),
    prompts: openPrompts(activity),
    config: config ?? [],
    commands: commands ?? [],
  });
}

/**
 * v2 tells its state; in v1 a turn lasts as long as its prompt waits. Idle stays so without the
 * agent; what became of a turn that broke off with it, nobody knows.
 */
function turnOf(activity: ActivityFacts, active: boolean): SessionFacts['turn'] {
  const { state } = activity;
  if (state === 'idle') return 'idle';
  if (!active) return 'unknown';
  if (state === undefined) return isBusy(activity) ? 'running' : 'idle';
  return state === 'running' || state === 'requires_action' ? state : 'unknown';
}
