// The example: a session that is lived in one trace and restored in another, with faults to be found.
import type { FindingView } from '../engine/findings/finding-messages.ts';
import { seq, type ConnectionId, type Seq } from '../trace/event.ts';
import type { App } from './app.svelte.ts';
import { keptWith } from './kept.svelte.ts';

const [LIVED, RESTORED] = ['example: the live part', 'example: a broken resume'];
/** Where each part lies, and its file as it would be saved. The lived one first: it has the lower number. */
const PARTS = [
  ['example-live', 'example-the-live-part'],
  ['example', 'example-a-broken-resume'],
];
/** The restore that loses most. */
const WORST = seq(7);

/** The restored part is looked at, and the lived one is there: alone it says less of what is wrong. */
export function isExample({ current, traces }: App): boolean {
  return current?.name === RESTORED && traces.some(({ name }) => name === LIVED);
}

/** Opens both parts, checked together, at the worst restore. */
export async function openExample(app: App): Promise<void> {
  const files = await Promise.all(
    PARTS.map(async ([part, name]) => {
      const response = await fetch(`/${part}.acptrace.jsonl`);
      return new File([await response.blob()], `${name}.acptrace.jsonl`);
    }),
  );
  const [lived, restored] = await app.library.importFiles(files);
  if (!lived || !restored) return;
  await app.engine.findings.choose(restored, { edition: 'auto', together: [lived] });
  // A person may have selected a frame meanwhile.
  if (app.timeline.selected === undefined) await app.jump(WORST);
}

/** The one of the page: what was found stays found, whichever view is looked at meanwhile. */
export const huntOf = keptWith((app) => new Hunt(app));

/** What the agent of a trace did wrong, and which of it a reader has selected so far. */
class Hunt {
  readonly #app: App;
  #of: ConnectionId | undefined;
  faults = $state.raw<readonly FindingView[]>([]);
  found = $state.raw<readonly string[]>([]);
  /** The reader wants to be asked no more. */
  isOver = $state(false);

  constructor(app: App) {
    this.#app = app;
  }

  get left(): readonly FindingView[] {
    return this.faults.filter(({ key }) => !this.found.includes(key));
  }
  /** Found last. */
  get last(): FindingView | undefined {
    return this.faults.find(({ key }) => key === this.found.at(-1));
  }

  /** Call in an effect: the trace is checked, or checked anew. */
  async readFaults(): Promise<void> {
    const { state } = this.#app.findings;
    if (!state?.done) return;
    if (state.connection !== this.#of) {
      this.#of = state.connection;
      this.found = [];
      this.isOver = false;
    }
    const answer = await this.#app.engine.findings.all(state.connection);
    if (answer) this.faults = answer.findings.filter(isFault);
  }

  /** Call in an effect: the frame that is selected is blamed, also where it was before the trace was checked. */
  async blame(frame: Seq | undefined): Promise<void> {
    if (frame === undefined || this.faults.length === 0) return;
    const keys = (await this.#app.findings.on(frame)).filter(isFault).map(({ key }) => key);
    this.found = [...this.found, ...keys.filter((key) => !this.found.includes(key))];
  }

  /** What a client gets of the restore that loses most. */
  async toFidelity(): Promise<void> {
    const { current } = this.#app;
    if (!current) return;
    const { fidelityViewOf } = await import('./fidelity/fidelity.svelte.ts');
    await fidelityViewOf(this.#app).choose({ connection: current.connection, request: WORST });
  }

  async showNext(): Promise<void> {
    const place = this.left[0]?.places[0];
    if (place) await this.#app.jump(place.seq);
  }
}

function isFault({ verdict, severity, side }: FindingView): boolean {
  return verdict === 'fail' && severity !== 'hint' && side === 'agent';
}
