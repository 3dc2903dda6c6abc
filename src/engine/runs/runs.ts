// Runs of the page that drive an agent: one run at a time in a tab, and the reports that are kept.
import { parseIgnore } from '../../diff/traces/ignore.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { DEFAULT_IGNORE } from '../../model/sessions/compare-terms.ts';
import type { StoredTrace } from '../../storage/schema.ts';
import type { ConnectionId } from '../../trace/event.ts';
import { chosenFor, lastSettings, recentKey } from '../connections/api-connections.ts';
import { exportFile } from '../library/export-file.ts';
import { KeptRuns, type KeptRun, type KnownOf } from './kept-runs.ts';
import { tryLab } from './lab-run.ts';
import type { Parts } from '../parts.ts';
import { knownPlay, playOf, playsOf, type KnownPlay } from './play.ts';
import { askProbes } from './probe-run.ts';
import { comparedBy, eventsOf, replayAsClient, rerunPlan, type KnownRerun } from './rerun-run.ts';
import type { RerunOrder, RerunPlan, RerunReportView } from './rerun-messages.ts';
import type {
  LabAxisView,
  LabCellView,
  LabOrder,
  LabPrice,
  LabReportView,
  ProbeEntry,
  ProbeOrder,
  ProbePrice,
  ProbeReportView,
  RerunTerms,
  RunBegun,
  RunFormat,
  RunKind,
  RunPick,
  RunSummary,
  RunTarget,
} from './run-messages.ts';
import type { EngineApi } from '../api.ts';
import { axesOf, catalogueOf, labPrice, offeredIn, probePrice } from './run-plans.ts';
import {
  toldIn,
  toldLab,
  toldPlay,
  toldProbes,
  toldRerun,
  toldScenario,
  labCellView,
  labHead,
  labView,
  probeHead,
  probeView,
  rerunHead,
  scenarioHead,
  type Told,
  whole,
  type RunHead,
} from './run-views.ts';
import { Run, type RunWish } from './run.ts';
import type {
  ScenarioOrder,
  ScenarioPlan,
  ScenarioReportView,
  ScenarioWords,
} from './scenario-messages.ts';
import {
  planOf,
  rawTrace,
  scenarioTextOf,
  tryScenario,
  wordsOf,
  type KnownScenario,
} from './scenario-run.ts';

type Work<K extends RunKind> = (
  run: Run,
  keep: (known: KnownOf[K]) => void,
) => Promise<string | undefined>;

const BUSY = 'A run is under way in this tab. Stop it, or wait for its end.';
const RUNNING = 'This run is under way. Stop it before deleting its report.';
const GONE = 'The recording is not there any more.';
const UNKNOWN = 'The command of this agent is not known. Start it from Connect.';

/** Of a file nobody knows whether its times count from there. */
function beganAt({ mode, startedAt }: StoredTrace): string | undefined {
  return mode === 'file' ? undefined : startedAt;
}

type AllRuns = EngineApi['runs'];

export class Runs implements AllRuns {
  readonly #parts: Parts;
  readonly #kept: KeptRuns;
  #run: Run | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#kept = new KeptRuns(parts.store, ({ message }) => parts.notices.news('error', message));
  }

  async runTarget(connection: ConnectionId): Promise<RunTarget> {
    const { handshake } = this.#facts(connection) ?? {};
    const { name, title, version: release } = handshake?.agent ?? {};
    const called = title ?? name ?? this.#parts.catalog.get(connection)?.name ?? '';
    const version = handshake?.version;
    return {
      agent: [called, release].filter(Boolean).join(' '),
      version: version === 1 || version === 2 ? version : undefined,
    };
  }

  async probeCatalogue(connection: ConnectionId, version: 1 | 2): Promise<readonly ProbeEntry[]> {
    return catalogueOf(version, this.#offered(connection, version));
  }

  async probePrice(
    connection: ConnectionId,
    version: 1 | 2,
    ids: readonly string[],
  ): Promise<ProbePrice> {
    return probePrice(version, this.#offered(connection, version), ids);
  }

  async labAxes(version: 1 | 2): Promise<readonly LabAxisView[]> {
    return axesOf(version);
  }

  async labPrice(connection: ConnectionId, order: LabOrder): Promise<LabPrice> {
    return labPrice(order.version, this.#offered(connection, order.version), order);
  }

  runProbes(connection: ConnectionId, order: ProbeOrder): Promise<RunBegun> {
    return this.#begin('probes', connection, order.most, probeHead, (run, keep) =>
      askProbes(run, order, keep),
    );
  }

  runLab(connection: ConnectionId, order: LabOrder): Promise<RunBegun> {
    return this.#begin('lab', connection, order.most, labHead, (run, keep) =>
      tryLab(run, order, keep),
    );
  }

  async rerunPlan(recording: ConnectionId): Promise<RerunPlan | undefined> {
    const stored = this.#parts.catalog.get(recording);
    if (!stored) return undefined;
    const trace = await this.#parts.traces.whole(recording);
    const plays = playsOf(this.#parts, recording);
    return rerunPlan(eventsOf(trace), { started: trace.index.facts().started, plays });
  }

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
    const ground = { events: eventsOf(await traces.whole(order.recording)), name: stored.name };
    const settings = await lastSettings(this.#parts, launch);
    const agentOf = ({ view: { rerun } }: KnownRerun) =>
      rerun && traces.get(rerun)?.index.facts().handshake;
    return this.#beginOn<'rerun'>(
      { kind: 'rerun', like: order.recording, launch, most },
      (known) => rerunHead(known, agentOf(known), launch.name),
      (run, keep) => {
        const key = recentKey(launch);
        void store.putRecent({ key, launch, settings: { ...settings }, usedAt: Date.now() });
        return replayAsClient(run, order, ground, keep);
      },
    );
  }

  async scenarioPlan(text: string): Promise<ScenarioPlan> {
    return planOf(text);
  }

  async scenarioWords(): Promise<ScenarioWords> {
    return wordsOf();
  }

  async scenarioFrom(connections: readonly ConnectionId[], name: string): Promise<string> {
    const { catalog, traces } = this.#parts;
    const raw = connections
      .flatMap((connection) => catalog.get(connection) ?? [])
      .map(async (one) => rawTrace(await traces.whole(one.connection), beganAt(one)));
    return scenarioTextOf(await Promise.all(raw), name);
  }

  async runScenario({ launch, most, like, text, repeat }: ScenarioOrder): Promise<RunBegun> {
    const { catalog, traces } = this.#parts;
    const agentOf = ({ view: { runs } }: KnownScenario) => {
      const first = runs[0]?.traces[0];
      return first && traces.get(first)?.index.facts().handshake;
    };
    const rawOf = (connection: ConnectionId) => {
      const stored = catalog.get(connection);
      const raw = rawTrace(traces.open(connection).trace, stored?.startedAt);
      // Sentences call it as the page does.
      return stored ? { ...raw, name: `c${stored.number}` } : raw;
    };
    return this.#beginOn<'scenario'>(
      { kind: 'scenario', like, launch, most },
      (known) => scenarioHead(known, agentOf(known), launch.name),
      (run, keep) => tryScenario(run, { text, repeat, cwd: launch.cwd }, rawOf, keep),
    );
  }

  async cancelRun(): Promise<void> {
    this.#run?.cancel();
  }

  async keptRuns(): Promise<readonly RunSummary[]> {
    return (await this.#kept.list()).map(({ id, kind, at, agent, protocol, argv, counts }) => {
      return { id, kind, at, agent, version: protocol, argv, counts };
    });
  }

  async removeRun(id: string): Promise<string | undefined> {
    if (this.#run?.id === id && this.#run.state.phase !== 'ended') return RUNNING;
    await this.#kept.remove(id);
    return undefined;
  }

  restoreRun(id: string): Promise<void> {
    return this.#kept.restore(id);
  }

  async probeReport(pick: RunPick): Promise<ProbeReportView | undefined> {
    const kept = await this.#of('probes', pick);
    return kept && probeView(kept);
  }

  async rerunReport(pick: RunPick, terms: RerunTerms): Promise<RerunReportView | undefined> {
    const play = await this.#play(pick, terms);
    if (play) return play.view;
    const kept = await this.#rerun(pick, terms);
    return kept && whole(kept);
  }

  async ruleProblem(rule: string): Promise<string | undefined> {
    const read = parseIgnore(rule);
    return 'problem' in read ? read.problem : undefined;
  }

  async scenarioReport(pick: RunPick): Promise<ScenarioReportView | undefined> {
    const kept = await this.#of('scenario', pick);
    return kept && whole(kept);
  }

  async labReport(pick: RunPick): Promise<LabReportView | undefined> {
    const kept = await this.#of('lab', pick);
    return kept && labView(kept);
  }

  async labCell(pick: RunPick, id: string): Promise<LabCellView | undefined> {
    const kept = await this.#of('lab', pick);
    return kept && labCellView(kept, id);
  }

  async reportText(pick: RunPick, kind: RunKind, format: RunFormat, terms?: RerunTerms) {
    const told = await this.#told(pick, kind, terms ?? { ignore: DEFAULT_IGNORE, raw: [] });
    return told && toldIn(told, format);
  }

  async #told(pick: RunPick, kind: RunKind, terms: RerunTerms): Promise<Told | undefined> {
    const { catalog } = this.#parts;
    const frame = (trace: string, seq: number) => {
      const number = catalog.get(trace as ConnectionId)?.number;
      return number === undefined ? `#${seq}` : `c${number}#${seq}`;
    };
    switch (kind) {
      case 'probes': {
        const kept = await this.#of(kind, pick);
        return kept && toldProbes(kept.known.report, kept.run.argv, frame);
      }
      case 'lab': {
        const kept = await this.#of(kind, pick);
        return kept && toldLab(kept.known.report, frame);
      }
      case 'rerun': {
        const play = await this.#play(pick, terms);
        if (play) return toldPlay(play);
        const kept = await this.#rerun(pick, terms);
        return kept && toldRerun(kept.known);
      }
      case 'scenario': {
        const kept = await this.#of(kind, pick);
        return kept && toldScenario(kept.known);
      }
      default:
        return assertNever(kind);
    }
  }

  async #begin<K extends RunKind>(
    kind: K,
    like: ConnectionId,
    most: number,
    headOf: (known: KnownOf[K]) => RunHead,
    work: Work<K>,
  ): Promise<RunBegun> {
    const chosen = await chosenFor(this.#parts, like);
    if (!chosen) return { problem: UNKNOWN };
    return this.#beginOn({ kind, like, launch: chosen.launch, most }, headOf, work);
  }

  #beginOn<K extends RunKind>(
    wish: RunWish & { readonly kind: K },
    headOf: (known: KnownOf[K]) => RunHead,
    work: Work<K>,
  ): RunBegun {
    if (this.#run && this.#run.state.phase !== 'ended') return { problem: BUSY };
    const { kind, like, launch } = wish;
    const run = new Run(this.#parts, wish, () => this.#tell());
    this.#run = run;
    this.#tell();
    const { id, at } = run;
    const of = kind === 'rerun' && like !== undefined ? { of: like } : {};
    const base = { id, kind, at, command: recentKey(launch), argv: launch.argv, ...of };
    const keep = (known: KnownOf[K]) =>
      this.#kept.keep<K>({ run: { ...base, ...headOf(known) }, known });
    void work(run, keep)
      .catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
      .then((problem) => run.over(problem));
    return { run: id };
  }

  #tell(): void {
    const { notices } = this.#parts;
    const run = this.#run;
    if (run) notices.soon('run', () => ({ type: 'run', state: run.state }));
  }

  async #of<K extends RunKind>(kind: K, pick: RunPick): Promise<KeptRun<K> | undefined> {
    if ('run' in pick) return this.#kept.get(kind, pick.run);
    const { connection } = pick;
    // A trace replay is its recording's, whichever agent it was tried on.
    const chosen = kind === 'rerun' ? undefined : await chosenFor(this.#parts, connection);
    return this.#kept.of(kind, {
      group: this.#parts.catalog.get(connection)?.group?.id,
      of: connection,
      command: chosen && recentKey(chosen.launch),
    });
  }

  /** Undefined: this connection plays no recording. */
  async #play(pick: RunPick, terms: RerunTerms): Promise<KnownPlay | undefined> {
    const play = 'connection' in pick ? playOf(this.#parts, pick.connection) : undefined;
    return play && knownPlay(this.#parts, play, terms);
  }

  async #rerun(pick: RunPick, terms: RerunTerms): Promise<KeptRun<'rerun'> | undefined> {
    const kept = await this.#of('rerun', pick);
    return kept && { ...kept, known: await comparedBy(this.#parts, kept.known, terms) };
  }

  #facts(connection: ConnectionId) {
    return this.#parts.traces.get(connection)?.index.facts();
  }

  #offered(connection: ConnectionId, version: 1 | 2) {
    return offeredIn(this.#facts(connection)?.handshake, version);
  }
}
