// Probes and the resume lab of the page: one run at a time in a tab, and the last report of each agent.
import type { ConnectionId } from '../trace/event.ts';
import { chosenFor, recentKey } from './api-connections.ts';
import { tryLab, type KnownLab } from './lab-run.ts';
import { askProbes, type KnownProbes } from './probe-run.ts';
import type { Parts } from './parts.ts';
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
  RunFormat,
  RunKind,
  RunsApi,
  RunTarget,
} from './run-messages.ts';
import { axesOf, catalogueOf, labPrice, offeredIn, probePrice } from './run-plans.ts';
import { labText, probeText } from './run-texts.ts';
import { labCellView, labView, probeView } from './run-views.ts';
import { Run } from './run.ts';

interface Kept<K> {
  readonly at: string;
  readonly argv: readonly string[];
  readonly known: K;
}

const BUSY = 'A run is under way in this tab. Stop it, or wait for its end.';
const UNKNOWN = 'The command of this agent is not known. Start it from Connect.';

export class Runs implements RunsApi {
  readonly #parts: Parts;
  readonly #probes = new Map<string, Kept<KnownProbes>>();
  readonly #labs = new Map<string, Kept<KnownLab>>();
  #run: Run | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
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

  runProbes(connection: ConnectionId, order: ProbeOrder): Promise<string | undefined> {
    return this.#begin('probes', connection, order.most, this.#probes, (run, keep) =>
      askProbes(run, order, keep),
    );
  }

  runLab(connection: ConnectionId, order: LabOrder): Promise<string | undefined> {
    return this.#begin('lab', connection, order.most, this.#labs, (run, keep) =>
      tryLab(run, order, keep),
    );
  }

  async cancelRun(): Promise<void> {
    this.#run?.cancel();
  }

  async probeReport(connection: ConnectionId): Promise<ProbeReportView | undefined> {
    const kept = await this.#of(this.#probes, connection);
    return kept && probeView(kept.known, kept.at);
  }

  async labReport(connection: ConnectionId): Promise<LabReportView | undefined> {
    const kept = await this.#of(this.#labs, connection);
    return kept && labView(kept.known, kept.at);
  }

  async labCell(connection: ConnectionId, id: string): Promise<LabCellView | undefined> {
    const kept = await this.#of(this.#labs, connection);
    return kept && labCellView(kept.known, id);
  }

  async reportText(
    connection: ConnectionId,
    kind: RunKind,
    format: RunFormat,
  ): Promise<string | undefined> {
    const { catalog } = this.#parts;
    const frame = (trace: string, seq: number) => {
      const number = catalog.get(trace as ConnectionId)?.number;
      return number === undefined ? `#${seq}` : `c${number}#${seq}`;
    };
    if (kind === 'probes') {
      const kept = await this.#of(this.#probes, connection);
      return kept && probeText(kept.known.report, kept.argv, format, frame);
    }
    const kept = await this.#of(this.#labs, connection);
    return kept && labText(kept.known.report, format, frame);
  }

  async #begin<K>(
    kind: RunKind,
    like: ConnectionId,
    most: number,
    all: Map<string, Kept<K>>,
    work: (run: Run, keep: (known: K) => void) => Promise<string | undefined>,
  ): Promise<string | undefined> {
    if (this.#run && this.#run.state.phase !== 'ended') return BUSY;
    const chosen = await chosenFor(this.#parts, like);
    if (!chosen) return UNKNOWN;
    const { launch } = chosen;
    const run = new Run(this.#parts, { kind, like, launch, most }, () => this.#tell());
    this.#run = run;
    this.#tell();
    const { at } = run;
    const { argv } = launch;
    const keep = (known: K) => void all.set(recentKey(launch), { at, argv, known });
    void work(run, keep)
      .catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
      .then((problem) => run.over(problem));
    return undefined;
  }

  #tell(): void {
    const { notices } = this.#parts;
    const run = this.#run;
    if (run) notices.soon('run', () => ({ type: 'run', state: run.state }));
  }

  async #of<K>(all: ReadonlyMap<string, Kept<K>>, connection: ConnectionId) {
    const chosen = await chosenFor(this.#parts, connection);
    return chosen && all.get(recentKey(chosen.launch));
  }

  #facts(connection: ConnectionId) {
    return this.#parts.traces.get(connection)?.index.facts();
  }

  #offered(connection: ConnectionId, version: 1 | 2) {
    return offeredIn(this.#facts(connection)?.handshake, version);
  }
}
