// The conversation of the session looked at: its items as they grow, and what a person does in it.
import type { Json } from '../acp/message.ts';
import type { ConversationItem, PlanItem, TerminalView } from '../model/conversation-view.ts';
import type { ConfigOption } from '../model/facts-view.ts';
import type { ConnectionId } from '../trace/event.ts';
import type { App } from './app.svelte.ts';
import { Connection } from './connection.svelte.ts';
import { Draft } from './draft.ts';
import { Paced } from './paced.ts';

export class Conversation {
  readonly #app: App;
  readonly #connection: Connection;
  readonly #draft: Draft;
  readonly #outputs = new Paced(() => this.#readTerminals(), 250);
  #of: string | undefined;
  #version = 0;
  #busy = false;
  #again = false;
  #items = $state.raw<readonly ConversationItem[]>([]);
  #terminals = $state.raw<readonly TerminalView[]>([]);
  #prompt = $state('');

  constructor(app: App) {
    this.#app = app;
    this.#connection = new Connection(app);
    this.#draft = new Draft(app.engine);
  }

  get items(): readonly ConversationItem[] {
    return this.#items;
  }
  get terminals(): readonly TerminalView[] {
    return this.#terminals;
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

  plan: PlanItem | undefined = $derived.by(() =>
    this.#items.findLast((item): item is PlanItem => item.type === 'plan'),
  );
  running: boolean = $derived.by(() => {
    const session = this.#app.session;
    if (!session) return false;
    return session.prompts.length > 0 || ['running', 'requires_action'].includes(session.turn);
  });

  /** Reads what is new. Called whenever facts change; one reading at a time. */
  async sync(connection: ConnectionId | undefined, sessionId: string | undefined): Promise<void> {
    const of = `${connection}\n${sessionId}`;
    if (of !== this.#of) {
      this.#of = of;
      this.#version = 0;
      this.#items = [];
      this.#terminals = [];
      this.#connection.problem = undefined;
      if (sessionId !== undefined) void this.#openDraft(`prompt:${connection}:${sessionId}`);
    }
    if (connection === undefined || sessionId === undefined) return;
    if (this.#busy) {
      this.#again = true;
      return;
    }
    this.#busy = true;
    this.#outputs.poke();
    const change = await this.#app.engine
      .conversation(connection, sessionId, this.#version)
      .finally(() => (this.#busy = false));
    if (of === this.#of) {
      const items = this.#items.slice(0, change.total);
      for (const { index, item } of change.items) items[index] = item;
      this.#items = items;
      this.#version = change.version;
    }
    if (this.#again || of !== this.#of) {
      this.#again = false;
      const { current, session } = this.#app;
      await this.sync(current?.connection, session?.sessionId);
    }
  }

  /** Outputs are large: they are read less often than items. */
  async #readTerminals(): Promise<void> {
    const { current, session } = this.#app;
    if (!current || !session) return;
    const terminals = await this.#app.engine.terminals(current.connection);
    if (session.sessionId !== this.#app.session?.sessionId) return;
    this.#terminals = terminals.filter(
      (terminal) => terminal.session === undefined || terminal.session === session.sessionId,
    );
  }

  async #openDraft(key: string): Promise<void> {
    this.#prompt = '';
    const kept = await this.#draft.open(key);
    if (kept !== undefined && this.#prompt === '') this.#prompt = kept;
  }

  async sendPrompt(): Promise<void> {
    const text = this.#prompt;
    if (text.trim() === '') return;
    this.prompt = '';
    this.#draft.flush();
    const prompt = [{ type: 'text', text }];
    await this.#ask('session/prompt', (sessionId) => ({ sessionId, prompt }));
  }

  async cancel(): Promise<void> {
    const connection = this.#app.current?.connection;
    const sessionId = this.#app.session?.sessionId;
    if (connection && sessionId !== undefined)
      await this.#app.engine.notify(connection, 'session/cancel', { sessionId });
  }

  setMode(modeId: string): Promise<void> {
    return this.#ask('session/set_mode', (sessionId) => ({ sessionId, modeId }));
  }

  setConfig(option: ConfigOption, value: Json): Promise<void> {
    const version = this.#app.facts?.handshake?.version ?? 1;
    const type = option.type === 'boolean' ? 'boolean' : version >= 2 ? 'id' : undefined;
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
