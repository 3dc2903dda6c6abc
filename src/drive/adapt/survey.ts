// The first of two readings of a history: what can only be known at its end, before its begin is
// told. Which prompts the agent echoed, what was cut off, what a later entry says over again.
import { get, isArray, parseJson, str } from '../../acp/json.ts';
import type { JsonObject } from '../../acp/message.ts';
import type { Version } from '../../acp/methods.ts';
import { updateOf } from '../../acp/update.ts';
import { defined } from '../../lib/defined.ts';
import { millis } from '../../lib/time.ts';
import { isAtWork } from '../../model/facts/activity.ts';
import { contentPart, contentParts } from '../../model/facts/content-parts.ts';
import {
  apart,
  NO_ECHOES,
  pieceOf,
  prompted,
  settled,
  type Echoes,
} from '../../model/facts/echo.ts';
import { itemKindOf } from '../../model/facts/variants.ts';
import { applyUpdate } from '../../model/fold/updates.ts';
import { freshState, type Draft } from '../../model/fold/state.ts';
import { seq } from '../../trace/event.ts';
import { openTerminals, openTools } from '../../model/restore/reconnect.ts';
import type { StoreEntry } from './entry.ts';

interface PromptFacts {
  /** The id that the agent gave it: in its echo, or (v2) in the answer. */
  messageId: string | undefined;
  /** Refused, and nothing came of it: no part of the conversation. */
  refused: boolean;
}

/** What was running when the process ended, or the session was forked. */
export interface Cut {
  readonly fork: boolean;
  readonly turn: boolean;
  readonly tools: readonly string[];
  readonly terminals: readonly string[];
}

export interface Survey {
  readonly prompts: ReadonlyMap<string, PromptFacts>;
  /** Places of entries that say nothing of their own. */
  readonly skipped: ReadonlySet<number>;
  /** By the place of the `open` after it. */
  readonly cuts: ReadonlyMap<number, Cut>;
  /** v1: what the client's terminals showed last. */
  readonly terminals: ReadonlyMap<string, string>;
  /** Whole compactions, by the place where each is told. */
  readonly compactions: ReadonlyMap<number, JsonObject>;
  /** v2: ids of user messages that the agent told. */
  readonly userIds: ReadonlySet<string>;
  /** v1: whether the agent's own messages, and its user messages, have ids. */
  readonly agentIds: boolean;
  readonly userBare: boolean;
}

export class Surveyor implements Survey {
  readonly prompts = new Map<string, PromptFacts>();
  readonly skipped = new Set<number>();
  readonly cuts = new Map<number, Cut>();
  readonly terminals = new Map<string, string>();
  readonly compactions = new Map<number, JsonObject>();
  readonly userIds = new Set<string>();
  agentIds = false;
  userBare = false;
  #place = -1;
  #acp: Version = 1;
  /** Tools, terminals and activity since the session was taken up. */
  #state: Draft = freshState('');
  /** Updates since each prompt that has no answer yet. */
  readonly #open = new Map<string, number>();
  #echoes: Echoes<string> = NO_ECHOES;
  /** Where the echo on its way was told so far. */
  #echo: number[] = [];
  /** Where each kind of snapshot was told last. */
  readonly #snapshots = new Map<string, number>();
  /** Where each compaction is told. */
  readonly #compacting = new Map<string, number>();

  take(entry: StoreEntry): void {
    this.#place++;
    switch (entry.type) {
      case 'open':
        return this.#opened(entry.acp, entry.fork ?? false);
      case 'prompt':
        return this.#prompted(entry.id, entry.blocks);
      case 'end':
        return this.#ended(entry);
      case 'update':
        return this.#updated(entry.line);
      case 'terminal':
        this.terminals.set(entry.terminalId, entry.output);
        return;
      case 'gap':
        return;
    }
  }

  #opened(acp: Version, fork: boolean): void {
    const cut = {
      fork,
      turn: this.#open.size > 0 || isAtWork(this.#state.activity?.value.state),
      tools: openTools(this.#state).map(({ body }) => body.toolCallId),
      terminals: openTerminals(this.#state).map(({ terminalId }) => terminalId),
    };
    if (cut.turn || cut.tools.length > 0 || cut.terminals.length > 0)
      this.cuts.set(this.#place, cut);
    this.#acp = acp;
    this.#state = freshState('', acp);
    this.#open.clear();
    this.#echoes = NO_ECHOES;
  }

  #prompted(id: string, blocks: string): void {
    this.#open.set(id, 0);
    this.#echoes = prompted(this.#echoes, id, contentParts(parseJson(blocks)));
    this.prompts.set(id, { messageId: undefined, refused: false });
  }

  #ended({ prompt: id, failed, messageId }: StoreEntry & { type: 'end' }): void {
    const facts = this.prompts.get(id);
    const updates = this.#open.get(id);
    this.#open.delete(id);
    this.#echoes = settled(this.#echoes, id);
    if (!facts) return;
    facts.messageId ??= messageId;
    facts.refused = failed && updates === 0;
  }

  #updated(line: string): void {
    const read = updateOf(get(parseJson(line), 'params'));
    if (!read) return;
    const { variant, update } = read;
    for (const [id, updates] of this.#open) this.#open.set(id, updates + 1);
    const kind = itemKindOf(variant);
    if (kind !== undefined && kind !== 'user') this.#echoes = apart(this.#echoes);
    switch (variant) {
      case 'user_message_chunk':
        return this.#user(update);
      case 'user_message': {
        const id = str(update, 'messageId');
        if (id !== undefined) this.userIds.add(id);
        return;
      }
      case 'agent_message_chunk':
      case 'agent_thought_chunk':
        this.agentIds ||= str(update, 'messageId') !== undefined;
        return;
      case 'tool_call':
      case 'tool_call_update': {
        // What it holds may be large, and only its status matters here.
        const [toolCallId, status] = [str(update, 'toolCallId'), str(update, 'status')];
        const lean = { ...read, update: defined({ toolCallId, status }) };
        return applyUpdate(this.#state, lean, this.#now);
      }
      case 'state_update':
      case 'terminal_update':
      case 'terminal_output_chunk':
        return applyUpdate(this.#state, read, this.#now);
      case 'usage_update':
      case 'available_commands_update':
        return this.#snapshot(variant);
      case 'compaction_update':
      case 'compaction_summary_chunk':
        return this.#compaction(variant, update);
    }
  }

  /** The echo of a prompt says what the prompt said, and gives it its id. */
  #user(update: JsonObject): void {
    const id = str(update, 'messageId');
    if (id !== undefined) this.userIds.add(id);
    if (this.#acp === 2) return;
    const [echoes, piece] = pieceOf(this.#echoes, contentPart(get(update, 'content')), id);
    this.#echoes = echoes;
    const known = piece && this.prompts.get(piece.of);
    if (!known || piece.is === 'departure') {
      // What seemed an echo was another message.
      if (known) known.messageId = undefined;
      if (known) for (const place of this.#echo) this.skipped.delete(place);
      this.userBare ||= id === undefined;
      return;
    }
    if (piece.is === 'begin') this.#echo = [];
    this.#echo.push(this.#place);
    known.messageId ??= id;
    this.skipped.add(this.#place);
  }

  /** Where in the fold an entry stands: no more than its place is known of it. */
  get #now() {
    const flags = { replay: false, late: false, restoring: false };
    return { seq: seq(this.#place + 1), at: millis(0), ...flags };
  }

  /** The last one says all that those before it said. */
  #snapshot(variant: string): void {
    const before = this.#snapshots.get(variant);
    if (before !== undefined) this.skipped.add(before);
    this.#snapshots.set(variant, this.#place);
  }

  /** Told once, whole, where it began. */
  #compaction(variant: string, update: JsonObject): void {
    const id = str(update, 'compactionId');
    if (id === undefined) return;
    const place = this.#compacting.get(id) ?? this.#place;
    this.#compacting.set(id, place);
    this.skipped.add(this.#place);
    const before = this.compactions.get(place) ?? {};
    if (variant === 'compaction_update') {
      this.compactions.set(place, { ...before, ...update });
      return;
    }
    const summary = get(before, 'summary');
    const content = get(update, 'content');
    const blocks = [
      ...(isArray(summary) ? summary : []),
      ...(content === undefined ? [] : [content]),
    ];
    this.compactions.set(place, { compactionId: id, ...before, summary: blocks });
  }
}
