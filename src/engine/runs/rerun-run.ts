// A trace replay as the client from the page: the recorded client of drive/replay on an agent that the
// relay starts. What is known is kept while it goes on, so that the page shows it beside the recording.
import { parseMessage } from '../../acp/message.ts';
import { MAKERS, isMethodOf } from '../../acp/methods.ts';
import type { TraceDiffReport } from '../../diff/traces/report/report.ts';
import { endWords, type Driven, type Ended } from '../../drive/peer.ts';
import {
  clientVerdict,
  isAsRecorded,
  type ClientReport,
} from '../../drive/replay/client-report.ts';
import { REPLAY_WAITS, runReplayClient } from '../../drive/replay/client.ts';
import {
  divergenceOf,
  storySoFar,
  type Divergence,
  type Diverging,
} from '../../drive/replay/divergence.ts';
import { Folders } from '../../drive/replay/bindings.ts';
import type { ReplayNote } from '../../drive/replay/differences.ts';
import { readRecorded, recordedCwd, requestOf } from '../../drive/replay/recorded.ts';
import { defined } from '../../lib/defined.ts';
import { REAL_TIMERS } from '../../drive/timers.ts';
import type { Parts } from '../parts.ts';
import type { RerunDifference, RerunOrder, RerunPlan, RerunReportView } from './rerun-messages.ts';
import { rerunRows, type RerunRows } from './rerun-rows.ts';
import type { RerunTerms } from './run-messages.ts';
import type { Run } from './run.ts';
import { DEFAULT_IGNORE } from '../../model/sessions/compare-terms.ts';
import { agentEnd } from '../../trace/agent-end.ts';
import { connectionId, type TraceEvent } from '../../trace/event.ts';

export interface KnownRerun {
  readonly view: Omit<RerunReportView, 'id' | 'at' | 'agent' | 'version'>;
  /** Once it is over. */
  readonly report: ClientReport | undefined;
}

interface RerunSource {
  readonly events: readonly TraceEvent[];
  /** Of the recording. */
  readonly name: string;
}

/** Between two looks at a rerun that goes on. */
const LOOK_MS = 400;
/** A longer recording is laid beside its rerun at the end only. */
export const MOST_WATCHED = 20_000;

export function rerunPlan(
  events: readonly TraceEvent[],
  known: Pick<RerunPlan, 'started' | 'plays'>,
): RerunPlan {
  const recorded = readRecorded(events);
  const own = recorded.frames.filter(({ from }) => from === 'client');
  const made = new Set(
    own.flatMap((frame) => {
      const method = requestOf(frame)?.method ?? '';
      return isMethodOf(MAKERS, method) ? (frame.session ?? []) : [];
    }),
  );
  const named = new Set(own.flatMap(({ session }) => session ?? []));
  return {
    frames: own.length,
    says: recorded.frames.length - own.length,
    prompts: own.filter((frame) => requestOf(frame)?.method === 'session/prompt').length,
    cwd: recordedCwd(recorded),
    ...known,
    asked: recorded.asked,
    restored: [...named].filter((session) => !made.has(session)),
    problems: recorded.problems,
  };
}

/** Resolves with why nothing could be sent, if so. */
export async function replayAsClient(
  run: Run,
  { recording, cwd, speed, sessions }: Omit<RerunOrder, 'launch' | 'most'>,
  { events, name }: RerunSource,
  keep: (known: KnownRerun) => void,
): Promise<string | undefined> {
  const recorded = readRecorded(events);
  const own = recorded.frames.filter(({ from }) => from === 'client').length;
  const launched = await run.launcher.launch({ label: name, cwd });
  if (!launched.ok) return launched.message;
  const rerun = connectionId(launched.agent.trace);
  const notes: ReplayNote[] = [];
  const base = {
    recording,
    name,
    rerun,
    isAsRecorded: false,
    verdict: undefined,
    ended: undefined,
  };
  const soFar = (story: RerunRows): KnownRerun => ({
    view: {
      ...{ ...base, phase: 'running', state: [], problems: recorded.problems },
      ...{ rows: story.rows, rowsLeftOut: story.leftOut, counts: story.counts },
      notes: [...notes],
    },
    report: undefined,
  });
  const live: TraceEvent[] = [];
  const folders = new Folders();
  const was = recordedCwd(recorded);
  if (was !== undefined) folders.bind(was, cwd);
  const watch = new Watch(events.length <= MOST_WATCHED, async () => {
    keep(soFar(rerunRows(await storySoFar(events, [...live], folders), { isOver: false })));
    run.grows();
  });
  watch.stir();
  const agent = counted(launched.agent, run, own);
  agent.receive((frame) => {
    live.push(frame);
    watch.stir();
  });
  const done = await runReplayClient({
    ...{ recorded, agent, speed, cwd, sessions, timers: REAL_TIMERS, ...REPLAY_WAITS },
    note: (note) => notes.push(note),
  });
  await watch.over();
  const { folders: bound, ...rest } = done;
  const divergence = await divergenceOf(events, live, bound);
  const told = rerunRows(divergence.story, { isOver: true });
  keep(
    overOf({ run: rest, divergence }, told, {
      ...base,
      phase: run.signal.aborted ? 'stopped' : 'over',
    }),
  );
  return undefined;
}

/** `divergence`: its story as well, where it was just compared. */
function overOf(
  { run, divergence }: { readonly run: ClientReport['run']; readonly divergence: Divergence },
  { rows, leftOut, counts }: RerunRows,
  {
    recording,
    name,
    rerun,
    phase,
  }: Pick<KnownRerun['view'], 'recording' | 'name' | 'rerun' | 'phase'>,
): KnownRerun {
  // Whole rows make their words when they are read: from here on they are kept.
  const differences = divergence.differences.map(
    ({ view, kind, of, a, b, path, row, before, after, frame }) =>
      defined({ view, kind, of, path, row, a, b, before, after, frame }),
  );
  const { besides, aliases } = divergence;
  const report: ClientReport = { run, divergence: { differences, besides, aliases } };
  const verdict = clientVerdict(report, name);
  return {
    view: {
      ...{ recording, name, rerun, phase, verdict, rows, rowsLeftOut: leftOut, counts },
      ...termsTold(divergence.story),
      isAsRecorded: isAsRecorded(report),
      ended: unexpectedEnd(run.ended),
      state: stateRows(differences),
      ...{ notes: run.notes, problems: run.problems },
    },
    report,
  };
}

/** What stands for what, and what was left out. */
export function termsTold({
  aliases,
  leftOut,
}: Pick<TraceDiffReport, 'aliases' | 'leftOut'>): Pick<RerunReportView, 'aliased' | 'leftOut'> {
  const differ = aliases.filter(({ a, b }) => a !== b);
  return { aliased: [...new Set(differ.map(({ kind }) => kind))], leftOut };
}

/** In the state of the sessions at the end. */
export function stateRows(differences: readonly Diverging[]): readonly RerunDifference[] {
  return differences.flatMap(({ view, kind, of, path, a, b, before, after }) =>
    view === 'state' ? defined({ kind, of, path, a: a?.seq, b: b?.seq, before, after }) : [],
  );
}

/** Undefined: as agents end whose stdin ends, or that are told to. */
function unexpectedEnd(ended: Ended): string | undefined {
  if (ended.problem !== undefined) return ended.problem;
  return agentEnd(ended).isUnexpected ? endWords(ended) : undefined;
}

/** Tells the run of each line that goes out. */
function counted(agent: Driven, run: Run, of: number): Driven {
  const metered = run.metered(agent);
  run.begins('', of);
  return {
    ...metered,
    send(line, origin) {
      const message = parseMessage(line);
      metered.send(line, origin);
      run.begins('method' in message ? message.method : 'an answer', of);
      run.ends();
    },
  };
}

/** Looks again after what came, but not all the time. */
class Watch {
  readonly #isOn: boolean;
  readonly #look: () => Promise<void>;
  #isStirred = false;
  #going: Promise<void> | undefined;
  #isOver = false;

  constructor(isOn: boolean, look: () => Promise<void>) {
    this.#isOn = isOn;
    this.#look = look;
  }

  stir(): void {
    this.#isStirred = true;
    if (this.#isOn) this.#going ??= this.#go();
  }

  /** Resolves when it looks no more. */
  async over(): Promise<void> {
    this.#isOver = true;
    await this.#going;
  }

  async #go(): Promise<void> {
    while (this.#isStirred && !this.#isOver) {
      this.#isStirred = false;
      await this.#look();
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    this.#going = undefined;
  }
}

// A rerun that is over, compared with its recording once more by other terms: both traces are kept, so
// it need not be run again.

/** The same where it is under way, or one of the traces is not here any more. */
export async function comparedBy(
  parts: Parts,
  known: KnownRerun,
  terms: RerunTerms,
): Promise<KnownRerun> {
  const { view, report } = known;
  if (!report || isUsual(terms)) return known;
  const { recording, rerun } = view;
  const { catalog, traces } = parts;
  if (!rerun || !catalog.get(recording) || !catalog.get(rerun)) return known;
  const [was, is] = await Promise.all([traces.whole(recording), traces.whole(rerun)]);
  const [before, after] = [was.lines.all(), is.lines.all()];
  const divergence = await divergenceOf(before, after, foldersOf(before, after), terms);
  return overOf(
    { run: report.run, divergence },
    rerunRows(divergence.story, { isOver: true }),
    view,
  );
}

function isUsual({ ignore, raw }: RerunTerms): boolean {
  return raw.length === 0 && JSON.stringify(ignore) === JSON.stringify(DEFAULT_IGNORE);
}

/** The folder of the first session then, and the one it has now. */
function foldersOf(before: readonly TraceEvent[], after: readonly TraceEvent[]): Folders {
  const folders = new Folders();
  const [was, is] = [before, after].map((events) => recordedCwd(readRecorded(events)));
  if (was !== undefined && is !== undefined) folders.bind(was, is);
  return folders;
}
