// The session view: everything known of the session looked at, and what is begun from there: its agent started
// again, and a restore that was not tried yet.
import { untrack } from 'svelte';
import { shutGate } from '../../acp/gate.ts';
import type { TraceSummary } from '../../engine/messages.ts';
import type { HandshakeView } from '../../model/facts/facts-view.ts';
import {
  SHAPES,
  variantOf,
  type ShapeFacts,
  type ShapeId,
} from '../../model/restore/restore-shapes.ts';
import type { ConnectionId } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';
import { keptWith } from '../kept.svelte.ts';
import { restoreForm } from '../restore/open.ts';
import { Hub } from './hub.svelte.ts';

interface RestoreToCome {
  readonly connection: ConnectionId;
  readonly sessionId: string;
}

/** The one of the page: of the session looked at. */
export const sessionView = keptWith((app) => {
  const view = new SessionView(app);
  $effect(() => view.goOn());
  return view;
});

class SessionView {
  readonly #app: App;
  readonly hub: Hub;
  /** What is being sent of what was not tried. */
  trying = $state.raw<ShapeId | undefined>();
  /** What an agent refused to be asked, by session. */
  #refused = $state.raw<readonly string[]>([]);
  /** A session to restore as soon as the agent started for it has shaken hands. */
  #awaited = $state.raw<RestoreToCome | undefined>();

  constructor(app: App) {
    this.#app = app;
    this.hub = new Hub(app, { session: () => app.session?.sessionId });
  }

  /** The agent is being started again. */
  get isStarting(): boolean {
    return this.#awaited !== undefined;
  }

  /** The newest connection to start again from; undefined: one of the session runs, or none was ours. */
  ended: TraceSummary | undefined = $derived.by(() => {
    const on = this.hub.told?.connections.map(({ connection }) => connection) ?? [];
    const ours = this.#app.traces.filter(
      ({ connection, mode, group }) =>
        on.includes(connection) && mode === 'drive' && group === undefined,
    );
    if (ours.some(({ state }) => state === 'running')) return undefined;
    return ours.toSorted((a, b) => b.number - a.number)[0];
  });

  /** The same command again, and the plainest restore of the session that it offers. */
  async startAgain(): Promise<void> {
    const { sessionId } = this.hub;
    if (!this.ended || sessionId === undefined || this.#awaited) return;
    const connection = await this.#app.library.startAgain(this.ended.connection);
    if (connection === undefined) return;
    this.#awaited = { connection, sessionId };
    await this.#app.show(connection, 'session');
  }

  /** Call in an effect: restores the session when the agent started for it is ready. */
  goOn(): void {
    const awaited = this.#awaited;
    const { current, facts, canSend } = this.#app;
    if (!awaited || current === undefined) return;
    const isGone = current.connection === awaited.connection && current.state === 'ended';
    const isElsewhere = current.connection !== awaited.connection && current.state === 'running';
    if (isGone || isElsewhere || facts?.handshake?.error !== undefined) {
      untrack(() => (this.#awaited = undefined));
      return;
    }
    const version = facts?.handshake?.version;
    if (current.connection !== awaited.connection || version === undefined || !canSend) return;
    untrack(() => void this.#restore(awaited, facts?.handshake));
  }

  async #restore({ connection, sessionId }: RestoreToCome, handshake: HandshakeView | undefined) {
    this.#awaited = undefined;
    const form = await restoreForm(this.#app);
    form.choose(sessionId);
    form.setShape(plainestOf(handshake));
    await form.send();
    await this.#app.pickSession(connection, sessionId, 'session');
    this.hub.unchoose();
  }

  // What was not tried yet.

  untried: readonly ShapeFacts[] = $derived.by(() => {
    const session = this.hub.sessionId;
    // Asked for more, it answered that this is the most it speaks.
    const { asked = 0, version: most = asked } = this.#app.facts?.handshake ?? {};
    const tried = this.hub.told?.restores.map(
      ({ window }) => `${window.version} ${variantOf(window).name}`,
    );
    return SHAPES.filter(
      ({ id, version, name }) =>
        version !== undefined &&
        (version <= most || asked <= most) &&
        id !== 'custom' &&
        !tried?.includes(`${version} ${name}`) &&
        !this.#refused.includes(`${session} v${version}`),
    );
  });
  /** On a connection of the command looked at. */
  get canTry(): boolean {
    const { current, link } = this.#app;
    return current?.mode === 'drive' && link.status === 'open' && this.trying === undefined;
  }
  /** Sends it on a fresh connection; nothing is prompted. */
  async tryShape({ id, version }: ShapeFacts): Promise<void> {
    const session = this.hub.sessionId;
    if (session === undefined || !this.canTry) return;
    this.trying = id;
    const form = await restoreForm(this.#app);
    form.choose(session);
    form.setShape(id);
    const before = form.run.begun;
    await form.run.sendFresh();
    this.trying = undefined;
    const refused = form.run.begun === before ? undefined : form.run.notSent[0];
    if (!refused) return;
    this.#refused = [...this.#refused, `${session} v${version}`];
    this.#app.tell('warn', `Not sent: ${refused.words}.`);
  }
}

/** What brings the whole history back; else what brings the session back at all. */
function plainestOf(handshake: HandshakeView | undefined): 'load' | 'resume' | 'start' {
  if (handshake?.version !== 1) return 'start';
  const isShut = (method: 'session/load' | 'session/resume') =>
    shutGate(method, 'client', 1, handshake) !== undefined;
  return isShut('session/load') && !isShut('session/resume') ? 'resume' : 'load';
}
