// Marks on frames of the trace looked at: set and taken off, each with a label or without. The engine
// keeps them; rows show them.
import type { Seq } from '../../trace/event.ts';
import type { Page } from '../page.ts';

/** A mark whose label is being written. */
export interface Marking {
  readonly seq: Seq;
  readonly label: string;
  readonly isNew: boolean;
}

export class Marks {
  readonly #page: Page;
  /** Undefined: no label is being written. */
  marking = $state.raw<Marking | undefined>();
  /** Grows whenever marks may be others. */
  version = $state(0);

  constructor(page: Page) {
    this.#page = page;
  }

  changed(): void {
    this.version++;
    void this.#page.timeline.readDetail();
  }

  /** Takes the mark off if there is one, else asks for a label to mark it with. */
  async toggle(seq: Seq): Promise<void> {
    const label = await this.#labelOf(seq);
    if (label === undefined) this.marking = { seq, label: '', isNew: true };
    else await this.#takeOff(seq, label);
  }

  /** Asks for another label. */
  async edit(seq: Seq): Promise<void> {
    const label = await this.#labelOf(seq);
    this.marking = { seq, label: label ?? '', isNew: label === undefined };
  }

  /** What was asked for: a label, which may be empty; undefined leaves all as it was. */
  async done(label: string | undefined, marking: Marking): Promise<void> {
    // Another may be asked for before the page hears that this one's dialog closed.
    if (this.marking === marking) this.marking = undefined;
    if (label !== undefined) await this.#set(marking.seq, label.trim());
  }

  async #set(target: Seq, label: string): Promise<void> {
    const { current, engine } = this.#page;
    if (current) await engine.traces.annotate(current.connection, { kind: 'mark', target, label });
  }

  async #takeOff(target: Seq, label: string): Promise<void> {
    const { current, engine } = this.#page;
    if (!current) return;
    const { connection } = current;
    const mark = { kind: 'mark', target, label } as const;
    await engine.traces.unannotate(connection, mark);
    this.#page.tell('info', `Took the mark off #${target}.`, {
      label: 'Undo',
      run: () => void engine.traces.annotate(connection, mark),
    });
  }

  async #labelOf(seq: Seq): Promise<string | undefined> {
    const { current, engine, timeline } = this.#page;
    if (!current) return undefined;
    // At hand where the row is its own: what is typed next must find the field open.
    const row = timeline.selectedView()?.row;
    if (row?.type === 'frame' && row.seq === seq && !row.run) return row.mark;
    for (const said of await engine.traces.annotations(current.connection))
      if (said.kind === 'mark' && said.target === seq) return said.label;
    return undefined;
  }
}
