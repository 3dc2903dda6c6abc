// A run of restores, each on a fresh connection: every variant once, or one of them several times.
// What came of each is read from the traces, so a run outlives a reload; only its progress is here.
import { tick } from 'svelte';
import type { RestoreAsk, TraceSummary } from '../../engine/messages.ts';
import { shutGate } from '../../acp/gate.ts';
import type { ThenPrompt } from '../../drive/restore-try.ts';
import { canBeTold } from '../../model/restore/knows-it.ts';
import {
  restoreVariants,
  type RestoreVariant,
  type ShapeId,
} from '../../model/restore/restore-shapes.ts';
import type { ConnectionId } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';
import type { RestoreOutcomes } from './restore-outcomes.svelte.ts';
import type { RestoreSetup } from './restore-setup.svelte.ts';

interface RunProgress {
  readonly id: string;
  /** The connection it was begun on. */
  readonly like: ConnectionId;
  readonly total: number;
  readonly done: number;
  /** The variant that is being tried. */
  readonly label: string;
}

/** Not sent, and why. */
interface NotSent {
  readonly label: string;
  readonly words: string;
}

/** By version: why the agent refuses all of it. */
type Refused = Partial<Record<1 | 2, string>>;

const TIMES = 10;

interface RunForm {
  readonly sessionId: string;
  readonly cwd: string;
  readonly setup: RestoreSetup;
  readonly shape: ShapeId;
  readonly cursor: string;
  readonly customCursors: Parameters<typeof restoreVariants>[0];
  readonly outcomes: RestoreOutcomes;
  refresh(): Promise<void>;
  watch(): void;
  sendWhenReady(sessionId: string): void;
}

export class RestoreRun {
  readonly #app: App;
  readonly #form: RunForm;
  progress = $state.raw<RunProgress | undefined>();
  /** The run begun last in this page. */
  begun = $state.raw<{ readonly id: string; readonly session: string } | undefined>();
  /** What the agent was not asked in it. */
  notSent = $state.raw<readonly NotSent[]>([]);
  #cancelled = false;
  #isStarting = false;

  /** Prompt a copy of the session after each restore. */
  prompts = $state(false);
  question = $state('What did I ask first?');

  constructor(app: App, form: RunForm) {
    this.#app = app;
    this.#form = form;
  }

  /** Every variant that the agent may speak. */
  variants: readonly RestoreVariant[] = $derived.by(() =>
    restoreVariants(this.#form.customCursors, this.#hasChildren).filter(({ version }) =>
      this.speaks(version),
    ),
  );
  /** True unless the agent answered a request for a higher version with a lower one than this. */
  speaks(version: 1 | 2): boolean {
    const { asked = 0, version: most = asked } = this.#app.facts?.handshake ?? {};
    return version <= most || asked <= most;
  }
  /** A trace knows child sessions of the session. */
  #hasChildren: boolean = $derived.by(() =>
    [this.#app, ...this.#app.traces].some(({ facts }) =>
      facts?.sessions.some(({ parent }) => parent === this.#form.sessionId),
    ),
  );
  /** The shape in the form, as a variant; undefined: a raw line belongs to no variant. */
  one: RestoreVariant | undefined = $derived.by(() => {
    const { shape, cursor } = this.#form;
    if (shape === 'raw') return undefined;
    const version = shape === 'load' || shape === 'resume' ? 1 : 2;
    const label = [`v${version}`, shape, cursor].filter(Boolean).join(' ');
    return { label, version, shape, cursor };
  });

  /** Where the prompt goes: a fork where the agent can, else a session made for it. */
  on: ThenPrompt['on'] = $derived.by(() => {
    const handshake = this.#app.facts?.handshake;
    if (handshake === undefined) return 'lab';
    return shutGate('session/fork', 'client', this.#app.version, handshake) ? 'lab' : 'fork';
  });

  /** Why no answer to the question can show that the agent knows the session; undefined: one can. */
  untold: string | undefined = $derived.by(() => {
    const { background } = this.#form.outcomes;
    if (!this.prompts || this.on !== 'fork' || background === undefined) return undefined;
    const { firstPrompt } = background;
    if (firstPrompt === undefined) return 'No trace here holds the first prompt of the session';
    if (canBeTold(firstPrompt)) return undefined;
    return `The first prompt, “${firstPrompt.trim()}”, has no word of four letters or more`;
  });

  /** At most: what is rejected is not prompted. */
  promptsOf(tries: number): number {
    return this.prompts ? tries * (this.on === 'fork' ? 1 : 2) : 0;
  }

  /** Running connections, other than this one and those of runs, that have the session open. */
  elsewhere: readonly TraceSummary[] = $derived.by(() =>
    this.#app.traces.filter(
      ({ connection, state, group, facts }) =>
        state === 'running' &&
        group === undefined &&
        connection !== this.#app.current?.connection &&
        facts?.sessions.some(
          ({ sessionId, active }) => active && sessionId === this.#form.sessionId,
        ) === true,
    ),
  );
  /** This connection has it open itself. */
  isOpenHere: boolean = $derived.by(
    () =>
      this.#app.current?.state === 'running' &&
      this.#app.facts?.sessions.some(
        ({ sessionId, active }) => active && sessionId === this.#form.sessionId,
      ) === true,
  );

  /** What the session's frames offer as cursors is asked again, unless a price was named for these. */
  async sendAll(): Promise<void> {
    if (this.#isStarting) return;
    this.#isStarting = true;
    if (!this.prompts) await this.#form.refresh();
    this.#isStarting = false;
    await this.#run('Restore variants', this.variants);
  }

  /** The agent of the form is started again, and the line goes as soon as it has shaken hands. */
  async startAgain(): Promise<void> {
    const { current, library } = this.#app;
    const { sessionId } = this.#form;
    if (!current || this.#isStarting) return;
    this.#isStarting = true;
    const connection = await library.startAgain(current.connection);
    this.#isStarting = false;
    if (connection === undefined) return;
    await this.#app.show(connection, 'session');
    // What is shown has settled: whoever goes elsewhere does not wait.
    await tick();
    this.#form.sendWhenReady(sessionId);
  }

  /** Once, on a new connection; nothing is prompted. */
  async sendFresh(variant = this.one): Promise<void> {
    if (variant) await this.#run('On a new connection', [variant], false);
  }

  /** The same request several times gives a rate. */
  async repeat(): Promise<void> {
    const { one } = this;
    if (!one) return;
    const tries = Array.from({ length: TIMES }, (_, i) => ({
      ...one,
      label: `${one.label} · ${i + 1}`,
    }));
    await this.#run(`${one.label} × ${TIMES}`, tries);
  }

  /** The try that is under way ends with its agent. */
  cancel(): void {
    this.#cancelled = true;
    for (const { connection, group, state } of this.#app.traces)
      if (group?.id === this.progress?.id && state === 'running')
        void this.#app.engine.connections.stop(connection, 'kill');
  }

  /** `isSet`: they are prompted where that is wished. */
  async #run(title: string, tries: readonly RestoreVariant[], isSet = true): Promise<void> {
    const like = this.#app.current?.connection;
    if (like === undefined || this.progress) return;
    const id = `restore-${Date.now()}`;
    this.#cancelled = false;
    const refused: Refused = {};
    const ask = await this.#asker(like, id, title, isSet && this.prompts);
    this.begun = { id, session: this.#form.sessionId };
    this.notSent = [];
    for (const [done, variant] of tries.entries()) {
      if (this.#cancelled) break;
      const { label, version } = variant;
      this.progress = { id, like, total: tries.length, done, label };
      const words = refused[version] ?? (await this.#try(ask(variant), version, refused));
      if (words === undefined) continue;
      this.notSent = [...this.notSent, { label, words }];
    }
    this.progress = undefined;
    await this.#form.refresh();
  }

  /** Why nothing was sent; undefined: it was. What the agent does not speak need not be asked again. */
  async #try(ask: RestoreAsk, version: 1 | 2, refused: Refused): Promise<string | undefined> {
    const tried = await this.#app.engine.restore.tryRestore(ask);
    this.#form.watch();
    switch (tried.kind) {
      case 'sent':
        return undefined;
      case 'other version':
        return (refused[version] = `the agent does not speak v${version}`);
      case 'failed':
        return tried.message;
    }
  }

  async #asker(
    like: ConnectionId,
    id: string,
    title: string,
    prompts: boolean,
  ): Promise<(variant: RestoreVariant) => RestoreAsk> {
    const { sessionId, cwd, setup } = this.#form;
    const known = await this.#app.engine.restore.background(sessionId, like);
    const word = `MARLIN${String(Date.now()).slice(-5)}`;
    const then: ThenPrompt | undefined = !prompts
      ? undefined
      : this.on === 'fork'
        ? { on: 'fork', prompt: this.question }
        : {
            on: 'lab',
            tell: `Remember the word ${word}. Reply with OK.`,
            prompt: 'Which word did I ask you to remember? Reply with the word.',
          };
    const expects = then?.on === 'lab' ? word : then && known.firstPrompt;
    return (variant) => ({
      like,
      run: { id, title, session: sessionId, ...(expects === undefined ? {} : { expects }) },
      label: variant.label,
      version: variant.version,
      ...(variant.takesChildren && { takesChildren: true }),
      parts: {
        shape: variant.shape,
        cursor: variant.cursor,
        sessionId,
        cwd,
        mcpServers: setup.serversFor(variant.version),
        additionalDirectories: setup.directoriesJson,
      },
      ...(then && { then }),
    });
  }
}
