// Checks one trace that is at hand whole or comes piece by piece: command line and tests. The page's
// worker feeds a Checker beside its index.
import { fidelityOf } from '../model/fidelity/fidelity.ts';
import type { FidelityWindow } from '../model/fidelity/report/report.ts';
import { holeWords } from '../model/facts/holes.ts';
import type { GrowingTrace } from '../model/indexed-trace.ts';
import { membersIn, saidBy } from '../model/timeline/digest.ts';
import { millis } from '../lib/time.ts';
import { connectionId, seq, type TraceEvent } from '../trace/event.ts';
import { eventSize } from '../trace/line.ts';
import { EDITIONS } from '../acp/editions/editions.ts';
import type { Against, EditionChoice } from './against.ts';
import { Checker } from './checker.ts';
import type { RemarksOf } from './steps.ts';
import { againstOf, contradicts } from './evidence.ts';
import type { Finding } from './finding.ts';
import { FOLDS, RULES } from './registry.ts';
import { World } from './connection.ts';

export interface TraceCheckOptions {
  /** Names the trace in a world of several. */
  readonly name?: string;
  readonly edition?: EditionChoice;
  /** Shared by traces that are checked together, in the order they were recorded. */
  readonly world?: World;
  readonly remarksOf?: RemarksOf;
  /** Keep which frames kept each rule. */
  readonly passes?: boolean;
}

export interface CheckedTrace {
  /** What the handshake settles on; where the trace has none, what a person chose, if anything. */
  readonly protocolVersion: number | undefined;
  readonly against: Against;
  /** The edition was chosen although the handshake settles on another version. */
  readonly contradicts: boolean;
  readonly frames: number;
  /** What the trace lacks of its connection, as clauses. */
  readonly holes: readonly string[];
  readonly findings: readonly Finding[];
}

export class TraceCheck {
  readonly #checker: Checker;
  readonly #options: TraceCheckOptions;
  #frames = 0;
  #last: Pick<TraceEvent, 'seq' | 'at'> = { seq: seq(1), at: millis(0) };

  constructor(options: TraceCheckOptions = {}) {
    const { name = 'c1', edition = 'auto', world = new World(), remarksOf, passes } = options;
    const connection = connectionId(name);
    this.#options = options;
    this.#checker = new Checker({
      connection,
      world,
      rules: RULES,
      folds: FOLDS,
      ...(remarksOf && { remarksOf }),
      ...(edition === 'auto' ? {} : { version: EDITIONS[edition].version }),
      keepPasses: passes === true,
    });
  }

  /** `message` and `size`: as `saidBy` and `eventSize` read the event. */
  append(event: TraceEvent, message = saidBy(event), size = eventSize(event)): void {
    if (event.type === 'frame') this.#frames++;
    this.#last = event;
    this.#checker.append(event, message, size);
    for (const member of membersIn(event, message))
      this.#checker.append(member.frame, member.message, member.size);
  }

  /** True if the trace holds a restore, which is judged by its comparison with the live session. */
  get hasRestores(): boolean {
    return this.#checker.connection.windows.all.length > 0;
  }

  /** The trace ends here. `replays`: the restores of this trace and of others, compared. */
  end(replays: readonly FidelityWindow[] = []): CheckedTrace {
    for (const replay of replays)
      if (replay.connection === this.#checker.connection.id) this.#checker.replayed(replay);
    this.#checker.end(this.#last);
    const { connection, book } = this.#checker;
    const choice = this.#options.edition ?? 'auto';
    const against = againstOf(choice, connection);
    return {
      protocolVersion: connection.chosen ?? connection.version,
      against,
      contradicts: choice !== 'auto' && contradicts(choice, connection),
      frames: this.#frames,
      holes: holeWords(connection.record.holes),
      findings: book.findings(against, this.#options.passes === true),
    };
  }
}

/** Checks a trace that is in memory, after the earlier traces of its world. */
export function checkTrace(
  events: Iterable<TraceEvent>,
  options: TraceCheckOptions = {},
): CheckedTrace {
  const { name = 'c1', world = new World() } = options;
  const check = new TraceCheck({ ...options, name, world });
  const all: TraceEvent[] = [];
  world.add(all, name);
  let trace: GrowingTrace | undefined;
  for (const event of events) {
    const message = saidBy(event);
    const size = eventSize(event);
    all.push(event);
    check.append(event, message, size);
    // Only a comparison needs the index. From the first restore on, both read the same message.
    if (trace) trace.append(event, message, size);
    else if (check.hasRestores) trace = world.traces().at(-1);
  }
  return check.end(trace ? fidelityOf(world.traces()).windows : []);
}
