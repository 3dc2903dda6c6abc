// The scenario in the editor: what it says, which agent it is run on and how often, and what came of it.
import type { RunBegun, RunPick } from '../../engine/runs/run-messages.ts';
import type {
  ScenarioPlan,
  ScenarioReportView,
  ScenarioRunView,
  ScenarioWords,
} from '../../engine/runs/scenario-messages.ts';
import { formatBytes, count } from '../../lib/format.ts';
import type { App } from '../app.svelte.ts';
import { keptWith } from '../kept.svelte.ts';
import { AgentChoice } from './agent-choice.svelte.ts';
import { RunForm } from './run-form.svelte.ts';
import { isFailedRun } from './scenario-words.ts';
import { keptCases, type TestCase } from './test-cases.ts';

// The scenario that stands in the editor at first.
export const EXAMPLE = `{
  "name": "a quick prompt",
  "steps": [
    { "request": "session/new", "params": { "cwd": "$cwd", "mcpServers": [] } },
    {
      "request": "session/prompt",
      "params": { "sessionId": "$sessionId", "prompt": [{ "type": "text", "text": "quick" }] }
    }
  ],
  "assert": [
    "exists(update:agent_message_chunk)",
    "none(type:err)"
  ]
}
`;

const DRAFT = 'scenario';
/** As its reports call it. */
const UNNAMED = 'A scenario without a name';
/** From a keystroke to reading what was typed. */
const READ_MS = 200;
/** No scenario that a person wrote is longer, nor one made from a trace that they would read. */
const MOST_BYTES = 4 * 1024 * 1024;

export class ScenarioForm extends RunForm<ScenarioReportView> {
  readonly agent: AgentChoice;
  source = $state(EXAMPLE);
  /** Undefined: it is being read. */
  plan = $state.raw<ScenarioPlan | undefined>();
  words = $state.raw<ScenarioWords | undefined>();
  #reading: ReturnType<typeof setTimeout> | undefined;
  #isLoaded = false;
  /** The plan is of the text as it stands. */
  #isRead = false;
  /** Grows when a text is put in from elsewhere than the editor. */
  stamp = $state(0);
  repeat = $state(1);
  /** The run that is shown, from 0; undefined: the first that failed, else the last. */
  shownRun = $state<number | undefined>();

  constructor(app: App) {
    super(app, 'scenario');
    this.agent = new AgentChoice(app);
  }

  /** Prompts that are sent at most. */
  prompts: number = $derived(this.plan?.ok ? this.plan.prompts * this.repeat : 0);
  /** The one in the editor, and those that were run. */
  cases: readonly TestCase[] = $derived.by(() => {
    const all = keptCases(this.kept, this.until);
    const { plan, prompts, source } = this;
    const name = plan?.ok ? (plan.name ?? UNNAMED) : 'In the editor';
    const before = all.find((one) => one.id === name);
    const isNow = this.isRunning && this.report?.text === source;
    const edited: TestCase = {
      ...{ suite: 'scenario', id: before?.id ?? name, name, prompts, evidence: [], now: isNow },
      said: plan?.ok
        ? `${count(plan.steps.length, 'step')}, ${count(plan.asserts, 'assertion')}, in the editor`
        : plan
          ? 'What is wrong with its text stands in the editor.'
          : 'Reading…',
      verdict: undefined,
      ...(before && { verdict: before.verdict, said: before.said, was: before.was }),
      ...(before?.run !== undefined && { run: before.run }),
      chosen: plan?.ok === true && plan.steps.length > 0,
    };
    return [edited, ...all.filter((one) => one !== before)];
  });
  shown: ScenarioRunView | undefined = $derived.by(() => {
    const runs = this.report?.runs ?? [];
    if (this.shownRun !== undefined) return runs[this.shownRun];
    return runs.find(isFailedRun) ?? runs.at(-1);
  });

  /** It starts its agent itself. */
  override get canRun(): boolean {
    return true;
  }

  override get price() {
    const { plan, prompts } = this;
    if (!plan?.ok || plan.steps.length === 0 || !this.agent.launch) return undefined;
    return { cases: 1, prompts };
  }

  override get agentName(): string {
    return this.agent.launch?.name ?? '';
  }

  edit(text: string): void {
    this.source = text;
    this.#isRead = false;
    clearTimeout(this.#reading);
    this.#reading = setTimeout(() => void this.#read(), READ_MS);
  }

  /** Puts a text into the editor, and shows it. */
  async put(text: string): Promise<void> {
    this.#isLoaded = true;
    this.source = text;
    this.stamp++;
    await this.#read();
  }

  async openFile(file: File): Promise<void> {
    if (file.size > MOST_BYTES) {
      const size = formatBytes(file.size);
      return this.app.tell('error', `${file.name} has ${size}: a scenario has 4 MB at most.`);
    }
    await this.put(await file.text());
  }

  /** What the client sent in the trace looked at, as steps. */
  async takeTrace(): Promise<void> {
    const { current } = this.app;
    if (current)
      await this.put(await this.app.engine.runs.scenarioFrom([current.connection], current.name));
  }

  override async look(): Promise<void> {
    await super.look();
    if (this.connection === undefined) await this.load();
  }

  protected read(pick: RunPick): Promise<ScenarioReportView | undefined> {
    return this.app.engine.runs.scenarioReport(pick);
  }

  protected async load(): Promise<void> {
    const { engine } = this.app;
    if (!this.#isLoaded) {
      this.#isLoaded = true;
      this.source = (await engine.library.draft(DRAFT)) ?? EXAMPLE;
      this.stamp++;
    }
    this.words ??= await engine.runs.scenarioWords();
    await Promise.all([this.#read(), this.agent.load(this.app.facts?.started, false)]);
  }

  protected async start(most: number): Promise<RunBegun | undefined> {
    const { launch } = this.agent;
    const agreed = this.prompts;
    if (!this.#isRead) await this.#read();
    // Who types on is shown what it says now, and asked again.
    if (!launch || !this.plan?.ok || this.prompts !== agreed) return undefined;
    this.shownRun = undefined;
    return this.app.engine.runs.runScenario({
      ...{ text: this.source, launch, repeat: this.repeat, most: Math.min(most, this.prompts) },
      like: this.connection,
    });
  }

  async #read(): Promise<void> {
    const text = this.source;
    const plan = await this.app.engine.runs.scenarioPlan(text);
    if (text !== this.source) return;
    this.plan = plan;
    this.#isRead = true;
    await this.app.engine.library.saveDraft(DRAFT, text);
  }
}

/** The one of the page. */
export const scenarioOf = keptWith((app) => new ScenarioForm(app));
