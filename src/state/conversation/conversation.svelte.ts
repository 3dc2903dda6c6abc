// The session looked at, as a client should hold it at the playhead or at the live end: what the page
// has of it, grown by what is new, and what a person does in it.
import { defined } from '../../lib/defined.ts';
import type { Json } from '../../acp/message.ts';
import type { ConversationItem, TerminalView } from '../../model/sessions/conversation-view.ts';
import type { ConfigOption } from '../../model/facts/facts-view.ts';
import type { StateView } from '../../model/fold/look.ts';
import type { DiffPart } from '../../model/sessions/line-diff.ts';
import type { TextOrigin } from '../../model/fold/patch.ts';
import type { ConnectionId, Seq } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';
import { PageConnection } from '../connections/connection.svelte.ts';
import { TextDraft } from '../draft.ts';
import { Attachments } from './attachments.svelte.ts';

/** Items read at once; earlier ones when they are asked for. */
const PAGE = 200;
/** So far back an item is looked for. */
const FARTHEST = 2000;

/** The lines of a diff that would hold up the page. */
export const diffByEngine = ({ engine }: App, part: DiffPart) => engine.sessions.longDiff(part);

export class Conversation {
  readonly #app: App;
  readonly #at: () => Seq | undefined;
  readonly #connection: PageConnection;
  readonly #draft: TextDraft;
  #of: string | undefined;
  #most = PAGE;
  #busy = false;
  #again = false;
  /** Everything beside the items; undefined until it is read. */
  view = $state.raw<StateView | undefined>();
  /** The last of all items; `view.from` are before them. */
  items = $state.raw<readonly ConversationItem[]>([]);
  #outputs = $state.raw<StateView['outputs']>([]);
  #prompt = $state('');
  /** The files that go along with the prompt. */
  readonly attached: Attachments;

  /** `at`: the frame it is read at, if that is not the playhead. */
  constructor(app: App, at: () => Seq | undefined = () => app.playhead) {
    this.#app = app;
    this.#at = at;
    this.attached = new Attachments(app);
    this.#connection = new PageConnection(app);
    this.#draft = new TextDraft(app.engine.library);
  }

  terminals: readonly TerminalView[] = $derived.by(() =>
    (this.view?.terminals ?? []).map(({ terminalId, command, exit, last }) => ({
      ...{ terminalId, last, ...defined({ command, exit }) },
      output: this.#outputs.find((one) => one.terminalId === terminalId)?.bytes ?? new Uint8Array(),
    })),
  );
  /** The frame behind which it stands so; undefined: at the live end. */
  get at(): Seq | undefined {
    return this.#at();
  }
  /** Why the last thing done here failed. */
  get problem(): string | undefined {
    return this.#connection.problem;
  }
  get prompt(): string {
    return this.#prompt;
  }
  set prompt(text: string) {
    this.#prompt = text;
    this.#draft.save(text);
  }

  running: boolean = $derived.by(() => {
    const session = this.#app.session;
    if (!session) return false;
    return session.prompts.length > 0 || ['running', 'requires_action'].includes(session.turn);
  });

  /** Reads what is new. Called whenever facts or the playhead change; one reading at a time. */
  async sync(connection: ConnectionId | undefined, sessionId: string | undefined): Promise<void> {
    const of = `${connection}\n${sessionId}`;
    if (of !== this.#of) {
      this.#of = of;
      this.view = undefined;
      this.items = [];
      this.#outputs = [];
      this.#most = PAGE;
      this.#connection.problem = undefined;
      if (sessionId !== undefined) void this.#openDraft(`prompt:${connection}:${sessionId}`);
    }
    if (connection === undefined || sessionId === undefined) return;
    if (this.#busy) {
      this.#again = true;
      return;
    }
    this.#busy = true;
    const { at } = this;
    const view = await this.#app.engine.sessions
      .conversation(connection, sessionId, {
        ...(at === undefined ? {} : { at }),
        since: this.view?.version ?? 0,
        most: this.#most,
      })
      .finally(() => (this.#busy = false));
    if (of === this.#of) this.#take(view);
    if (this.#again || of !== this.#of) {
      this.#again = false;
      await this.#syncNow();
    }
  }

  /** Reads a page of earlier items. */
  async more(): Promise<void> {
    this.#most += PAGE;
    await this.#syncNow();
  }

  /** The items of these keys, also if earlier ones must be read for them. */
  async holding(keys: readonly string[]): Promise<readonly ConversationItem[]> {
    const held = () => this.items.filter(({ key }) => keys.includes(key));
    if (held().length > 0 || (this.view?.from ?? 0) === 0 || this.#most >= FARTHEST) return held();
    this.#most = FARTHEST;
    await this.#syncNow();
    return held();
  }

  async #syncNow(): Promise<void> {
    const { current, session } = this.#app;
    await this.sync(current?.connection, session?.sessionId);
  }

  #take(view: StateView): void {
    const before = this.view?.from ?? 0;
    const items = Array.from({ length: view.total - view.from }, (_, i) => {
      return this.items[view.from + i - before];
    });
    for (const { index, item } of view.items) items[index - view.from] = item;
    this.items = items.filter((item) => item !== undefined);
    const fresh = view.outputs;
    if (fresh.length > 0) {
      const isFresh = (id: string) => fresh.some(({ terminalId }) => terminalId === id);
      const others = this.#outputs.filter(({ terminalId }) => !isFresh(terminalId));
      this.#outputs = [...others, ...fresh];
    }
    this.view = view;
  }

  async #openDraft(key: string): Promise<void> {
    this.#prompt = '';
    void this.attached.open(key);
    const kept = await this.#draft.open(key);
    if (kept !== undefined) this.#prompt = kept;
  }

  /** Which frames brought which parts of an item's text. */
  async spansOf({ key, first, last }: ConversationItem): Promise<readonly TextOrigin[]> {
    const { current, session } = this.#app;
    if (!current || !session) return [];
    return this.#app.engine.sessions.provenance(
      current.connection,
      session.sessionId,
      key,
      first,
      last,
    );
  }

  async sendPrompt(): Promise<void> {
    const text = this.#prompt;
    const isSilent = text.trim() === '';
    if (isSilent && this.attached.files.length === 0) return;
    this.prompt = '';
    this.#draft.flush();
    const { blocks, back } = this.attached.take();
    const prompt = [...(isSilent ? [] : [{ type: 'text', text }]), ...blocks];
    try {
      await this.#ask('session/prompt', (sessionId) => ({ sessionId, prompt }));
    } catch (fault) {
      if (this.#prompt === '') this.prompt = text;
      back();
      throw fault;
    }
  }

  async cancel(): Promise<void> {
    const connection = this.#app.current?.connection;
    const sessionId = this.#app.session?.sessionId;
    if (connection && sessionId !== undefined)
      await this.#app.engine.connections.notify(connection, 'session/cancel', { sessionId });
  }

  setMode(modeId: string): Promise<void> {
    return this.#ask('session/set_mode', (sessionId) => ({ sessionId, modeId }));
  }

  setConfig(option: ConfigOption, value: Json): Promise<void> {
    const type = option.type === 'boolean' ? 'boolean' : this.#app.version === 2 ? 'id' : undefined;
    return this.#ask('session/set_config_option', (sessionId) => ({
      sessionId,
      configId: option.id,
      ...(type === undefined ? {} : { type }),
      value,
    }));
  }

  /** In the folder the agent was started in; it becomes the one looked at. */
  async newSession(): Promise<void> {
    const cwd = this.#app.facts?.started?.cwd;
    if (cwd !== undefined) await this.#connection.newSession(cwd);
  }

  async #ask(method: string, params: (sessionId: string) => Json): Promise<void> {
    const { session } = this.#app;
    if (session) await this.#connection.ask(method, params(session.sessionId));
  }
}
