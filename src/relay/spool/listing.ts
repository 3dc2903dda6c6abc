// What the spool keeps, for a look from outside, whether or not a relay runs: nothing is written, and
// of each recording only its first line and its end are read.
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Seq } from '../../trace/event.ts';
import { openRegular } from '../regular-file.ts';
import { spoolFolder } from '../state-folder.ts';
import type { Recording } from './recording.ts';
import { TRACE_ENDING } from './disk.ts';
import { goesAt } from './retention.ts';
import { recordingFacts, writerLives } from './spool.ts';
import { readHeader, readTail } from './spool-reader.ts';

export interface KeptRecording {
  readonly path: string;
  readonly facts: Recording['facts'];
  /** The newest event; 0: none. */
  readonly last: Seq;
  /** Bytes of the file. */
  readonly size: number;
  /** `cut`: whoever recorded it was ended before the agent was. */
  readonly state: 'live' | 'ended' | 'cut';
  /** Epoch ms: when a relay that runs removes it, if no page has taken it by then. */
  readonly goesAt?: number;
}

/** By when they began, the newest last. */
export async function keptRecordings(state: string): Promise<readonly KeptRecording[]> {
  const folder = spoolFolder(state);
  const names = (await readdir(folder).catch(() => [])).filter((name) =>
    name.endsWith(TRACE_ENDING),
  );
  const kept = await Promise.all(names.map((name) => look(folder, name)));
  const began = ({ facts }: KeptRecording) => Date.parse(facts.startedAt);
  return kept.filter((one) => one !== undefined).sort((a, b) => began(a) - began(b));
}

/** Undefined: what is called so is no recording of ours, or gone. */
async function look(folder: string, name: string): Promise<KeptRecording | undefined> {
  const path = join(folder, name);
  const file = await openRegular(path);
  if (!file) return undefined;
  try {
    const facts = await readHeader(file);
    if (typeof facts === 'string') return undefined;
    const { header, start } = facts;
    // Asked before reading: what a dead writer wrote is all there.
    const isLive = await writerLives(header.writer, path);
    const { size, mtimeMs } = await lstat(path);
    const { last, exited } = await readTail(file, start, size);
    const state = exited ? 'ended' : isLive ? 'live' : 'cut';
    return {
      path,
      facts: recordingFacts(header, name.slice(0, -TRACE_ENDING.length)),
      last,
      size,
      state,
      ...(state !== 'live' && { goesAt: goesAt(mtimeMs) }),
    };
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}
