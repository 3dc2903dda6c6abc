// The composer: one message being written for the connection looked at, kept as a draft, sent as
// one exact line. It never corrects what a person typed; it says what would go out.
import { parseJson, str } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import type { SentRecord } from '../../engine/messages.ts';
import type { HeldFrame, OpenRequest, SessionFacts } from '../../model/facts/facts-view.ts';
import { rootSession } from '../../model/sessions/session-tree.ts';
import type { ConnectionId, FrameRef } from '../../trace/event.ts';
import type { Page } from '../page.ts';
import {
  asKind,
  editable,
  isKind,
  kindOf,
  missingIn,
  outgoing,
  withId,
  type ComposerKind,
  type Outgoing,
} from './composer-line.ts';
import { TextDraft } from '../draft.ts';
import { SavedTexts } from '../saved-texts.svelte.ts';
import type { PlaceholderValues } from './placeholders.ts';

export class Composer {
  readonly #page: Page;
  readonly #draft: TextDraft;
  #connection: ConnectionId | undefined;
  /** Results that answer a request of the agent, by its method. */
  #rights: Readonly<Record<string, Json>> = {};
  kind = $state<ComposerKind>('request');
  text = $state('');
  /** The id a request should carry, as JSON. */
  nextId = $state('1');
  sent = $state.raw<readonly SentRecord[]>([]);
  /** Why the last sending failed. */
  problem = $state.raw<string | undefined>();
  /** Sending was tried with a text that is no JSON: time to say so aloud. */
  tried = $state(false);
  /** Grows when the text was replaced from outside the editor, which then takes it over. */
  stamp = $state(0);
  /** A frame that an intercept holds is written here: what is sent goes on in its place. */
  held = $state.raw<(FrameRef & Pick<HeldFrame, 'from'>) | undefined>();
  /** What was written here before, which comes back once that has gone. */
  #aside: { readonly kind: ComposerKind; readonly text: string } | undefined;
  /** A message was brought here to edit: the editor takes the focus, and says so. */
  summoned = $state(false);

  constructor(page: Page) {
    this.#page = page;
    this.#draft = new TextDraft(page.engine.library);
  }

  arrived(): void {
    this.summoned = false;
  }

  /** Messages that a person saved by name. */
  readonly saved = new SavedTexts('messages');
  /** The id of the newest message of the session; undefined: no message has an id, or nobody asked yet. */
  #lastMessageId = $state.raw<string | undefined>();
  /** The session that a request names. A client requests nothing of a child session but a cancel. */
  root: SessionFacts | undefined = $derived.by(() => {
    const { session, facts } = this.#page;
    return session && rootSession(facts?.sessions ?? [], session);
  });
  values: PlaceholderValues = $derived.by(() => {
    const [sessionId, lastMessageId] = [this.root?.sessionId, this.#lastMessageId];
    const cwd = this.root?.cwd ?? this.#page.facts?.started?.cwd;
    return {
      ...(sessionId !== undefined && { sessionId }),
      ...(cwd !== undefined && { cwd }),
      ...(lastMessageId !== undefined && { lastMessageId }),
    };
  });
  /** The line that would be sent. A message in the place of a held frame is sent as it is written. */
  outgoing: Outgoing = $derived.by(() =>
    outgoing(this.kind, this.text, this.held ? undefined : this.values),
  );
  missing = $derived.by(() => missingIn(this.kind, this.text));
  /** The text with what it lacks to be a message of its kind. */
  whole = $derived.by(() =>
    this.missing.length > 0 ? asKind(this.kind, this.text, this.nextId) : this.text,
  );
  /** Requests of the agent that an answer can go to. */
  open: readonly OpenRequest[] = $derived.by(() =>
    (this.#page.facts?.open ?? []).filter(({ from }) => from === 'agent'),
  );
  /** Why nothing can be sent to the agent now, in words; undefined: it can. */
  blocked: string | undefined = $derived.by(() => {
    const current = this.#page.current;
    if (!current) return 'Connect an agent first.';
    if (current.mode === 'tap') return 'An editor is the client of this connection.';
    if (current.mode === 'file') return 'This trace is a file: nothing is listening.';
    if (current.lost) return 'The relay has ended, and the agent with it.';
    if (current.state === 'ended') return 'The agent has ended: start it again.';
    if (this.#page.link.status !== 'open') return 'The link to the relay is lost.';
    return undefined;
  });
  /** The frame in whose place it goes, as long as that is held. */
  holds: HeldFrame | undefined = $derived.by(() =>
    this.#page.facts?.intercept?.held.find(({ seq }) => seq === this.held?.seq),
  );
  /** Why what is written here cannot go now: on a tap, it can in the place of a held frame. */
  stopped: string | undefined = $derived.by(() => {
    const { current, canIntercept } = this.#page;
    if (this.held && !this.holds) return 'It has gone on, or was dropped.';
    return this.held && current?.mode === 'tap' && canIntercept ? undefined : this.blocked;
  });

  /** The connection looked at has changed: its draft and its next id. */
  async show(connection: ConnectionId | undefined): Promise<void> {
    if (connection === this.#connection) return;
    // What was written for one is kept for that one: another lives in another folder.
    if (this.#connection !== undefined) this.#put('request', '');
    this.#connection = connection;
    this.held = undefined;
    this.problem = undefined;
    if (connection === undefined) return;
    const [answers, draft, sent] = await Promise.all([
      // No part of the first page; where it does not come, an answer begins empty.
      import('../../acp/answers.ts').catch(() => undefined),
      this.#draft.open(draftKey(connection)),
      this.#page.engine.library.sent(),
      this.#refreshId(),
    ]);
    if (answers) this.#rights = answers.RIGHT_RESULTS;
    this.sent = sent;
    const stored = draft === undefined ? undefined : parseDraft(draft);
    if (connection !== this.#connection || this.#draft.isWritten) return;
    if (stored) this.#put(stored.kind, stored.text);
    else if (this.kind === 'request') this.#put('request', withId(this.text, this.nextId));
  }

  /** A person typed. */
  edit(text: string): void {
    if (text === this.text) return;
    this.text = text;
    this.problem = undefined;
    this.tried = false;
    this.#saveSoon();
  }

  setKind(kind: ComposerKind): void {
    if (kind !== this.kind) this.complete(kind);
  }

  /** Makes it a message of this kind: what is missing of one goes in. */
  complete(kind = this.kind): void {
    const [asked] = kind === 'response' ? this.open : [];
    this.#put(kind, asKind(kind, this.text, tokenOf(asked) ?? this.nextId, this.#rightFor(asked)));
    this.#saveSoon();
  }

  /** Answers this open request of the agent: its exact id goes in. */
  answer(request: OpenRequest): void {
    const id = tokenOf(request) ?? 'null';
    const text =
      this.kind === 'response'
        ? withId(this.text, id)
        : asKind('response', '', id, this.#rightFor(request));
    this.#put('response', text);
    this.#saveSoon();
  }

  /** A template, or a line sent before, to edit and send. A request gets the next id. */
  async fill(text: string): Promise<void> {
    await this.show(this.#page.current?.connection);
    this.held = undefined;
    const kind = kindOf(text);
    if (kind === 'request') await this.#refreshId();
    this.#put(kind, kind === 'request' ? withId(editable(text), this.nextId) : editable(text));
    if (kind === 'raw') this.#put('raw', text);
    this.summoned = true;
    this.#page.panes.openDrawer('composer');
    this.#saveSoon();
  }

  /** A held frame, to go on as it is written here. */
  async hold({ seq, from }: HeldFrame, text: string): Promise<void> {
    const connection = this.#page.current?.connection;
    await this.show(connection);
    const kind = kindOf(text);
    if (!this.held) this.#aside = { kind: this.kind, text: this.text };
    this.#put(kind, kind === 'raw' ? text : editable(text));
    this.held = connection && { connection, seq, from };
    this.summoned = true;
    this.#page.panes.openDrawer('composer');
  }

  /** What is written goes to the agent again, and nothing in the place of a held frame. */
  letGo(): void {
    this.held = undefined;
  }

  /** Writes the line to the agent. `line` stands in for the JSON that does not parse. */
  async send(line?: string): Promise<void> {
    const connection = this.#connection;
    await this.findLastMessage();
    const out = this.outgoing;
    const exact = line ?? (out.ok ? out.line : undefined);
    this.tried = exact === undefined;
    if (this.stopped !== undefined || connection === undefined || exact === undefined) return;
    this.#draft.flush();
    const { connections } = this.#page.engine;
    const { held } = this;
    const problem = await (held?.connection === connection
      ? connections.intercept(connection, { op: 'release', of: held.seq, line: { text: exact } })
      : connections.sendLine(connection, exact));
    this.problem = problem?.message;
    if (problem) return;
    this.held = undefined;
    if (held && this.#aside) {
      this.#put(this.#aside.kind, this.#aside.text);
      this.#saveSoon();
    }
    this.sent = await this.#page.engine.library.sent();
    await this.#refreshId();
    if (this.kind === 'request') this.#put('request', withId(this.text, this.nextId));
  }

  /** Asks for the id of the session's newest message, if the text has the placeholder for the id. */
  async findLastMessage(): Promise<void> {
    const { root } = this;
    const connection = this.#connection;
    if (!root || connection === undefined || !this.text.includes('$lastMessageId')) return;
    const found = await this.#page.engine.restore.candidates(connection, root.sessionId);
    if (root.sessionId !== this.root?.sessionId) return;
    const last = found.findLast(({ field }) => field === 'messageId')?.value;
    this.#lastMessageId = typeof last === 'string' ? last : undefined;
  }

  /** What may answer it by the schema, and allows nothing: to be edited. Undefined: any result may. */
  #rightFor(request: OpenRequest | undefined): string | undefined {
    const right = Object.entries(this.#rights).find(([method]) => method === request?.method);
    return right && JSON.stringify(right[1]);
  }

  async #refreshId(): Promise<void> {
    if (this.#connection)
      this.nextId = await this.#page.engine.connections.nextId(this.#connection);
  }

  #put(kind: ComposerKind, text: string): void {
    this.kind = kind;
    this.text = text;
    this.problem = undefined;
    this.stamp++;
  }

  #saveSoon(): void {
    this.#draft.save(JSON.stringify({ kind: this.kind, text: this.text }));
  }
}

function draftKey(connection: ConnectionId): string {
  return `composer:${connection}`;
}

/** The exact JSON token of an open request's id, shown as `←0`. */
function tokenOf(request: OpenRequest | undefined): string | undefined {
  return request?.id.slice(1);
}

function parseDraft(draft: string): { kind: ComposerKind; text: string } | undefined {
  const value = parseJson(draft);
  const [kind, text] = [str(value, 'kind'), str(value, 'text')];
  return isKind(kind) && text !== undefined ? { kind, text } : undefined;
}
