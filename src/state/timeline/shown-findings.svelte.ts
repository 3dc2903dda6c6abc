// Where the findings stand in the rows of the timeline, for the ruler beside it. Asked for again when
// rows or findings change, at most four times a second.
import type { MarkSeverity } from '../../model/timeline/finding-marks.ts';
import type { App } from '../app.svelte.ts';
import { Paced } from '../paced.ts';

const PAUSE_MS = 250;
/** As many as a tall ruler has room for. */
const PARTS = 300;

export interface ShownFinding {
  readonly row: number;
  readonly worst: MarkSeverity;
}

export class ShownFindings {
  readonly #app: App;
  #list = $state.raw<readonly ShownFinding[]>([]);
  #asked = '';
  readonly #paced = new Paced(() => this.#load(), PAUSE_MS);

  constructor(app: App) {
    this.#app = app;
  }

  get list(): readonly ShownFinding[] {
    return this.#list;
  }

  /** Call from an effect. */
  watch(): void {
    if (this.#key() !== this.#asked) this.#paced.poke();
  }

  #key(): string {
    const { timeline, findings } = this.#app;
    const { connection = '', version = 0 } = timeline.state ?? {};
    return `${connection} ${version} ${findings.state?.version ?? 0}`;
  }

  async #load(): Promise<void> {
    const { engine, current } = this.#app;
    this.#asked = this.#key();
    const connection = current?.connection;
    const list = connection === undefined ? [] : await engine.findings.rows(connection, PARTS);
    if (this.#app.current?.connection === connection) this.#list = list;
  }
}
