// What the agent looked at was last tested with.
import type { RunSummary } from '../../engine/runs/run-messages.ts';
import type { ConnectionId } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';
import { Asked } from '../asked.svelte.ts';
import { sameWords } from './known-agents.ts';
import {
  changeOf,
  keptCases,
  labCases,
  LOOKS_BACK,
  probeCases,
  reportsBefore,
} from './test-cases.ts';

const PAUSE_MS = 500;

/** `worse`: so many of its cases than when they were asked before. */
type LastTest = RunSummary & { readonly worse: number };

/** What its agent, started with the same words, was last tested with; `false`: nothing that is kept. */
export function lastTestIn(app: App): Asked<ConnectionId, LastTest | false> {
  const ask = async (): Promise<LastTest | false> => {
    const argv = app.facts?.started?.argv ?? [];
    const kept = argv.length > 0 ? await app.engine.runs.keptRuns() : [];
    const last = kept.find((run) => sameWords(run.argv, argv));
    return last ? { ...last, worse: await worseIn(app, kept, last) } : false;
  };
  return new Asked(() => app.current?.connection, ask, PAUSE_MS);
}

async function worseIn(app: App, kept: readonly RunSummary[], run: RunSummary): Promise<number> {
  const before = reportsBefore(kept, run, undefined).slice(0, LOOKS_BACK);
  if (before.length === 0) return 0;
  const told = async <K extends 'probes' | 'lab'>(kind: K) => {
    const ids = [run, ...before].map(({ id }) => id);
    const [report, ...priors] = await Promise.all(
      ids.map((id) => app.engine.runs.report(kind, { run: id })),
    );
    return { report, priors: priors.filter((one) => one !== undefined), now: undefined };
  };
  const cases =
    run.kind === 'probes'
      ? probeCases([], undefined, await told('probes'))
      : run.kind === 'lab'
        ? labCases(undefined, () => undefined, await told('lab'))
        : keptCases(kept, undefined).filter((one) => one.run === run.id);
  return cases.filter((one) => changeOf(one) === 'worse').length;
}
