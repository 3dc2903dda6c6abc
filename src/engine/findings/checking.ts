// Checks the traces that are looked at, behind the timeline: in slices, so that no question of the page
// waits, and in groups, because sessions outlive their connections. Loaded with the first trace.
import type { EditionId } from '../../acp/editions/edition.ts';
import { loadRemarks, type RemarksOf } from '../../rules/steps.ts';
import type { ConnectionId } from '../../trace/event.ts';
import { CheckGroup, Check, type Changed } from './check.ts';
import { Choices, isOtherSet, NO_CHOICE } from './check-choice.ts';
import type { CheckChoice, FindingsState } from './finding-messages.ts';
import { findingState } from './finding-views.ts';
import { forgetEdition, openEdition, recallEditions, type OpenedEdition } from './own-editions.ts';
import { isAwaited, othersLongTurn, type Intake } from '../traces/intake.ts';
import type { OpenTrace } from '../traces/open-trace.ts';
import { LoadedSchemas } from './loaded-schemas.ts';
import { RestoreComparing, type ComparingParts } from './restore-comparing.ts';
import type { Looks } from '../timeline/looks.ts';
import { beginningsWith } from '../traces/beginnings.ts';
import type { OpenTraces } from '../traces/open-traces.ts';
import type { Catalog } from '../library/catalog.ts';
import type { Notices } from '../notices.ts';
import type { Store } from '../../storage/store.ts';

/** Milliseconds of work before others get their turn; and while lines wait to be taken in, or a person for other work. */
const SLICE = 6;
const SHORT_SLICE = 2;
/** Milliseconds between two looks at what was found; more where a look takes long. */
const EVERY = 250;
const MOST_SHARE = 10;
/** The same for who waits until all of a trace was checked. */
const LOOK_AGAIN = 20;
/** Milliseconds without an event after which an update that comes is not late. */
const QUIET = 2000;

/** The parts of the engine that it uses. */
interface CheckingParts extends ComparingParts {
  readonly catalog: Catalog;
  readonly traces: OpenTraces;
  readonly looks: Looks;
  readonly intake: Intake<OpenTrace>;
  readonly notices: Notices;
  readonly store: Store;
  timelineChanged(): void;
}

export async function loadChecking(parts: CheckingParts): Promise<Checking> {
  for (const problem of await recallEditions(parts.store)) parts.notices.news('warn', problem);
  return new Checking(parts, await loadRemarks());
}

export class Checking {
  readonly #parts: CheckingParts;
  readonly #schemas: LoadedSchemas;
  /** The group that shows the findings of a trace. All live connections have the same one. */
  readonly #groups = new Map<ConnectionId, CheckGroup>();
  #live: CheckGroup | undefined;
  readonly #choices: Choices;
  #isRunning = false;
  #lookAt = 0;
  #isLooking = false;
  #isWaiting = false;
  readonly #comparing: RestoreComparing;

  constructor(parts: CheckingParts, remarksOf: RemarksOf) {
    this.#parts = parts;
    this.#schemas = new LoadedSchemas(remarksOf);
    this.#choices = new Choices(parts.store, parts.catalog);
    this.#comparing = new RestoreComparing(parts, {
      together: ({ connection }) =>
        this.#groups.get(connection)?.checks.map((one) => one.connection) ?? [],
      isShown: (check) => this.get(check.connection) === check,
      again: ({ connection }) => void this.#place(connection),
      done: () => this.#look(),
    });
  }

  /** The check whose findings are shown with a trace. */
  get(connection: ConnectionId): Check | undefined {
    return this.#groups.get(connection)?.get(connection);
  }

  /** A trace is looked at: from here on it is checked. */
  async show(connection: ConnectionId): Promise<void> {
    const isFirst = !this.#choices.has(connection);
    if (isFirst) {
      const stored = await this.#choices.stored(connection);
      await this.#schemas.know(stored?.edition ?? 'auto');
      this.#choices.recall(connection, stored);
    }
    const choice = this.#choices.get(connection);
    const { traces, catalog } = this.#parts;
    const [trace, check] = [traces.get(connection), this.get(connection)];
    const isLive = catalog.live(connection) && !this.#hasOwnSet(connection);
    if (!check && isLive && this.#live) void this.#join(this.#live, connection, true);
    else if (!check) void this.#place(connection);
    else if (isFirst) this.#apply(connection, check, NO_CHOICE, choice);
    if (trace) check?.attach(trace);
    this.#tell();
    void this.#run();
  }

  /** Resolves when all of a trace that is there was checked, or nobody waits. */
  async whole(connection: ConnectionId, signal: AbortSignal): Promise<void> {
    await this.show(connection);
    while (!signal.aborted && this.state(connection)?.done === false)
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN));
  }

  /** What was found in it is needed no more. */
  forget(connection: ConnectionId): void {
    const { catalog, traces } = this.#parts;
    const group = this.#groups.get(connection);
    if (!group || group === this.#live) return;
    this.#groups.delete(connection);
    for (const check of group.checks)
      if (!catalog.live(check.connection)) traces.release(check.connection);
  }

  async choose(connection: ConnectionId, choice: CheckChoice): Promise<void> {
    const isNewest = this.#choices.want(connection, choice);
    await this.#schemas.know(choice.edition);
    if (!isNewest()) return;
    const before = this.#choices.keep(connection, choice);
    const check = this.get(connection);
    if (check) this.#apply(connection, check, before, choice);
    else void this.#place(connection);
    this.#tell();
  }

  /** Makes the edition of a document known, as `openEdition` does. */
  async openEdition(text: string): Promise<OpenedEdition | string> {
    const opened = await openEdition(this.#parts.store, text);
    if (typeof opened !== 'string') await this.#checkAgain();
    return opened;
  }

  /** Forgets an edition: traces that were checked against it are checked as if nobody had chosen. */
  async forgetEdition(id: EditionId): Promise<string | undefined> {
    const problem = await forgetEdition(this.#parts.store, id);
    if (problem !== undefined) return problem;
    this.#choices.forget(id);
    await this.#checkAgain();
    return undefined;
  }

  /** Other names are known now: every trace is checked again when it is shown. */
  async #checkAgain(): Promise<void> {
    const { looks } = this.#parts;
    // No check may ask for an edition that is gone.
    this.#drop();
    await this.#schemas.again(this.#choices.all().map(({ edition }) => edition));
    // Checks that began meanwhile use the old schemas.
    this.#drop();
    if (looks.shown !== undefined) void this.#place(looks.shown);
  }

  #drop(): void {
    for (const owner of this.#groups.keys()) this.forget(owner);
    this.#groups.clear();
    this.#live = undefined;
  }

  /** A trace has grown, is another object in memory, or has ended. */
  grown(trace: OpenTrace): void {
    for (const group of this.#all()) {
      const check = group.get(trace.connection);
      if (check?.trace || check?.isMarking) check.attach(trace);
    }
    void this.#run();
  }

  /** The list of traces is another: connections began, ended or came to be known as live. */
  refresh(): void {
    const { catalog, looks } = this.#parts;
    const { shown } = looks;
    const group = shown === undefined ? undefined : this.#groups.get(shown);
    if (shown !== undefined && group && group !== this.#live && !this.#hasOwnSet(shown))
      if (catalog.live(shown) && catalog.get(shown)) void this.#place(shown);
    if (this.#live) for (const { id } of catalog.allLive()) void this.#join(this.#live, id, true);
    void this.#run();
  }

  annotated(trace: OpenTrace): void {
    this.get(trace.connection)?.annotated();
    this.#look();
  }

  /** Only these are in memory any more. */
  keep(open: ReadonlySet<ConnectionId>): void {
    for (const [owner, group] of this.#groups)
      if (!open.has(owner) && group !== this.#live) this.#groups.delete(owner);
    for (const group of this.#all())
      for (const check of group.checks) if (!open.has(check.connection)) check.detach();
  }

  /** It has not been read to its end. */
  isBusy(connection: ConnectionId): boolean {
    return this.#all().some((group) => group.get(connection)?.nextAt !== undefined);
  }

  state(connection: ConnectionId): FindingsState | undefined {
    const group = this.#groups.get(connection);
    const check = group?.get(connection);
    if (!group || !check) return undefined;
    const others = group.checks.map((one) => one.connection).filter((one) => one !== connection);
    const state = findingState(check, this.#choices.get(connection), others);
    // A trace that will not grow is done when its end was judged too, which is later than it was read.
    const isWhole = check.trace !== undefined && this.#isWhole(check.trace);
    const waits = isWhole && (!check.hasEnded || check.hasRestores(true));
    return { ...state, done: state.done && !waits };
  }

  /** That of the trace looked at comes first. */
  #all(): readonly CheckGroup[] {
    const { shown } = this.#parts.looks;
    const first = shown === undefined ? undefined : this.#groups.get(shown);
    return [...new Set([...(first ? [first] : []), ...this.#groups.values()])];
  }

  /** It is read with traces that the live connections are not read with. */
  #hasOwnSet(connection: ConnectionId): boolean {
    const { catalog } = this.#parts;
    const { together } = this.#choices.get(connection);
    return together.some((one) => !this.#live?.get(one) && !catalog.live(one));
  }

  #apply(connection: ConnectionId, check: Check, before: CheckChoice, now: CheckChoice): void {
    if (isOtherSet(before, now) || !check.fits(now.edition)) void this.#place(connection);
    else {
      check.choose(now.edition);
      this.#look();
    }
  }

  /** Begins the check of a trace anew, in the group where it belongs. */
  async #place(connection: ConnectionId): Promise<void> {
    const { catalog } = this.#parts;
    // The relay lets go of connections that have ended; their sessions may go on in others.
    const before = this.#live?.checks.map((check) => check.connection) ?? [];
    const live = catalog.live(connection)
      ? [...before, ...catalog.allLive().map(({ id }) => id)]
      : [];
    const isLive = live.length > 0 && !this.#hasOwnSet(connection);
    const group = new CheckGroup();
    const { together } = this.#choices.get(connection);
    const members = new Set(isLive ? live : [...together, ...live, connection]);
    if (isLive) this.#live = group;
    else {
      this.#live?.get(connection)?.hide();
      this.#groups.set(connection, group);
    }
    const joined = [...members].map((member) => this.#join(group, member, isLive));
    group.ready = members.size === 1;
    await Promise.all(joined);
    if (!isLive && members.size > 1) {
      const read = group.checks.flatMap(({ trace }) => trace ?? []);
      for (const one of group.order(beginningsWith(connection, read, catalog)))
        this.#parts.traces.release(one);
    }
    group.ready = true;
    void this.#run();
  }

  async #join(group: CheckGroup, connection: ConnectionId, isLive: boolean): Promise<void> {
    const { catalog, traces } = this.#parts;
    const stored = catalog.get(connection);
    if (!stored || group.get(connection)) return;
    const choice = this.#choices.get(connection);
    // One check marks the timeline of a trace, however many groups read it.
    const isShown = isLive ? !this.#hasOwnSet(connection) : group === this.#groups.get(connection);
    const check = new Check({
      ...{ connection, name: `c${stored.number}`, world: group.world, marks: isShown },
      ...{ startedAt: Date.parse(stored.startedAt) || 0, choice: choice.edition },
      remarksOf: this.#schemas.of(choice.edition),
    });
    group.add(check);
    if (isLive && isShown) this.#groups.set(connection, group);
    const { trace, loaded } = traces.open(connection);
    check.attach(trace);
    await loaded;
    check.attach(traces.get(connection) ?? trace);
    check.isLoaded = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#slice()) {
      if (performance.now() >= this.#lookAt) this.#lookNow();
      await othersLongTurn();
    }
    this.#isRunning = false;
    this.#look();
    // Updates that came are judged at once; missing ones, once nothing can come late.
    for (const { checks } of this.#all())
      for (const one of checks) void this.#comparing.compare(one, false);
    this.#awaitQuiet();
  }

  /** Compares the restores of a live connection again once the connection was silent for `QUIET`. */
  #awaitQuiet(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    setTimeout(() => {
      this.#isWaiting = false;
      const now = performance.now();
      const { catalog } = this.#parts;
      const running = this.#all()
        .flatMap(({ checks }) => checks)
        .filter(({ connection, isLoaded }) => isLoaded && catalog.isRunning(connection));
      const isQuiet = (check: Check) => check.silence(now) >= QUIET;
      for (const check of running.filter(isQuiet)) void this.#comparing.compare(check, true);
      this.#look();
      if (!running.every(isQuiet)) this.#awaitQuiet();
    }, QUIET);
  }

  /** False: there is nothing more to read. */
  #slice(): boolean {
    const isShort = this.#parts.intake.isBusy || isAwaited();
    const end = performance.now() + (isShort ? SHORT_SLICE : SLICE);
    const isTimeUp = () => performance.now() >= end;
    let more = false;
    for (const group of this.#all()) {
      // What a file still brings is read first; the check would only make that take longer.
      if (group.checks.some(({ connection }) => this.#parts.catalog.get(connection)?.reading))
        continue;
      if (group.work(isTimeUp)) more = true;
      else this.#endIn(group);
      if (isTimeUp()) return true;
    }
    return more;
  }

  /** Traces that will not grow are judged to their end. */
  #endIn(group: CheckGroup): void {
    if (!group.ready) return;
    const { traces, catalog } = this.#parts;
    for (const check of group.checks) {
      if (!check.trace || !check.isLoaded || check.nextAt !== undefined) continue;
      if (!this.#isWhole(check.trace)) continue;
      check.end();
      if (check.isMarking && this.#choices.gather(check.connection)) {
        void this.#place(check.connection);
        continue;
      }
      void this.#comparing.compare(check, true);
      if (check.isMarking || catalog.live(check.connection)) continue;
      // It was only read for what others say of its sessions.
      check.detach();
      traces.release(check.connection);
    }
  }

  #isWhole({ connection, last }: OpenTrace): boolean {
    const { catalog } = this.#parts;
    if (catalog.isRunning(connection) || catalog.get(connection)?.reading) return false;
    return last >= (catalog.live(connection)?.last ?? 0);
  }

  /** Looks at what was found as soon as it is time. */
  #look(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const rest = Math.max(0, this.#lookAt - performance.now());
    setTimeout(() => {
      this.#isLooking = false;
      this.#lookNow();
    }, rest);
  }

  #lookNow(): void {
    const from = performance.now();
    for (const group of this.#all())
      for (const check of group.checks) {
        const changed = check.settle();
        if (changed && check.isMarking) this.#show(check, changed);
        if (group === this.#live) this.#choices.remember(check.connection, group.before(check));
      }
    this.#tell();
    this.#lookAt = performance.now() + Math.max(EVERY, MOST_SHARE * (performance.now() - from));
  }

  #show({ trace }: Check, { events }: Changed): void {
    const { looks } = this.#parts;
    if (!trace || events?.length === 0) return;
    looks.known(trace)?.view.found(events);
    if (trace.connection === looks.shown) this.#parts.timelineChanged();
  }

  #tell(): void {
    const { notices, looks } = this.#parts;
    notices.soon('findings', () => {
      const state = looks.shown === undefined ? undefined : this.state(looks.shown);
      return state && { type: 'findings', state };
    });
  }
}
