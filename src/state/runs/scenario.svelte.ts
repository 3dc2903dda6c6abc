// The scenario in the editor: what it says, which agent it is run on and how often, and what came of it.
import type { RunBegun } from '../../engine/runs/run-messages.ts';
import type {
  ScenarioMade,
  ScenarioPlan,
  ScenarioRunView,
  ScenarioWords,
} from '../../engine/runs/scenario-messages.ts';
import type { Launch } from '../../link/messages.ts';
import { formatBytes, count } from '../../lib/format.ts';
import type { App } from '../app.svelte.ts';
import { keptWith } from '../kept.svelte.ts';
import { TextDraft } from '../draft.ts';
import { AgentChoice } from './agent-choice.svelte.ts';
import { SeveralForm } from './several-form.svelte.ts';
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

export class ScenarioForm extends SeveralForm<'scenario'> {
  readonly agent: AgentChoice;
  source = $state(EXAMPLE);
  /** Undefined: it is being read. */
  plan = $state.raw<ScenarioPlan | undefined>();
  words = $state.raw<ScenarioWords | undefined>();
  #reading: ReturnType<typeof setTimeout> | undefined;
  readonly #draft: TextDraft;
  #opening: Promise<void> | undefined;
  /** The plan is of the text as it stands. */
  #isRead = false;
  /** What was made of traces last. */
  made = $state.raw<ScenarioMade | undefined>();
  /** Grows when a text is put in from elsewhere than the editor. */
  stamp = $state(0);
  repeat = $state(1);
  /** The run that is shown, from 0; undefined: the first that failed, else the last. */
  shownRun = $state<number | undefined>();

  constructor(app: App) {
    super(app, 'scenario');
    this.agent = new AgentChoice(app);
    this.#draft = new TextDraft(app.engine.library);
  }

  /** Of each that was run before and is chosen: as it was run. */
  #texts: Readonly<Record<string, string>> = {};

  /** Prompts that are sent at most. */
  prompts: number = $derived(this.plan?.ok ? this.plan.prompts * this.repeat : 0);
  /** The one in the editor, and those that were run. */
  cases: readonly TestCase[] = $derived.by(() => {
    const all = keptCases(this.kept, this.until);
    const { plan, prompts, source } = this;
    const name = this.ownId;
    const before = all.find((one) => one.id === name);
    const isNow = this.isRunning && this.report?.text === source;
    const edited: TestCase = {
      ...{ suite: 'scenario', id: before?.id ?? name, name, prompts, evidence: [], now: isNow },
      said: plan?.ok
        ? `In the editor: ${count(plan.steps.length, 'step')}, ${count(plan.asserts, 'assertion')}. ${plan.done}`
        : plan
          ? 'What is wrong with its text stands in the editor.'
          : 'Reading…',
      verdict: undefined,
      ...(before && { verdict: before.verdict, said: before.said, was: before.was }),
      ...(before?.run !== undefined && { run: before.run }),
      chosen: this.ownPrompts !== undefined && this.isPicked(name),
    };
    const others = all.filter((one) => one !== before);
    return [edited, ...others.map((one) => ({ ...one, chosen: this.isPicked(one.id) }))];
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

  /** Its name, by which its reports are known. */
  protected override get ownId(): string {
    return this.plan?.ok ? (this.plan.name ?? UNNAMED) : 'In the editor';
  }
  protected override get ownPrompts(): number | undefined {
    const { plan, prompts } = this;
    return plan?.ok && plan.steps.length > 0 && this.agent.launch ? prompts : undefined;
  }
  protected override get times(): number {
    return this.repeat;
  }
  protected override async promptsOf(id: string): Promise<number | undefined> {
    const run = keptCases(this.kept, undefined).find((one) => one.id === id)?.run;
    const text = run && (await this.read({ run }))?.text;
    const plan = text && (await this.app.engine.runs.scenarioPlan(text));
    if (!text || !plan || !plan.ok) {
      this.app.tell('warn', `${id} cannot be run again: its text is not kept.`);
      return undefined;
    }
    this.#texts = { ...this.#texts, [id]: text };
    return plan.prompts;
  }

  override get agentName(): string {
    return this.agent.launch?.name ?? '';
  }
  override get argv(): readonly string[] {
    return this.agent.launch?.argv ?? [];
  }
  /** It begins from any trace, whichever agent it asks. */
  protected override concerns(): boolean {
    return true;
  }

  edit(text: string): void {
    void this.#open();
    this.source = text;
    this.#draft.save(text);
    this.#isRead = false;
    clearTimeout(this.#reading);
    this.#reading = setTimeout(() => void this.#read(), READ_MS);
  }

  async put(text: string): Promise<void> {
    void this.#open();
    this.source = text;
    this.#draft.save(text);
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

  /** What the client sent in the trace looked at, and in those that share its sessions, as steps. */
  async takeTrace(): Promise<void> {
    const { current } = this.app;
    if (!current) return;
    this.made = await this.app.engine.runs.scenarioFrom(current.connection, current.name);
    await this.put(this.made.text);
  }

  override async look(): Promise<void> {
    // First, or who types while the rest is asked for would write into no draft.
    void this.#open();
    await super.look();
    if (this.connection === undefined) await this.load();
  }

  protected async load(): Promise<void> {
    const { engine } = this.app;
    await this.#open();
    this.words ??= await engine.runs.scenarioWords();
    await Promise.all([this.#read(), this.agent.load(this.app.facts?.started, false)]);
  }

  /** What was written last; a text that a person writes meanwhile stays. */
  #open(): Promise<void> {
    return (this.#opening ??= this.#draft.open(DRAFT).then((kept) => {
      if (kept === undefined) return;
      this.source = kept;
      this.stamp++;
    }));
  }

  protected async start(most: number, id?: string): Promise<RunBegun | undefined> {
    const { launch } = this.agent;
    const again = id === this.ownId ? undefined : this.#texts[id ?? ''];
    if (launch && again !== undefined) return this.#run(again, launch, most);
    const agreed = this.prompts;
    if (!this.#isRead) await this.#read();
    // Who types on is shown what it says now, and asked again.
    if (!launch || !this.plan?.ok || this.prompts !== agreed) return undefined;
    return this.#run(this.source, launch, Math.min(most, this.prompts));
  }
  #run(text: string, launch: Launch, most: number): Promise<RunBegun> {
    this.shownRun = undefined;
    const { repeat, connection: like } = this;
    return this.app.engine.runs.runScenario({ text, launch, repeat, most, like });
  }

  async #read(): Promise<void> {
    const text = this.source;
    const plan = await this.app.engine.runs.scenarioPlan(text);
    if (text !== this.source) return;
    this.plan = plan;
    this.#isRead = true;
  }
}

/** The one of the page. */
export const scenarioOf = keptWith((app) => new ScenarioForm(app));
