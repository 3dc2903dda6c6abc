// The Session view: the request for a session, and everything known of the session it names.
import { variantOf, type RestoreVariant } from '../../model/restore/restore-shapes.ts';
import type { App } from '../../state/app.svelte.ts';
import { keptWith } from '../../state/kept.svelte.ts';
import { restoreForm } from '../../state/restore/open.ts';
import type { RestoreForm } from '../../state/restore/restore.svelte.ts';
import { Hub } from '../../state/session/hub.svelte.ts';

/** The one of the page. */
export const sessionView = keptWith(async (app) => new SessionView(app, await restoreForm(app)));

export class SessionView {
  readonly #app: App;
  readonly form: RestoreForm;
  readonly hub: Hub;
  /** Label of the variant that is being sent. */
  trying = $state.raw<string | undefined>();
  /** Variants that no agent took, by session and version. */
  #refused = $state.raw<readonly string[]>([]);
  /** What does not fit one line of the request is shown. */
  hasMore = $state(false);
  /** The lanes by the clock are shown. */
  hasLanes = $state(false);

  constructor(app: App, form: RestoreForm) {
    this.#app = app;
    this.form = form;
    this.hub = new Hub(app, { session: () => this.sessionId });
  }

  /** The session shown: the one picked in the request, else the one of the page. */
  sessionId: string | undefined = $derived.by(() => {
    const { sessionId, isPicked } = this.form;
    const own = isPicked ? undefined : this.#app.session?.sessionId;
    return own ?? (sessionId || undefined);
  });
  /** The session that owns it; undefined: it is no child session, and can be asked for. */
  parent: string | undefined = $derived.by(
    () =>
      this.#app.facts?.sessions.find(({ sessionId }) => sessionId === this.sessionId)?.parent ??
      undefined,
  );

  /** The variants that were not sent yet; of malformed cursors the first stands for all. */
  untried: readonly RestoreVariant[] = $derived.by(() => {
    const { told } = this.hub;
    const { variants } = this.form.run;
    if (!told || this.parent !== undefined) return [];
    const sent = told.restores.flatMap(({ window, run }) => [
      `${window.version} ${variantOf(window).name}`,
      ...(run ? [run.label] : []),
    ]);
    const isFirst = ({ version, shape }: RestoreVariant, at: number) =>
      at === variants.findIndex((one) => one.version === version && one.shape === shape);
    return variants.filter((variant, at) => {
      const { label, version, shape, takesChildren } = variant;
      if (shape === 'custom' || this.#refused.includes(`${this.sessionId} v${version}`))
        return false;
      return takesChildren
        ? !sent.includes(label)
        : isFirst(variant, at) && !sent.includes(`${version} ${shape}`);
    });
  });
  /** Sends one on a new connection; nothing is prompted. */
  async tryVariant(variant: RestoreVariant): Promise<void> {
    const { form, sessionId, trying } = this;
    if (sessionId === undefined || trying !== undefined) return;
    this.trying = variant.label;
    form.choose(sessionId);
    const before = form.run.begun;
    await form.run.sendFresh(variant);
    this.trying = undefined;
    const refused = form.run.begun === before ? undefined : form.run.notSent[0];
    if (!refused) return;
    this.#refused = [...this.#refused, `${sessionId} v${variant.version}`];
    this.#app.tell('warn', `Not sent: ${refused.words}.`);
  }
}
