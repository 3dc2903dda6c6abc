// Runs of the page that drive an agent: one run at a time in a tab, and the reports that are kept.
import { knownVersion } from '../../acp/handshake.ts';
import { parseIgnore } from '../../diff/traces/ignore.ts';
import { DEFAULT_IGNORE } from '../../model/sessions/compare-terms.ts';
import { peerWords } from '../../model/words.ts';
import type { StoredTrace } from '../../storage/schema.ts';
import type { ConnectionId } from '../../trace/event.ts';
import { commandKey } from '../../lib/split-command.ts';
import { chosenFor, lastSettings } from '../connections/launches.ts';
import { exportFile } from '../library/export-file.ts';
import { doneTogether } from './done-together.ts';
import { KeptRuns, type KeptRun, type KnownOf } from './kept-runs.ts';
import { tryLab } from './lab-run.ts';
import type { Parts } from '../parts.ts';
import { knownPlay, playOf, playsOf } from './play.ts';
import { askProbes } from './probe-run.ts';
import { replayAsClient, rerunPlan } from './rerun-run.ts';
import type { RerunOrder, RerunPlan, RerunReportView } from './rerun-messages.ts';
import type {
  LabOrder,
  ProbeOrder,
  ReportOf,
  RerunTerms,
  RunBegun,
  RunFormat,
  RunKind,
  RunPick,
  RunSummary,
  RunTarget,
} from './run-messages.ts';
import { axesOf, catalogueOf, labPrice, offeredIn, probePrice } from './run-plans.ts';
import { labCellView, reportText, RUN_KINDS, startedAs, writtenPlay } from './run-kinds.ts';
import { Run, type RunWish } from './run.ts';
import type { ScenarioMade, ScenarioOrder } from './scenario-messages.ts';
import {
  scenarioPlan,
  rawTrace,
  scenarioTextOf,
  tryScenario,
  scenarioWords,
} from './scenario-run.ts';

type Work<K extends RunKind> = (
  run: Run,
  keep: (known: KnownOf[K]) => void,
) => Promise<string | undefined>;

const USUAL: RerunTerms = { ignore: DEFAULT_IGNORE, raw: [] };
const BUSY = 'A run is under way in this tab. Stop it, or wait for its end.';
const RUNNING = 'This run is under way. Stop it before deleting its report.';
const GONE = 'The recording is not there any more.';
const UNKNOWN = 'The command of this agent is not known. Start it from Connect.';

/** Of a file nobody knows whether its times count from there. */
function beganAt({ mode, startedAt }: StoredTrace): string | undefined {
  return mode === 'file' ? undefined : startedAt;
}

/** The page's calls about runs. */
export class Runs {
  readonly #parts: Parts;
  readonly #kept: KeptRuns;
  #run: Run | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#kept = new KeptRuns(parts.store, ({ message }) => parts.notices.news('error', message));
  }

  runTarget(connection: ConnectionId): RunTarget {
    const { agent, version } = this.#handshake(connection) ?? {};
    return {
      agent: peerWords(agent ?? {}, this.#parts.catalog.get(connection)?.name ?? ''),
      version: knownVersion(version),
    };
  }

  probeCatalogue(connection: ConnectionId, version: 1 | 2) {
    return catalogueOf(version, this.#offered(connection, version));
  }

  probePrice(connection: ConnectionId, version: 1 | 2, ids: readonly string[]) {
    return probePrice(version, this.#offered(connection, version), ids);
  }

  labAxes(version: 1 | 2) {
    return axesOf(version);
  }

  labPrice(connection: ConnectionId, order: LabOrder) {
    return labPrice(order.version, this.#offered(connection, order.version), order);
  }

  /** Begins a run of the agent of this connection. `problem`: why it cannot, a sentence. */
  runProbes(connection: ConnectionId, order: ProbeOrder): Promise<RunBegun> {
    return this.#beginLike('probes', connection, order.most, (run, keep) =>
      askProbes(run, order, keep, (trace) => this.#nameOf(trace) ?? trace),
    );
  }

  runLab(connection: ConnectionId, order: LabOrder): Promise<RunBegun> {
    return this.#beginLike('lab', connection, order.most, (run, keep) => tryLab(run, order, keep));
  }

  async rerunPlan(recording: ConnectionId): Promise<RerunPlan | undefined> {
    if (!this.#parts.catalog.get(recording)) return undefined;
    const trace = await this.#parts.traces.whole(recording);
    const plays = playsOf(this.#parts, recording);
    return rerunPlan(trace.lines.all(), { started: trace.index.facts().started, plays });
  }

  /** Hands the recording to the relay as a file: its path, or why there is none. */
  async lendTrace(recording: ConnectionId) {
    const stored = this.#parts.catalog.get(recording);
    if (!stored) return { problem: GONE };
    const { lines } = await this.#parts.traces.whole(recording);
    // What was marked by hand is no part of what is replayed.
    const { blob, problem } = await exportFile(stored, lines, this.#parts.store, []);
    if (problem) return { problem: problem.message };
    return this.#parts.calls.lend(recording, stored.name, blob);
  }

  async runRerun({ launch, most, ...order }: RerunOrder): Promise<RunBegun> {
    const { catalog, store, traces } = this.#parts;
    const stored = catalog.get(order.recording);
    if (!stored) return { problem: GONE };
    const source = { events: (await traces.whole(order.recording)).lines.all(), name: stored.name };
    const settings = await lastSettings(this.#parts, launch);
    return this.#begin({ kind: 'rerun', like: order.recording, launch, most }, (run, keep) => {
      const key = commandKey(launch);
      void store.putRecent({ key, launch, settings: { ...settings }, usedAt: Date.now() });
      return replayAsClient(run, order, source, keep);
    });
  }

  scenarioPlan(text: string) {
    return scenarioPlan(text);
  }

  scenarioWords() {
    return scenarioWords();
  }

  /** What was done on this connection, and on those that share its sessions, as a scenario's text. */
  async scenarioFrom(connection: ConnectionId, name: string): Promise<ScenarioMade> {
    const { catalog } = this.#parts;
    const together = (await doneTogether(this.#parts, connection)).flatMap((trace) => {
      const stored = catalog.get(trace.connection);
      return stored ? { number: stored.number, raw: rawTrace(trace, beganAt(stored)) } : [];
    });
    return {
      text: scenarioTextOf(
        together.map(({ raw }) => raw),
        name,
      ),
      of: together.map(({ number }) => number),
    };
  }

  runScenario({ launch, most, like, text, repeat }: ScenarioOrder): RunBegun {
    const { catalog, traces } = this.#parts;
    const rawOf = (connection: ConnectionId) => {
      const stored = catalog.get(connection);
      const raw = rawTrace(traces.open(connection).trace, stored?.startedAt);
      // Sentences call it as the page does.
      return stored ? { ...raw, name: `c${stored.number}` } : raw;
    };
    return this.#begin({ kind: 'scenario', like, launch, most }, (run, keep) =>
      tryScenario(run, { text, repeat, cwd: launch.cwd }, rawOf, keep),
    );
  }

  /** Ends the agents of the run; what is known is kept. */
  cancelRun(): void {
    this.#run?.cancel();
  }

  /** Those that are kept, the newest first. */
  async keptRuns(): Promise<readonly RunSummary[]> {
    return (await this.#kept.list()).map((run) => {
      const { id, kind, at, agent, protocol: version, argv, of, name, counts } = run;
      return { id, kind, at, agent, version, argv, of, name, counts };
    });
  }

  /** For ten seconds it can be had back. A sentence: why it cannot be deleted. */
  async removeRun(id: string): Promise<string | undefined> {
    if (this.#run?.id === id && this.#run.state.phase !== 'ended') return RUNNING;
    await this.#kept.remove(id);
    return undefined;
  }

  restoreRun(id: string): Promise<void> {
    return this.#kept.restore(id);
  }

  /** As far as it is; undefined: there is none. */
  async report<K extends RunKind>(
    kind: K,
    pick: RunPick,
    terms?: RerunTerms,
  ): Promise<ReportOf[K] | undefined> {
    const kept = await this.#find(kind, pick, terms);
    return kept && RUN_KINDS[kind].view(kept);
  }

  /** `terms`: by what it is compared. */
  async rerunReport(pick: RunPick, terms: RerunTerms): Promise<RerunReportView | undefined> {
    const play = await this.#play(pick, terms);
    return play ? play.view : this.report('rerun', pick, terms);
  }

  /** Why a rule to leave something out is none: a sentence. */
  ruleProblem(rule: string): string | undefined {
    const read = parseIgnore(rule);
    return 'problem' in read ? read.problem : undefined;
  }

  async labCell(pick: RunPick, id: string) {
    const kept = await this.#find('lab', pick);
    return kept && labCellView(kept, id);
  }

  /** The report as text; undefined: there is none. `terms`: by what a trace replay is compared. */
  async reportText<K extends RunKind>(
    pick: RunPick,
    kind: K,
    format: RunFormat,
    terms?: RerunTerms,
  ): Promise<string | undefined> {
    const play = kind === 'rerun' ? await this.#play(pick, terms ?? USUAL) : undefined;
    if (play) return reportText(writtenPlay(play), format);
    const frame = (trace: string, seq: number) => `${this.#nameOf(trace) ?? ''}#${seq}`;
    const kept = await this.#find(kind, pick, terms ?? USUAL);
    const written = kept && RUN_KINDS[kind].written(kept, frame);
    return written && reportText(written, format);
  }

  /** As the page calls this connection. */
  #nameOf(trace: string): string | undefined {
    const number = this.#parts.catalog.get(trace as ConnectionId)?.number;
    return number === undefined ? undefined : `c${number}`;
  }

  /** On the agent of this connection, started as it was. */
  async #beginLike<K extends RunKind>(kind: K, like: ConnectionId, most: number, work: Work<K>) {
    const chosen = await chosenFor(this.#parts, like);
    if (!chosen) return { problem: UNKNOWN };
    return this.#begin({ kind, like, launch: chosen.launch, most }, work);
  }

  #begin<K extends RunKind>(wish: RunWish & { readonly kind: K }, work: Work<K>): RunBegun {
    if (this.#run && this.#run.state.phase !== 'ended') return { problem: BUSY };
    const { kind, like, launch } = wish;
    const run = new Run(this.#parts, wish, RUN_KINDS[kind].title, () => this.#tell());
    this.#run = run;
    this.#tell();
    const { id, at } = run;
    const of = kind === 'rerun' && like !== undefined ? { of: like } : {};
    const base = { id, kind, at, command: commandKey(launch), argv: launch.argv, ...of };
    const agentOf = (connection: ConnectionId | undefined) =>
      startedAs(connection && this.#handshake(connection), launch.name);
    const keep = (known: KnownOf[K]) =>
      this.#kept.keep<K>({ run: { ...base, ...RUN_KINDS[kind].head(known, agentOf) }, known });
    // The stored editions come with the rules, and a run is judged by the editions in force.
    void this.#parts.checks
      .get()
      .then(() => work(run, keep))
      .catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
      .then((problem) => run.over(problem));
    return { run: id };
  }

  #tell(): void {
    const run = this.#run;
    if (run) this.#parts.notices.soon('run', () => ({ type: 'run', state: run.state }));
  }

  /** The report that is meant; undefined: there is none. */
  async #find<K extends RunKind>(
    kind: K,
    pick: RunPick,
    terms?: RerunTerms,
  ): Promise<KeptRun<K> | undefined> {
    const kept = await this.#meant(kind, pick);
    const compared = terms && RUN_KINDS[kind].compared;
    return kept && compared
      ? { ...kept, known: await compared(this.#parts, kept.known, terms) }
      : kept;
  }

  async #meant<K extends RunKind>(kind: K, pick: RunPick): Promise<KeptRun<K> | undefined> {
    if ('run' in pick) return this.#kept.get(kind, pick.run);
    const { connection } = pick;
    // A trace replay is its recording's, whichever agent it was tried on.
    const chosen = kind === 'rerun' ? undefined : await chosenFor(this.#parts, connection);
    return this.#kept.of(kind, {
      group: this.#parts.catalog.get(connection)?.group?.id,
      of: connection,
      command: chosen && commandKey(chosen.launch),
    });
  }

  /** Undefined: this connection plays no recording. */
  async #play(pick: RunPick, terms: RerunTerms) {
    const play = 'connection' in pick ? playOf(this.#parts, pick.connection) : undefined;
    return play && knownPlay(this.#parts, play, terms);
  }

  #handshake(connection: ConnectionId) {
    return this.#parts.traces.get(connection)?.index.facts().handshake;
  }

  #offered(connection: ConnectionId, version: 1 | 2) {
    return offeredIn(this.#handshake(connection), version);
  }
}
