// Trace files as a comparison takes them.
import { indexedTrace, type IndexedTrace } from '../model/indexed-trace.ts';
import { facts } from '../model/words.ts';
import { count } from '../lib/format-count.ts';
import { readTrace } from './parts/trace-files.ts';

export interface DiffFile {
  readonly file: string;
  readonly source: IndexedTrace;
}

/** Throws FileError. Lines that are no events are told on stderr and left out. */
export async function readDiffFile(file: string, name: string): Promise<DiffFile> {
  const { events } = await readTrace(file);
  // Chips are named in each file from S1 on: the two are no parts of one story.
  return { file, source: indexedTrace(events, name) };
}

/** `a.ndjson   OpenCode 1.18.33 · v1 · 640 frames`. */
export function fileWords({ file, source: { index } }: DiffFile): string {
  const { handshake, frames } = index.facts();
  const agent = handshake?.agent;
  const name = agent && facts(`${agent.name ?? ''} ${agent.version ?? ''}`.trim());
  const version = index.version;
  return `${file}   ${facts(name, version !== undefined && `v${version}`, count(frames, 'frame'))}`;
}
