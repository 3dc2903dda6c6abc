// What came of restores: every one of the session in the form, and of the line sent last, with the
// likely causes where it failed.
import type { FrameDetail, SessionRestore } from '../../engine/messages.ts';
import type { SessionBackground } from '../../model/restore/session-background.ts';
import { isObject, get, num, str } from '../../acp/json.ts';
import { causesOf, type Cause } from '../../model/restore/restore-causes.ts';
import { askedFor } from '../../model/restore/restore-shapes.ts';
import type { ConnectionId } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';
import type { SessionChoice } from './restore-sessions.ts';

/** Where it was sent, what was newest there, and what it asked for. */
interface Sent {
  readonly connection: ConnectionId;
  readonly after: number;
  readonly asked: string;
}

/** What came of a line, with its request and its answer as they crossed. */
interface Came {
  readonly of: Sent;
  readonly result: SessionRestore;
  readonly request: FrameDetail;
  readonly answer: FrameDetail | undefined;
}

interface OutcomesForm {
  readonly sessionId: string;
  readonly line: string;
  readonly choices: readonly SessionChoice[];
}

export class RestoreOutcomes {
  readonly #app: App;
  readonly #form: OutcomesForm;
  /** Every restore of the session, in the order they were sent. */
  all = $state.raw<readonly SessionRestore[]>([]);
  /** What all traces know of the session. */
  background = $state.raw<SessionBackground | undefined>();
  #sent = $state.raw<Sent | undefined>();
  #came = $state.raw<Came | undefined>();

  constructor(app: App, form: OutcomesForm) {
    this.#app = app;
    this.#form = form;
  }

  /** What came of the line sent last; undefined: nothing yet, or it was sent elsewhere. */
  last: SessionRestore | undefined = $derived.by(() => this.#shown?.result);
  /** The line asks for something else than the one sent last: what came is not of it. */
  isOld: boolean = $derived.by(() => this.#sent?.asked !== askedFor(this.#form.line));
  causes: readonly Cause[] = $derived.by(() => this.#causes());

  /** This line goes out now: what comes of it is told. */
  expect(connection: ConnectionId, line: string): void {
    const seqs = this.all
      .filter((result) => result.connection === connection)
      .map(({ window }) => window.request);
    const { state } = this.#app.timeline;
    const newest = state?.connection === connection ? state.last : 0;
    const after = Math.max(newest, ...seqs);
    this.#sent = { connection, after, asked: askedFor(line) };
  }

  clear(): void {
    this.#sent = undefined;
  }

  async refresh(): Promise<void> {
    const { engine, current } = this.#app;
    const { sessionId } = this.#form;
    const isNamed = sessionId !== '';
    const [all, background] = await Promise.all([
      isNamed ? engine.restore.restores(sessionId) : [],
      isNamed && current ? engine.restore.background(sessionId, current.connection) : undefined,
    ]);
    if (sessionId !== this.#form.sessionId) return;
    this.all = all;
    this.background = background;
    const sent = this.#sent;
    const came = sent && (await this.#cameOf(sent, all));
    if (sent === this.#sent) this.#came = came;
  }

  #shown: Came | undefined = $derived.by(() => {
    const came = this.#came;
    const isHere = came?.of.connection === this.#app.current?.connection;
    return isHere && came?.of === this.#sent ? came : undefined;
  });

  /** The newest request since then that asks for just this. */
  async #cameOf(sent: Sent, all: readonly SessionRestore[]): Promise<Came | undefined> {
    const { engine } = this.#app;
    const since = all.filter(
      ({ connection, window }) => connection === sent.connection && window.request > sent.after,
    );
    for (const result of since.toReversed()) {
      const { connection, window } = result;
      const request = await engine.timeline.frame(connection, window.request);
      if (!request?.line || !('text' in request.line)) continue;
      if (askedFor(request.line.text) !== sent.asked) continue;
      const answer = window.answer && (await engine.timeline.frame(connection, window.answer));
      return { of: sent, result, request, answer };
    }
    return undefined;
  }

  #causes(): readonly Cause[] {
    const came = this.#shown;
    const session = this.background;
    if (!came || !session) return [];
    const { method, version, request, sessionId } = came.result.window;
    if (method === 'session/fork') return [];
    const error = get(came.answer?.value, 'error');
    const code = num(error, 'code');
    const message = str(error, 'message');
    return causesOf(
      {
        ...{ connection: came.result.connection, request, method, version },
        params: get(came.request.value, 'params'),
        verdict: came.result.verdict,
        ...(isObject(error) && code !== undefined ? { code } : {}),
        ...(message === undefined ? {} : { message }),
      },
      {
        handshake: this.#app.facts?.handshake,
        session,
        others: this.#form.choices
          .filter((choice) => choice.here && choice.sessionId !== sessionId)
          .map(({ sessionId, title, chip }) => ({
            sessionId,
            name: title === undefined ? chip || sessionId.slice(0, 8) : `“${title}”`,
          })),
      },
    );
  }
}
