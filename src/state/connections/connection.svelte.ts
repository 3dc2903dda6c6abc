// What a person asks of the agent by a button: sign in, make and list sessions, and whatever a view
// asks beside. The answers are frames like all others; here only what went wrong is kept, to be read
// where it was asked.
import type { RequestAnswer } from '../../engine/messages.ts';
import type { AuthMethod } from '../../model/facts/facts-view.ts';
import { joinCommand } from '../../lib/split-command.ts';
import { CODE, type Json } from '../../acp/message.ts';
import { str } from '../../acp/json.ts';
import type { ConnectionId } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';

/** Of a child session, which takes nothing else. */
export async function cancelWork(
  app: App,
  connection: ConnectionId,
  sessionId: string,
): Promise<void> {
  await app.engine.connections.notify(connection, 'session/cancel', { sessionId });
}

export class PageConnection {
  readonly #app: App;
  /** The method of the request that is on its way. */
  asking = $state.raw<string | undefined>();
  /** Why the last thing asked here failed. */
  problem = $state.raw<string | undefined>();

  constructor(app: App) {
    this.#app = app;
  }

  /** It becomes the one looked at, unless another connection is looked at by then. */
  async newSession(
    cwd: string,
    more: { readonly [field: string]: Json } = { mcpServers: [] },
  ): Promise<void> {
    const connection = this.#app.current?.connection;
    const answer = await this.ask('session/new', { cwd, ...more });
    const sessionId = answer?.kind === 'result' ? str(answer.result, 'sessionId') : undefined;
    const { current, view } = this.#app;
    if (connection === undefined || connection !== current?.connection) return;
    // The view is the person's, who may have gone on meanwhile.
    if (sessionId !== undefined) await this.#app.pickSession(connection, sessionId, view);
  }

  /** The first page, or the one after what is known. */
  async listSessions(more: boolean): Promise<void> {
    const cursor = more ? this.#app.facts?.listCursor : undefined;
    await this.ask('session/list', cursor === undefined ? {} : { cursor });
  }

  async signIn(method: AuthMethod): Promise<void> {
    await this.ask(this.#app.version === 1 ? 'authenticate' : 'auth/login', {
      methodId: method.id,
    });
  }

  /** What to run in a terminal for a method that signs in there. */
  terminalCommand(method: AuthMethod): string {
    const env = Object.entries(method.env).map(([name, value]) => `${name}=${value} `);
    return env.join('') + joinCommand([...(this.#app.facts?.started?.argv ?? []), ...method.args]);
  }

  async ask(method: string, params: Json): Promise<RequestAnswer | undefined> {
    const connection = this.#app.current?.connection;
    if (!connection) return undefined;
    this.problem = undefined;
    this.asking = method;
    const answer = await this.#app.engine.connections.request(connection, method, params);
    this.asking = undefined;
    // The ask for a sign-in is a fact of the connection, shown with the ways to sign in.
    if (answer.kind === 'error' && answer.code !== CODE.authRequired)
      this.problem = `${method} failed: ${answer.code} ${answer.message}`;
    if (answer.kind === 'ended') this.problem = answer.message;
    return answer;
  }
}
