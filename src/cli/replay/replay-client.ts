// The recorded client, sent to an agent that is started for it; the rerun is a trace of its own.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  clientDocument,
  clientReportJson,
  isAsRecorded,
  type ClientReport,
} from '../../drive/replay/client-report.ts';
import { runReplayClient } from '../../drive/replay/client.ts';
import { divergenceOf } from '../../drive/replay/divergence.ts';
import type { Speed } from '../../drive/replay/manner.ts';
import { readRecorded } from '../../drive/replay/recorded.ts';
import { REAL_TIMERS } from '../../drive/timers.ts';
import type { AliasKind } from '../../model/sessions/compare-terms.ts';
import { visibleWords } from '../../lib/visible-text.ts';
import type { TraceEvent } from '../../trace/event.ts';
import { EXIT } from '../command.ts';
import { onInterrupt } from '../parts/interrupt.ts';
import { printReport, type ReportFormat } from '../parts/print-report.ts';
import { launchProcess } from '../parts/launcher.ts';
import { isPlainTrace, rewrite } from '../parts/trace-files.ts';

interface AsClient {
  readonly file: string;
  readonly speed: Speed;
  readonly format: ReportFormat;
  /** What the divergence leaves out, in the words of `acp-scope diff`. */
  readonly ignore: readonly string[];
  /** Kinds of names that it compares as they stand. */
  readonly raw: readonly AliasKind[];
  /** The trace of the rerun; undefined: none is kept. */
  readonly out: string | undefined;
  readonly cwd: string | undefined;
  readonly sessions: readonly (readonly [recorded: string, live: string])[];
  /** Milliseconds. */
  readonly patience: number;
  readonly quiet: number;
  readonly command: readonly string[];
}

export async function replayAsClient(
  events: readonly TraceEvent[],
  options: AsClient,
): Promise<number> {
  const { file, out, command, speed, sessions, patience, quiet, format, ignore, raw } = options;
  const recorded = readRecorded(events);
  if (!recorded.frames.some(({ from }) => from === 'client')) {
    say(`${file} holds no line of a client, so there is nothing to replay as one.`);
    return EXIT.environment;
  }
  const cwd = resolve(options.cwd ?? '.');
  // Recorded line by line in our own format; in another, or nowhere, it goes by way of a folder.
  const kept = out !== undefined && isPlainTrace(out);
  const folder = kept ? undefined : await mkdtemp(join(tmpdir(), 'acp-scope-replay-'));
  const path = kept ? resolve(out) : join(folder ?? '', 'rerun.acptrace.jsonl');
  try {
    const started = await launchProcess({ argv: command, cwd, path, overwrite: true }, say);
    if (!started.ok) {
      console.error(started.message);
      return EXIT.environment;
    }
    const { agent } = started;
    const live: TraceEvent[] = [];
    agent.receive((frame) => live.push(frame));
    onInterrupt(() => void agent.process.kill());
    const run = await runReplayClient({
      ...{ recorded, agent, speed, timers: REAL_TIMERS, cwd, sessions, patience, quiet },
      note: ({ sentence }) => say(sentence),
    });
    if (out !== undefined && !kept) await rewrite(path, out);
    const report: ClientReport = {
      run,
      divergence: await divergenceOf(events, live, run.folders, { ignore, raw }),
    };
    printReport(
      format,
      () => clientDocument(report, file),
      () => clientReportJson(report, file),
    );
    return isAsRecorded(report) ? EXIT.ok : EXIT.failed;
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

function say(text: string): void {
  process.stderr.write(`acp-scope replay: ${visibleWords(text)}\n`);
}
