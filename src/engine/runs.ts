// Probes and the resume lab of the page: one run at a time in a tab, and the reports that are kept.
import type { StoredRun } from '../storage/schema.ts';
import type { ConnectionId } from '../trace/event.ts';
import { chosenFor, recentKey } from './api-connections.ts';
import { KeptRuns, type KeptRun, type KnownOf } from './kept-runs.ts';
import { tryLab } from './lab-run.ts';
import type { Parts } from './parts.ts';
import { askProbes } from './probe-run.ts';
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
  RunBegun,
  RunFormat,
  RunKind,
  RunPick,
  RunsApi,
  RunSummary,
  RunTarget,
} from './run-messages.ts';
import { axesOf, catalogueOf, labPrice, offeredIn, probePrice } from './run-plans.ts';
import { labText, probeText } from './run-texts.ts';
import { labCellView, labHead, labView, probeHead, probeView } from './run-views.ts';
import { Run } from './run.ts';

const BUSY = 'A run is under way in this tab. Stop it, or wait for its end.';
const RUNNING = 'This run is under way. Stop it before deleting its report.';
const UNKNOWN = 'The command of this agent is not known. Start it from Connect.';

export class Runs implements RunsApi {
  readonly #parts: Parts;
  readonly #kept: KeptRuns;
  #run: Run | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#kept = new KeptRuns(parts.store, ({ message }) =>
      parts.notices.tell({ type: 'news', tone: 'error', text: message }),
    );
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

  async labReport(pick: RunPick): Promise<LabReportView | undefined> {
    const kept = await this.#of('lab', pick);
    return kept && labView(kept);
  }

  async labCell(pick: RunPick, id: string): Promise<LabCellView | undefined> {
    const kept = await this.#of('lab', pick);
    return kept && labCellView(kept, id);
  }

  async reportText(pick: RunPick, kind: RunKind, format: RunFormat): Promise<string | undefined> {
    const { catalog } = this.#parts;
    const frame = (trace: string, seq: number) => {
      const number = catalog.get(trace as ConnectionId)?.number;
      return number === undefined ? `#${seq}` : `c${number}#${seq}`;
    };
    if (kind === 'probes') {
      const kept = await this.#of('probes', pick);
      return kept && probeText(kept.known.report, kept.run.argv, format, frame);
    }
    const kept = await this.#of('lab', pick);
    return kept && labText(kept.known.report, format, frame);
  }

  async #begin<K extends RunKind>(
    kind: K,
    like: ConnectionId,
    most: number,
    headOf: (known: KnownOf[K]) => Pick<StoredRun, 'agent' | 'protocol' | 'counts'>,
    work: (run: Run, keep: (known: KnownOf[K]) => void) => Promise<string | undefined>,
  ): Promise<RunBegun> {
    if (this.#run && this.#run.state.phase !== 'ended') return { problem: BUSY };
    const chosen = await chosenFor(this.#parts, like);
    if (!chosen) return { problem: UNKNOWN };
    const { launch } = chosen;
    const run = new Run(this.#parts, { kind, like, launch, most }, () => this.#tell());
    this.#run = run;
    this.#tell();
    const { id, at } = run;
    const base = { id, kind, at, command: recentKey(launch), argv: launch.argv };
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
    const chosen = await chosenFor(this.#parts, pick.connection);
    return this.#kept.of(kind, {
      group: this.#parts.catalog.get(pick.connection)?.group?.id,
      command: chosen && recentKey(chosen.launch),
    });
  }

  #facts(connection: ConnectionId) {
    return this.#parts.traces.get(connection)?.index.facts();
  }

  #offered(connection: ConnectionId, version: 1 | 2) {
    return offeredIn(this.#facts(connection)?.handshake, version);
  }
}
