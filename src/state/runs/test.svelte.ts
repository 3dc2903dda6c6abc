// The test view: four suites in one table, which of them run and what that costs, one run after the
// other, what is looked at, and the run that all is compared with.
import { untrack } from 'svelte';
import type { RunKind, RunState, RunSummary } from '../../engine/runs/run-messages.ts';
import type { App } from '../app.svelte.ts';
import { keptWith } from '../kept.svelte.ts';
import { flipped, setOf, withOne } from '../sets.ts';
import { Lab } from './lab.svelte.ts';
import { Probes } from './probes.svelte.ts';
import { Rerun } from './rerun.svelte.ts';
import type { RunForm } from './run-form.svelte.ts';
import { sameWords } from './known-agents.ts';
import { limitOf, SUITE_NAMES } from './run-words.ts';
import { scenarioOf, type ScenarioForm } from './scenario.svelte.ts';
import {
  changeOf,
  chosenOf,
  CURSORS,
  testRows,
  type TestSuite,
  type TestCase,
  type TestFilter,
  type TestRow,
} from './test-cases.ts';

/** The row of what is no news, where a case has its id. */
const MORE = '…';

type Kinds = ReadonlySet<RunKind>;
const AT_FIRST: Kinds = setOf(['probes', 'lab']);

export class Test {
  readonly #app: App;
  readonly probes: Probes;
  readonly lab: Lab;
  readonly scenario: ScenarioForm;
  readonly rerun: Rerun;
  /** Suites that run. */
  on = $state.raw(AT_FIRST);
  open = $state.raw(AT_FIRST);
  #whole = $state.raw<Kinds>(setOf([]));
  #families = $state.raw<ReadonlySet<string>>(setOf([]));
  filter = $state<TestFilter>('all');
  /** As typed; nothing: as many prompts as are needed. */
  limit = $state('');
  /** The price is shown and waits for a yes. */
  asking = $state(false);
  /** Somebody came for the trace looked at, and nothing of it was chosen since. */
  #came = $state(false);
  /** Chooses again what was chosen before a few were run. */
  #back: (() => Promise<void>) | undefined;
  /** Suites that are still to come, and the prompts that are left for them. */
  #queue = $state.raw<readonly { readonly form: RunForm; readonly id?: string | undefined }[]>([]);
  #left = 0;

  constructor(app: App) {
    this.#app = app;
    this.probes = new Probes(app);
    this.lab = new Lab(app);
    this.scenario = scenarioOf(app);
    this.rerun = new Rerun(app);
    this.#came = app.test === 'rerun';
    $effect(() => {
      if (app.run?.phase === 'ended') untrack(() => void this.#goOn(app.run?.prompts ?? 0));
    });
    // What came of a recording is shown where it was sent, or is played.
    $effect(() => {
      const { report, isPlay } = this.rerun;
      if (!this.#came || !report) return;
      const id = isPlay ? report.id : report.recording;
      const { connection } = app.current ?? {};
      if (id === connection || report.rerun === connection) untrack(() => this.choose('rerun', id));
    });
  }

  get forms(): readonly [Probes, Lab, ScenarioForm, Rerun] {
    return [this.probes, this.lab, this.scenario, this.rerun];
  }
  form(kind: RunKind): Probes | Lab | ScenarioForm | Rerun {
    return this.forms.find((form) => form.kind === kind) ?? this.probes;
  }

  suites: readonly TestSuite[] = $derived.by(() =>
    this.forms.map((form) => ({
      ...{ kind: form.kind, cases: form.cases, isRunning: form.isRunning },
      isOpen: this.open.has(form.kind),
      isWhole: this.#whole.has(form.kind),
      families: this.#families,
    })),
  );
  cases: readonly TestCase[] = $derived.by(() => this.suites.flatMap(({ cases }) => cases));
  rows: readonly TestRow[] = $derived.by(() => testRows(this.suites, this.filter));

  // What is looked at.

  /** The suite, and in it the case; none: the suite as a whole. */
  at: { readonly suite: RunKind; readonly id: string | undefined } = $derived.by(() => {
    const [name, id] = (this.#app.test ?? '').split(/:(.*)/s);
    const suite = this.forms.find(({ kind }) => kind === name)?.kind ?? 'probes';
    return { suite, id: id === '' ? undefined : id };
  });
  it: TestCase | undefined = $derived.by(() =>
    this.cases.find(({ suite, id }) => suite === this.at.suite && id === this.at.id),
  );
  /** Of the row looked at. */
  row: number = $derived.by(() => {
    const { suite, id } = this.at;
    const found = this.rows.findIndex((row) => {
      if (row.type === 'suite') return id === undefined && row.suite.kind === suite;
      if (row.type === 'more') return id === MORE && row.suite === suite;
      if (row.type === 'family') return suite === 'probes' && id === row.family;
      const cases = row.type === 'case' ? [row.it] : row.cells;
      return cases.some((one) => one?.suite === suite && one.id === id);
    });
    if (found >= 0) return found;
    return Math.max(
      0,
      this.rows.findIndex((row) => row.type === 'suite' && row.suite.kind === suite),
    );
  });

  choose(suite: RunKind, id?: string): void {
    this.#came = false;
    this.#app.test = id === undefined ? suite : `${suite}:${id}`;
  }

  /** The row of this number; of a row of the matrix, the cell in the same column. */
  chooseRow(index: number): void {
    const row = this.rows[index];
    if (row?.type === 'suite') this.choose(row.suite.kind);
    else if (row?.type === 'more') this.choose(row.suite, MORE);
    else if (row?.type === 'family') this.choose('probes', row.family);
    else if (row?.type === 'case') this.choose(row.it.suite, row.it.id);
    else if (row) {
      const stop = this.it?.cell?.axes.stop;
      const cell = row.cells.find((one) => one?.cell?.axes.stop === stop);
      const [first] = row.cells.flatMap((one) => one ?? []);
      this.choose('lab', (cell ?? first)?.id);
    }
  }

  /** Sideways in the matrix; false: it is none. */
  moveInRow(by: 1 | -1): boolean {
    const row = this.rows[this.row];
    if (row?.type !== 'cells') return false;
    const cells = row.cells.flatMap((one) => one ?? []);
    const to = cells[cells.findIndex(({ id }) => id === this.at.id) + by];
    if (to) this.choose('lab', to.id);
    return true;
  }

  /** A kept report: in the table, and of a scenario or recording beside it. */
  async showRun({ id, kind, of, name }: RunSummary): Promise<void> {
    await this.form(kind).open(id);
    if (kind !== 'scenario' && kind !== 'rerun') return;
    const found = this.cases.find((one) => one.suite === kind && one.id === (of ?? name));
    if (found) this.choose(kind, found.id);
  }

  /** The next case that is worse or failed, from here on and round. */
  next(by: 1 | -1 = 1): void {
    const bad = this.cases.filter((one) => changeOf(one) === 'worse' || one.verdict === 'fail');
    const order = by === 1 ? this.cases : this.cases.toReversed();
    const here = order.findIndex((one) => one === this.it);
    const found = [...order.slice(here + 1), ...order].find((one) => bad.includes(one));
    if (!found) return;
    this.open = withOne(this.open, found.suite);
    this.choose(found.suite, found.id);
  }

  /** A suite that somebody came for: it alone is chosen and open. */
  async only(suite: RunKind): Promise<void> {
    this.on = this.open = setOf([suite]);
    this.filter = 'all';
    await this.cancel();
    this.choose(suite);
    const form = this.form(suite);
    this.#came = suite === 'rerun';
    await form.look();
  }

  toggleOpen(kind: RunKind, open = !this.open.has(kind)): void {
    if (open !== this.open.has(kind)) this.open = flipped(this.open, kind);
  }
  toggleFamily(family: string, open = !this.#families.has(family)): void {
    if (open !== this.#families.has(family)) this.#families = flipped(this.#families, family);
  }
  /** Chooses all probes of a family, or none if all are chosen. */
  async tickFamily(cases: readonly TestCase[]): Promise<void> {
    await this.cancel();
    const isOn = this.on.has('probes') && chosenOf(cases) === true;
    const change = cases.filter(({ chosen }) => chosen !== !isOn);
    await this.probes.toggle(...change.map(({ id }) => id));
    this.on = withOne(this.on, 'probes');
  }
  showMore(kind: RunKind, all = true): void {
    if (all !== this.#whole.has(kind)) this.#whole = flipped(this.#whole, kind);
    this.choose(kind);
  }

  /** Reads what the case looked at needs. */
  async load(): Promise<void> {
    const { it } = this;
    if (it?.cell && it.cell.runs > 0) await this.lab.show(it);
    else if (it?.run !== undefined && (it.suite === 'scenario' || it.suite === 'rerun'))
      await this.form(it.suite).open(it.run);
  }

  // What is tried.

  toggle(kind: RunKind): void {
    void this.cancel();
    this.on = flipped(this.on, kind);
  }
  async toggleCase(it: TestCase): Promise<void> {
    await this.cancel();
    if (it.chosen === undefined) return;
    // Who chooses one by one sees all there are.
    this.#whole = withOne(this.#whole, it.suite);
    const isOn = this.on.has(it.suite);
    if (it.suite === 'probes') await this.probes.toggle(it.id);
    else if (it.suite === 'lab') await this.lab.toggleCells(it);
    else if (isOn) await this[it.suite].pickCase(it.id);
    else await this[it.suite].pickOnly([it.id]);
    this.on = withOne(this.on, it.suite);
  }
  /** Runs these alone, once that is agreed to; what is chosen stays chosen. */
  async runOnly(cases: readonly TestCase[]): Promise<void> {
    await this.cancel();
    const { on, probes, lab, scenario, rerun } = this;
    const [asked, tried] = [probes.choice, lab.choice];
    const [done, sent] = [scenario.picked, rerun.picked];
    await this.#chooseOnly(cases);
    this.#back = async () => {
      this.on = on;
      scenario.picked = done;
      rerun.picked = sent;
      await Promise.all([probes.take(asked), lab.take(tried)]);
    };
    await this.run();
  }
  /** Begins, or asks first if the prompts may cost something. */
  async run(): Promise<void> {
    if (this.count === 0 || this.most === undefined) return;
    if (Math.min(this.most, this.prompts) > 0 && !(await this.#isFree())) this.asking = true;
    else await this.begin();
  }
  /** True if prompts go to the bundled agent alone: they cost nothing. */
  async #isFree(): Promise<boolean> {
    const presets = await this.#app.engine.connections.presets();
    const { argv } = presets.find(({ bundled }) => bundled) ?? {};
    const paid = this.due.filter(({ price }) => price.prompts > 0);
    return paid.every(({ form }) => argv && sameWords(argv, form.argv.slice(0, argv.length)));
  }
  /** Nothing is begun, and what was chosen is so again. */
  async cancel(): Promise<void> {
    this.asking = false;
    const back = this.#back;
    this.#back = undefined;
    await back?.();
  }

  async #chooseOnly(cases: readonly TestCase[]): Promise<void> {
    const of = (kind: RunKind) => cases.filter(({ suite }) => suite === kind);
    this.on = setOf(cases.map(({ suite }) => suite));
    if (this.on.has('probes')) await this.probes.choose(of('probes').map(({ id }) => id));
    if (this.on.has('lab')) {
      await this.lab.chooseCells(of('lab'));
      this.lab.cursors = of('lab').some(({ id }) => id === CURSORS);
    }
    for (const form of [this.scenario, this.rerun])
      if (this.on.has(form.kind)) await form.pickOnly(of(form.kind).map(({ id }) => id));
  }

  /** Suites that would run, with what they cost. */
  due = $derived.by(() =>
    this.forms.flatMap((form) => {
      const { price } = form;
      return this.on.has(form.kind) && price && price.cases > 0 ? [{ form, price }] : [];
    }),
  );
  /** Cases that would run. */
  count: number = $derived.by(() => this.due.reduce((sum, { price }) => sum + price.cases, 0));
  prompts: number = $derived.by(() => this.due.reduce((sum, { price }) => sum + price.prompts, 0));
  /** Undefined: no number was typed. */
  get most(): number | undefined {
    return limitOf(this.limit);
  }
  /** To whom prompts are sent. */
  get agents(): string {
    const paid = this.due.filter(({ price }) => price.prompts > 0);
    const names = (paid.length > 0 ? paid : this.due).map(({ form }) => form.agentName);
    return [...setOf(names)].join(' and ');
  }
  /** When the newest report shown began, and what all that was tried took; undefined: there is none. */
  get last(): { readonly at: string; readonly took: number; readonly prompts: number } | undefined {
    const { report: probes } = this.probes;
    const { report: lab } = this.lab;
    const all = [probes, lab].filter((one) => one !== undefined);
    const at = all
      .map((one) => one.at)
      .toSorted()
      .at(-1);
    if (at === undefined) return undefined;
    const took = this.cases.reduce((sum, one) => sum + (one.since ? 0 : (one.took ?? 0)), 0);
    return { at, took, prompts: all.reduce((sum, { prompts }) => sum + prompts, 0) };
  }
  get isRunning(): boolean {
    if (this.elsewhere) return false;
    return this.#queue.length > 0 || this.forms.some((form) => form.isRunning);
  }
  /** The run in progress of another agent; undefined: there is none. */
  get elsewhere(): RunState | undefined {
    const { run } = this.#app;
    const isHere = this.forms.some((form) => form.isRunning);
    return run && run.phase !== 'ended' && !isHere ? run : undefined;
  }
  /** Suites that come after the one under way. */
  get coming(): readonly string[] {
    return [...setOf(this.#queue.map(({ form }) => SUITE_NAMES[form.kind]))];
  }

  async begin(): Promise<void> {
    const { most } = this;
    this.asking = false;
    if (most === undefined || this.isRunning || this.elsewhere) return;
    this.filter = 'all';
    this.#left = most;
    this.#queue = this.due.flatMap(({ form }) => form.picks.map((id) => ({ form, id })));
    await this.#goOn(0);
  }

  /** The next suite that can begin. */
  async #goOn(spent: number): Promise<void> {
    this.#left -= spent;
    for (;;) {
      const [next, ...rest] = this.#queue;
      if (!next) return;
      const { form, id } = next;
      this.#queue = rest;
      this.open = withOne(this.open, form.kind);
      if (id !== undefined) this.choose(form.kind, id);
      const isBegun = await form.begin(Math.max(0, this.#left), id);
      if (rest.length === 0) await this.cancel();
      if (isBegun) return;
    }
  }

  stop(): Promise<void> {
    this.#queue = [];
    return this.#app.engine.runs.cancelRun();
  }

  /** Of probes and the lab, which ask the connection looked at. */
  async setVersion(version: 1 | 2): Promise<void> {
    await this.cancel();
    await Promise.all([this.probes.setVersion(version), this.lab.setVersion(version)]);
  }

  async compareUntil(until: string | undefined): Promise<void> {
    await Promise.all(this.forms.map((form) => form.compareUntil(until)));
  }

  /** All reports that are shown, one after the other. */
  async report(): Promise<string> {
    const shown = this.forms.filter((form) => form.report !== undefined);
    return (await Promise.all(shown.map((form) => form.text('markdown')))).join('\n');
  }
}

/** The one of the page. */
export const testOf = keptWith((app) => new Test(app));
