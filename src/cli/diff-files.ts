// Trace files as a comparison takes them.
import type { DiffSource } from '../diff/traces/report/report.ts';
import { chipBook } from '../model/facts/chips.ts';
import { messageOf } from '../model/timeline/digest.ts';
import { TraceIndex } from '../model/trace-index.ts';
import { facts } from '../model/words.ts';
import { count } from '../lib/format-count.ts';
import { connectionId, type TraceEvent } from '../trace/event.ts';
import { eventSize } from '../trace/line.ts';
import { openTrace } from './parts/trace-files.ts';

export interface DiffFile {
  readonly file: string;
  readonly source: DiffSource;
}

/** Throws FileError. Lines that are no events are told on stderr and left out. */
export async function readDiffFile(file: string, name: string): Promise<DiffFile> {
  const connection = connectionId(name);
  const { items, firstLine } = await openTrace(file);
  // Chips are named in each file from S1 on: the two are no parts of one story.
  const index = new TraceIndex(connection, chipBook());
  const events: TraceEvent[] = [];
  let line = firstLine;
  for await (const batch of items)
    for (const item of batch) {
      line++;
      if ('problem' in item) {
        console.error(`${file}, line ${line - 1}: ${item.problem}; left out.`);
        continue;
      }
      const { event } = item;
      events.push(event);
      index.append(event, event.type === 'frame' ? messageOf(event) : undefined, eventSize(event));
    }
  const eventAt = (place: number): TraceEvent => {
    const event = events[place];
    if (event === undefined) throw new Error(`no event stands at ${place}`);
    return event;
  };
  return { file, source: { index, connection, eventAt } };
}

/** `a.ndjson   OpenCode 1.18.33 · v1 · 640 frames`. */
export function fileWords({ file, source: { index } }: DiffFile): string {
  const { handshake, frames } = index.facts();
  const agent = handshake?.agent;
  const name = agent && facts(`${agent.name ?? ''} ${agent.version ?? ''}`.trim());
  const version = index.version;
  return `${file}   ${facts(name, version !== undefined && `v${version}`, count(frames, 'frame'))}`;
}
