// What an assertion says of a stored trace, and the smallest part of a trace that still fails, stored
// beside it as a trace of its own.
import type { QueryProblem } from '../../model/query/query.ts';
import { parseAssertion, type Assertion } from '../../drive/scenario/assert/assertion.ts';
import {
  failsAssertion,
  failsRule,
  type Fails,
  minimiseTrace,
  type Minimised,
} from '../../drive/scenario/minimise/minimise.ts';
import { judgeAssertion } from '../../drive/scenario/assert/judge.ts';
import { recordOf, remarksFor } from '../../drive/scenario/assert/record.ts';
import { count } from '../../lib/format.ts';
import { decodeUtf8 } from '../../lib/utf8.ts';
import { loadRemarks } from '../../rules/steps.ts';
import type { StoredTrace } from '../../storage/schema.ts';
import type { ConnectionId, TraceEvent } from '../../trace/event.ts';
import { eventLine, headerLine, parseHeader } from '../../trace/format.ts';
import { importFile } from '../library/import-file.ts';
import { othersTurn } from '../traces/intake.ts';
import type { Finder } from '../../model/query/find.ts';
import type { Parts } from '../parts.ts';
import type { ScenarioEvidence } from './scenario-messages.ts';
import { rawTrace } from './scenario-run.ts';
import type { MinimiseProgress } from '../../drive/scenario/minimise/minimise.ts';

interface Problem {
  /** A sentence. */
  readonly problem: string;
}

export interface JudgedTrace {
  readonly verdict: 'pass' | 'fail' | 'undecidable';
  /** A clause. */
  readonly seen: string;
  readonly evidence: readonly ScenarioEvidence[];
  /** Sentences: names that may be a slip of the pen. */
  readonly warnings: readonly string[];
}

/** What fails: an assertion as written, or a rule by its id. */
type Failing = { readonly assert: string } | { readonly rule: string };

export interface MinimiseAsk {
  /** The first of these in which it fails by itself. */
  readonly traces: readonly ConnectionId[];
  readonly failing: Failing;
}

export interface SmallestTrace {
  /** Stored as a trace of its own. */
  readonly connection: ConnectionId;
  readonly name: string;
  readonly frames: { readonly left: number; readonly of: number };
  /** With any one part less it no longer fails. False: it was stopped before all was tried. */
  readonly isMinimal: boolean;
}

type Library = Pick<Parts, 'catalog' | 'traces' | 'store' | 'intake' | 'tabs' | 'finder'>;

const GONE = 'The trace is not there any more.';
const FINE =
  'It does not fail in one trace alone, so there is nothing to make smaller: it takes several connections.';
const EMPTY =
  'An empty trace fails too: ask for what must not be there, not for what is missing from it.';

export class Minimiser {
  readonly #parts: Library;
  #progress: MinimiseProgress | undefined;
  #stop = new AbortController();

  constructor(parts: Library) {
    this.#parts = parts;
  }

  /** Undefined: none is under way. */
  progress(): MinimiseProgress | undefined {
    return this.#progress;
  }

  /** Takes what is smallest so far. */
  stop(): void {
    this.#stop.abort();
  }

  async judge(connection: ConnectionId, source: string): Promise<JudgedTrace | Problem> {
    const read = readAssertion(source);
    if ('problem' in read) return read;
    const trace = await this.#open(connection);
    if (!trace) return { problem: GONE };
    const record = recordOf([trace.raw], await remarksFor([read.assertion]));
    const { finder } = this.#parts;
    const { verdict, seen, frames } = await judgeAssertion(read.assertion, record, finder);
    const evidence = frames.map(({ seq }) => ({ trace: connection, seqs: [seq] }));
    return { verdict, seen, evidence, warnings: read.warnings };
  }

  /** One at a time: another ends it. */
  async minimise({ traces, failing }: MinimiseAsk): Promise<SmallestTrace | Problem> {
    this.stop();
    const stop = (this.#stop = new AbortController());
    const fails = await failsOf(failing, this.#parts.finder);
    if ('problem' in fails) return fails;
    try {
      for (const connection of traces) {
        const trace = await this.#open(connection);
        if (!trace) continue;
        const { events } = trace.raw;
        const least = await minimiseTrace(events, fails.fails, {
          stop: stop.signal,
          pause: (now) => {
            if (!stop.signal.aborted) this.#progress = now;
            return othersTurn();
          },
        });
        if (least) return await this.#keep(trace.stored, events, least);
      }
    } finally {
      if (this.#stop === stop) this.#progress = undefined;
    }
    return { problem: traces.length > 1 ? FINE : 'It does not fail in this trace.' };
  }

  async #open(connection: ConnectionId) {
    const stored = this.#parts.catalog.get(connection);
    if (!stored) return undefined;
    const raw = rawTrace(await this.#parts.traces.whole(connection), stored.startedAt);
    return { stored, raw };
  }

  async #keep(
    stored: StoredTrace,
    events: readonly TraceEvent[],
    { events: kept, isMinimal }: Minimised,
  ): Promise<SmallestTrace | Problem> {
    if (kept.length === 0) return { problem: EMPTY };
    const frames = { left: framesIn(kept), of: framesIn(events) };
    const name = `${stored.name}, ${frames.left} of ${count(frames.of, 'frame')}`;
    const file = new File(
      [`${headerOf(stored, name)}\n`, ...kept.map((event) => `${eventLine(event)}\n`)],
      `${name}.acptrace.jsonl`,
    );
    const { tabs, ...parts } = this.#parts;
    const imported = await importFile(file, {
      ...parts,
      begun: () => undefined,
      givenUp: () => undefined,
    });
    tabs.tell({ type: 'traces' });
    if (!imported.ok) return { problem: imported.message };
    return { connection: imported.connection, name, frames, isMinimal };
  }
}

function framesIn(events: readonly TraceEvent[]): number {
  return events.filter(({ type }) => type === 'frame').length;
}

/** That of the whole trace, under another name; it is nobody's connection, and nobody writes it. */
function headerOf({ header: bytes }: StoredTrace, name: string): string {
  const header = parseHeader(decodeUtf8(bytes) ?? '');
  // A file of another format has a first line of its own.
  if ('problem' in header)
    return headerLine({
      ...{ format: 'acptrace', version: 1, created: new Date(0).toISOString() },
      ...{ tool: 'acp-scope', clock: 'imported', name },
    });
  const { connection: _, writer: __, ...rest } = header;
  return headerLine({ ...rest, name });
}

function readAssertion(
  source: string,
): { readonly assertion: Assertion; readonly warnings: readonly string[] } | Problem {
  const read = parseAssertion(source, 'recorded');
  if (!read.ok) return { problem: placed(read.problem) };
  return { assertion: read.assertion, warnings: read.warnings.map(placed) };
}

function placed({ message, from }: QueryProblem): string {
  return `At character ${from + 1}: ${message}`;
}

async function failsOf(
  failing: Failing,
  finder: Finder,
): Promise<{ readonly fails: Fails } | Problem> {
  if ('rule' in failing) return { fails: failsRule(failing.rule, await loadRemarks()) };
  const read = readAssertion(failing.assert);
  if ('problem' in read) return read;
  const remarks = await remarksFor([read.assertion]);
  return { fails: failsAssertion(read.assertion, remarks, finder) };
}
