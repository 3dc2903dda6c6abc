// The check of one trace: follows the trace behind its index, event by event as it is told to, and
// marks the events that findings stand on.
import { EDITIONS } from '../../acp/editions/editions.ts';
import type { Version } from '../../acp/methods.ts';
import type { OpenTrace } from '../traces/open-trace.ts';
import { defined } from '../../lib/defined.ts';
import { known, millis } from '../../lib/time.ts';
import type { FidelityWindow } from '../../model/fidelity/report/report.ts';
import type { ReplayRule } from '../../model/replay/faults.ts';
import { messageOf } from '../../model/timeline/digest.ts';
import type { FindingMark } from '../../model/timeline/finding-marks.ts';
import type { Against, EditionChoice } from '../../rules/against.ts';
import { severityOf, type FindingPart } from '../../rules/book.ts';
import { Checker } from '../../rules/checker.ts';
import { againstOf } from '../../rules/evidence.ts';
import { FOLDS, RULES } from '../../rules/registry.ts';
import { TITLES } from '../../rules/titles.ts';
import { schemasOf } from './loaded-schemas.ts';
import { suppressionOf, type Suppression } from '../../rules/finding.ts';
import type { RemarksOf } from '../../rules/steps.ts';
import { World } from '../../rules/connection.ts';
import type { Annotation } from '../../trace/annotation.ts';
import { connectionId, seq, timeOf, type ConnectionId, type Seq } from '../../trace/event.ts';
import { eventSize } from '../../trace/line.ts';

interface CheckOptions {
  readonly connection: ConnectionId;
  /** What frames of it are called from elsewhere: `c2`, as in `c2#12`. */
  readonly name: string;
  /** When the trace began, epoch ms: those of one world are read in the order of their events. */
  readonly startedAt: number;
  readonly world: World;
  readonly remarksOf: RemarksOf | undefined;
  readonly choice: EditionChoice;
  /** Whether its findings are shown in its own timeline. */
  readonly marks: boolean;
}

/** What changed since it was last asked: events newly marked; undefined: any may count differently. */
export interface Changed {
  readonly events: readonly number[] | undefined;
}

/** Of all checks: a trace that is checked anew must not seem to be where it was. */
let versions = 0;

/** A restore that was compared. */
interface ComparedRestore {
  /** Its late updates at that time. */
  readonly late: number;
  /** True if nothing could come late any more. */
  readonly isSettled: boolean;
  readonly faults: ReadonlySet<string>;
}

/** The rules about missing updates, which may still come late. */
const UNTIL_SETTLED: ReadonlySet<string> = new Set<ReplayRule>([
  'replay/missing-history',
  'replay/missing-history-v2',
  'replay/empty',
  'replay/user-turns-missing',
  'resume/cursor-inclusive',
  'resume/cursor-unknown-reply',
]);

export class Check {
  readonly connection: ConnectionId;
  /** As in the options, until its place among others is known. */
  startedAt: number;
  /** The version that a person chose; undefined: none, the handshake says it. */
  readonly #chosen: Version | undefined;
  /** All that is stored of the trace is in memory. */
  isLoaded = false;
  readonly checker: Checker;
  /** Whether its findings are shown in its own timeline. */
  isMarking: boolean;
  readonly #numbers = new Map<FindingPart, number>();
  choice: EditionChoice;
  #against: Against;
  trace: OpenTrace | undefined;
  /** The next event to read, and the seq of the one before. */
  #next = 0;
  #last = seq(0);
  #lastAt = millis(0);
  #readAt = 0;
  frames = 0;
  #heard = 0;
  #isNew = false;
  version = ++versions;
  #ended = false;
  readonly #compared = new Map<number, ComparedRestore>();
  #aside: readonly Annotation[] = [];

  constructor({ connection, name, startedAt, world, remarksOf, choice, marks }: CheckOptions) {
    this.connection = connection;
    this.startedAt = startedAt;
    this.choice = choice;
    this.isMarking = marks;
    this.#chosen = choice === 'auto' ? undefined : EDITIONS[choice].version;
    this.checker = new Checker({
      ...{ connection: connectionId(name), world, rules: RULES, folds: FOLDS },
      ...(remarksOf && { remarksOf }),
      ...(this.#chosen !== undefined && { version: this.#chosen }),
      heard: (part, at) => this.#hear(part, at),
    });
    this.#against = againstOf(choice, this.checker.connection);
  }

  /** What it reads the trace as is what this choice would read it as. */
  fits(choice: EditionChoice): boolean {
    if (schemasOf(choice) !== schemasOf(this.choice)) return false;
    const { agreed, version } = this.checker.connection;
    const wanted = choice === 'auto' ? undefined : EDITIONS[choice].version;
    // As long as no handshake is read, one may come that would decide otherwise.
    return agreed === undefined ? wanted === this.#chosen : (wanted ?? agreed) === version;
  }

  /** The trace as it is in memory now; what was read of it before is not read again. */
  attach(trace: OpenTrace): void {
    if (trace === this.trace) return;
    this.trace = trace;
    this.#next = trace.lines.after(this.#last);
    this.#aside = trace.index.annotations.all();
    if (!this.isMarking) return;
    trace.index.findings.clear();
    for (const [part, number] of this.#numbers) {
      trace.index.findings.define(number, this.#markOf(part));
      for (const at of part.seqs) this.#mark(at, number);
    }
    this.#isNew = true;
  }

  /** Another check shows what it finds of this trace. */
  hide(): void {
    this.isMarking = false;
  }

  /** The trace is not in memory any more. */
  detach(): void {
    this.trace = undefined;
  }

  /** It began earlier, and had a session that the other one restored. */
  knewBefore(other: Check): boolean {
    if (other === this || other.startedAt < this.startedAt) return false;
    const { sessions } = this.checker.connection;
    for (const { id, origin } of other.checker.connection.sessions.values()) {
      const first = origin === 'load' || origin === 'resume' ? sessions.get(id)?.origin : undefined;
      if (first !== undefined && first !== 'listed') return true;
    }
    return false;
  }

  /** When the next event came, epoch ms; undefined: there is none. */
  get nextAt(): number | undefined {
    if (!this.trace || this.#next >= this.trace.lines.length) return undefined;
    return this.#momentOf(this.trace, this.#next);
  }

  /** Reads events up to this moment, as long as there is time. */
  read(until: number, isTimeUp: () => boolean): void {
    const { nextAt } = this;
    const trace = this.trace;
    if (!trace || nextAt === undefined) return;
    const { lines } = trace;
    this.#readAt = performance.now();
    do {
      const place = this.#next++;
      const event = lines.read(place);
      const isFrame = event.type === 'frame';
      const size = eventSize(event);
      const message = isFrame ? messageOf(event) : undefined;
      this.#last = event.seq;
      this.#lastAt = timeOf(event);
      if (isFrame) this.frames++;
      if (event.type === 'suppress') this.annotated();
      this.checker.append(event, message, size);
      if (isTimeUp()) return;
    } while (this.#next < lines.length && this.#momentOf(trace, this.#next) <= until);
  }

  /** Without times a trace is read as though all came when it began. */
  #momentOf({ index }: OpenTrace, place: number): number {
    return this.startedAt + (known(index.columns.at.get(place)) ?? 0);
  }

  /** Milliseconds since the check read its last event. `now`: as `performance.now` counts. */
  silence(now: number): number {
    return now - this.#readAt;
  }

  /** It was judged to its end. */
  get hasEnded(): boolean {
    return this.#ended;
  }

  /** The restores that ended, and how many updates of history came late by now. */
  restores(): ReadonlyMap<number, number> {
    const windows = this.trace?.index.windowRecords ?? [];
    return new Map(
      windows.flatMap(({ id, outcome, late }) => (outcome === 'open' ? [] : [[id, late] as const])),
    );
  }

  /** True if a restore ended that was not compared yet, or of which more history came late. */
  hasRestores(isSettled: boolean): boolean {
    return [...this.restores()].some(([id, late]) => {
      const known = this.#compared.get(id);
      return known?.late !== late || (isSettled && !known.isSettled);
    });
  }

  /**
   * Takes the comparisons of these restores. False if a fault that an earlier comparison found is gone: then the
   * check must begin again. `isSettled`: nothing of them can come late.
   */
  compared(
    replays: readonly FidelityWindow[],
    restores: ReadonlyMap<number, number>,
    isSettled: boolean,
  ): boolean {
    for (const [id, late] of restores) {
      const replay = replays.find(({ window }) => window === id);
      const sure = replay?.faults.filter(({ rule }) => isSettled || !UNTIL_SETTLED.has(rule));
      const found = new Map(sure?.map((one) => [JSON.stringify(one), one]));
      const before = this.#compared.get(id);
      const known = before?.faults ?? new Set();
      if (before?.isSettled === true && !isSettled) continue;
      if ([...known].some((key) => !found.has(key))) return false;
      const faults = [...found].flatMap(([key, one]) => (known.has(key) ? [] : one));
      if (replay) this.checker.replayed({ ...replay, faults });
      this.#compared.set(id, { late, isSettled, faults: new Set(found.keys()) });
    }
    return true;
  }

  /** No more will come. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.checker.end({ seq: this.#last, at: this.#lastAt });
  }

  /** Holds the trace against another edition, as far as that needs no other check. */
  choose(choice: EditionChoice): void {
    this.choice = choice;
  }

  /** What a person set aside is other than before. */
  annotated(): void {
    this.#aside = this.trace?.index.annotations.all() ?? [];
    this.#define();
  }

  /** What changed since it was last asked; undefined: nothing. */
  settle(): Changed | undefined {
    this.#weigh();
    const heard = this.checker.book.version;
    if (heard === this.#heard && !this.#isNew) return undefined;
    this.#heard = heard;
    this.version = ++versions;
    const fresh = this.isMarking ? (this.trace?.index.findings.takeFresh() ?? []) : [];
    const events = this.#isNew ? undefined : fresh;
    this.#isNew = false;
    return { events };
  }

  /** What counts now: of the frames read so far, also of those since it was last settled. */
  get against(): Against {
    this.#weigh();
    return this.#against;
  }

  /** The frames read may have shown another edition, or a part of it that is spoken. */
  #weigh(): void {
    const against = againstOf(this.choice, this.checker.connection);
    if (isSame(against, this.#against)) return;
    this.#against = against;
    this.#define();
  }

  #define(): void {
    this.#isNew = true;
    if (!this.isMarking) return;
    for (const [part, number] of this.#numbers)
      this.trace?.index.findings.define(number, this.#markOf(part));
  }

  #hear(part: FindingPart, at: Seq): void {
    let number = this.#numbers.get(part);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(part, number);
      if (this.isMarking) this.trace?.index.findings.define(number, this.#markOf(part));
    }
    if (this.isMarking) this.#mark(at, number);
  }

  #mark(at: Seq, number: number): void {
    const place = this.trace?.index.indexOf(at) ?? -1;
    if (place >= 0) this.trace?.index.findings.add(place, number);
  }

  #markOf(part: FindingPart): FindingMark {
    const { id: rule } = part.rule;
    const mark = { rule, title: TITLES[rule] };
    const severity = severityOf(part, this.#against);
    if (severity === 'off') return { ...mark, counts: 'off' };
    if (part.verdict === 'undecidable') return { ...mark, counts: 'undecidable' };
    return { ...mark, counts: this.suppressionOf(part) === undefined ? severity : 'suppressed' };
  }

  /** What a person set the finding of this part aside with; undefined: nobody did. */
  suppressionOf({ rule, verdict, session, method }: FindingPart): Suppression | undefined {
    const where = defined({ session, method });
    return suppressionOf({ rule: rule.id, verdict, ...where }, this.#aside);
  }

  /** The parts that stand on an event, with their numbers as marks. */
  partsAt(at: Seq): readonly FindingPart[] {
    const place = this.trace?.index.indexOf(at) ?? -1;
    if (place < 0) return [];
    const numbers = this.trace?.index.findings.numbersAt(place) ?? [];
    return [...this.#numbers].flatMap(([part, number]) => (numbers.includes(number) ? part : []));
  }

  /** Numbers of the marks of parts that fit. */
  numbersOf(fits: (part: FindingPart) => boolean): ReadonlySet<number> {
    return new Set([...this.#numbers].flatMap(([part, number]) => (fits(part) ? number : [])));
  }
}

function isSame(a: Against, b: Against): boolean {
  return (
    a.edition === b.edition &&
    a.isMixed === b.isMixed &&
    a.raised.length === b.raised.length &&
    a.asked.length === b.asked.length
  );
}

// Traces that are checked as one set, because sessions outlive their connections: their events are
// read in the order they came, whichever trace they are in.

export class CheckGroup {
  readonly world = new World();
  readonly #checks = new Map<ConnectionId, Check>();
  /** All members are in memory as far as they are stored: the order is known. */
  ready = false;

  get checks(): readonly Check[] {
    return [...this.#checks.values()];
  }
  get(connection: ConnectionId): Check | undefined {
    return this.#checks.get(connection);
  }

  /** The traces that knew a session of this check before. */
  before(check: Check): readonly ConnectionId[] {
    return this.checks.filter((one) => one.knewBefore(check)).map(({ connection }) => connection);
  }

  add(check: Check): void {
    this.#checks.set(check.connection, check);
  }
  delete(connection: ConnectionId): void {
    this.#checks.delete(connection);
  }

  /** Sets when each trace began. Returns the traces that left the group: nothing says when those began. */
  order(began: ReadonlyMap<ConnectionId, number>): readonly ConnectionId[] {
    for (const check of this.checks)
      check.startedAt = began.get(check.connection) ?? check.startedAt;
    const left = [...this.#checks.keys()].filter((one) => !began.has(one));
    for (const one of left) this.#checks.delete(one);
    return left;
  }

  /** Reads on until the time is up or there is nothing more. False: nothing more. */
  work(isTimeUp: () => boolean): boolean {
    if (!this.ready) return false;
    do {
      let first: Check | undefined;
      let until = Infinity;
      for (const check of this.#checks.values()) {
        const { nextAt } = check;
        if (nextAt === undefined) continue;
        if (first === undefined || nextAt < (first.nextAt ?? Infinity)) {
          until = Math.min(until, first?.nextAt ?? Infinity);
          first = check;
        } else until = Math.min(until, nextAt);
      }
      if (first === undefined) return false;
      first.read(until, isTimeUp);
    } while (!isTimeUp());
    return true;
  }
}
