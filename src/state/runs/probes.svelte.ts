// The probes of an agent: which are chosen and what they cost, and the report of those that were asked.
import type { ProbeEntry, ProbePrice, RunBegun } from '../../engine/runs/run-messages.ts';
import type { App } from '../app.svelte.ts';
import { markerProblem } from '../../model/probe-texts.ts';
import {
  familiesOf,
  probeIds,
  NOTHING,
  presetIds,
  presetOf,
  kept,
  toggled,
  toolsProbe,
  type ProbePreset,
} from './probe-choice.ts';
import { RunForm } from './run-form.svelte.ts';
import { setOf } from '../sets.ts';
import { probeCases, type TestCase } from './test-cases.ts';

export class Probes extends RunForm<'probes'> {
  catalogue = $state.raw<readonly ProbeEntry[]>([]);
  chosen = $state.raw<ReadonlySet<string>>(NOTHING);
  cost = $state.raw<ProbePrice | undefined>();
  /** What the choice is to be when the catalogue comes, which may be after the first click. */
  #wish: ProbePreset | 'by hand' = 'sessions';

  constructor(app: App) {
    super(app, 'probes');
  }

  families = $derived.by(() => familiesOf(this.catalogue));
  cases: readonly TestCase[] = $derived.by(() =>
    probeCases(this.catalogue, this.canRun ? this.chosen : undefined, this.toldBy),
  );
  /** The preset that is chosen as it is; undefined: another choice. */
  preset: ProbePreset | undefined = $derived.by(() => presetOf(this.catalogue, this.chosen));
  /** What becomes of tool calls, where that can be asked too. */
  tools: ProbeEntry | undefined = $derived.by(() => toolsProbe(this.catalogue, this.chosen));
  asksTools: boolean = $derived.by(
    () => this.tools !== undefined && this.chosen.has(this.tools.id),
  );

  override get textProblem(): string | undefined {
    return markerProblem(this.texts);
  }
  override get price() {
    const { cost } = this;
    if (!this.canRun || !cost) return undefined;
    return { cases: this.chosen.size, prompts: cost.prompts };
  }

  usePreset(preset: ProbePreset): Promise<void> {
    this.#wish = preset;
    return this.#choose(presetIds(this.catalogue, preset));
  }

  /** By hand: these alone. */
  choose(ids: readonly string[]): Promise<void> {
    this.#wish = 'by hand';
    return this.#choose(setOf(ids));
  }

  /** What is chosen, to be taken back later. */
  get choice() {
    return { wish: this.#wish, chosen: this.chosen };
  }
  take({ wish, chosen }: Probes['choice']): Promise<void> {
    this.#wish = wish;
    return this.#choose(chosen);
  }

  async toggleTools(): Promise<void> {
    if (this.tools) await this.#choose(toggled(this.chosen, [this.tools.id]));
  }

  toggle(...ids: readonly string[]): Promise<void> {
    this.#wish = 'by hand';
    return this.#choose(toggled(this.chosen, ids));
  }

  /** Chooses what the report's run left out, and shows what that costs. */
  async takeLeftOut(): Promise<void> {
    const { report } = this;
    if (!report) return;
    if (this.version !== report.version) await this.setVersion(report.version);
    this.#wish = 'by hand';
    await this.#choose(probeIds(report.leftOut));
  }

  protected async load(): Promise<void> {
    const { connection, version } = this;
    if (connection === undefined) return;
    const catalogue = await this.app.engine.runs.probeCatalogue(connection, version);
    if (connection !== this.connection || version !== this.version) return;
    const isFirst = this.catalogue.length === 0;
    const likeOne = isFirst ? undefined : this.preset;
    const preset = this.#wish === 'by hand' ? likeOne : this.#wish;
    const { asksTools } = this;
    this.catalogue = catalogue;
    // A choice made by hand stays, as far as it can be made.
    const next = preset === undefined ? kept(catalogue, this.chosen) : presetIds(catalogue, preset);
    const tools = asksTools && preset !== undefined && toolsProbe(catalogue, next);
    await this.#choose(tools ? toggled(next, [tools.id]) : next);
  }

  protected async start(most: number): Promise<RunBegun | undefined> {
    const { connection, version, cursor, texts } = this;
    if (connection === undefined) return undefined;
    const ids = [...this.chosen];
    return this.app.engine.runs.runProbes(connection, { version, ids, most, cursor, texts });
  }

  async #choose(chosen: ReadonlySet<string>): Promise<void> {
    this.chosen = chosen;
    const { connection, version } = this;
    if (connection === undefined) return;
    const price = await this.app.engine.runs.probePrice(connection, version, [...chosen]);
    if (this.chosen === chosen) this.cost = price;
  }
}
