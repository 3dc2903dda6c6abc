// What the checker says of the trace looked at, in small: how far it is, how much it found, and the way
// from one finding to the next. The findings themselves are fetched by who shows them.
import type {
  FindingsState,
  FrameFinding,
  RuleView,
} from '../../engine/findings/finding-messages.ts';
import { count, formatCount } from '../../lib/format.ts';
import { seq, type Seq } from '../../trace/event.ts';
import type { Page } from '../page.ts';

export class Findings {
  readonly #page: Page;
  #state = $state.raw<FindingsState | undefined>();
  /** The finding looked at, by its key. */
  selected = $state.raw<string | undefined>();
  /** The finding that is about to be suppressed, by its key: its reason is asked for. */
  asking = $state.raw<string | undefined>();
  /** Made by the first place that lists findings, and shared by all. */
  list: { letIn(key: string): void } | undefined;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Of the trace looked at; undefined: it is not checked yet. */
  get state(): FindingsState | undefined {
    return this.#state?.connection === this.#page.current?.connection ? this.#state : undefined;
  }

  receive(state: FindingsState): void {
    this.#state = state;
  }

  /** How many findings count. */
  get total(): number {
    const { error = 0, warning = 0, hint = 0 } = this.state?.counts ?? {};
    return error + warning + hint;
  }

  /** To the next frame with a finding, among those shown if one is. */
  async step(direction: 1 | -1): Promise<void> {
    const { current, engine, timeline } = this.#page;
    if (!current) return;
    const { connection } = current;
    const from = timeline.selected ?? this.#top(direction);
    const next =
      (await engine.findings.next(connection, from, direction, { shown: true })) ??
      (await engine.findings.next(connection, from, direction));
    if (next !== undefined) return timeline.jump(next);
    this.#page.tell('info', this.#none(direction));
  }

  /** What was found on a frame of the trace looked at. */
  async on(seq: Seq): Promise<readonly FrameFinding[]> {
    const { current, engine } = this.#page;
    return current ? engine.findings.ofFrame(current.connection, seq) : [];
  }

  /** What a rule asks; undefined: there is none of this id. */
  rule(id: string): Promise<RuleView | undefined> {
    return this.#page.engine.findings.rule(id);
  }

  /** Shows the findings of the open trace. */
  open(): void {
    this.#page.test = undefined;
    this.#page.view = 'checks';
  }
  /** Shows a finding there, whatever filter the list was left with. */
  show(key: string): void {
    this.selected = key;
    this.list?.letIn(key);
    this.open();
  }
  /** Shows it there, with the question why it is to be suppressed. */
  askWhy(key: string): void {
    this.show(key);
    this.asking = key;
  }

  #top(direction: 1 | -1): Seq {
    const { timeline } = this.#page;
    const top = timeline.row(timeline.onScreen.top)?.seq;
    if (top === undefined) return seq(0);
    // The row on top is the first to be looked at.
    return direction === 1 ? seq(top - 1) : top;
  }

  #none(direction: 1 | -1): string {
    const { state, total } = this;
    const where = direction === 1 ? 'below' : 'above';
    if (!state) return 'This trace is not checked yet.';
    if (state.done)
      return total === 0 ? 'No rule failed in this trace.' : `No finding ${where} this one.`;
    const frames = count(this.#page.current?.frames ?? 0, 'frame');
    return `No finding ${where} so far: ${formatCount(state.checked)} of ${frames} are checked.`;
  }
}
