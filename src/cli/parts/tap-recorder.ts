// Where a tap records: into the file that was named, or where a running acp-scope shows it live and the
// next one finds it.
import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { version } from '../../../package.json';
import { DISK, SPOOL_LIMITS, type Disk } from '../../relay/spool/disk.ts';
import { Recorder } from '../../relay/spool/recorder.ts';
import { prepareState, spoolFolder, stateFolder } from '../../relay/state-folder.ts';
import { connectionId } from '../../trace/event.ts';
import { UsageError } from '../command.ts';
import { claimFree, nameWith } from './out-file.ts';
import { isPlainTrace } from './trace-files.ts';

/** Before every line that a tap says on stderr. */
export const FRONT = 'acp-scope tap: ';

interface Tapped {
  readonly name: string;
  readonly argv: readonly string[];
  readonly cwd: string;
}

/** Throws UsageError where the file cannot be written as a tap goes. */
export function tapRecorders(out: string | undefined, force = false): (tapped: Tapped) => Recorder {
  if (out !== undefined && !isPlainTrace(out))
    throw new UsageError(
      `tap writes as it goes, which ${out} cannot hold. Name it *.acptrace.jsonl, and convert it afterwards.`,
    );
  const state = stateFolder();
  const prepared = out === undefined ? prepareState(state) : undefined;
  // The editor waits for its agent: what hinders the recording does not hinder that.
  if (prepared?.ok === false) console.error(`${FRONT}${prepared.message} Not recorded meanwhile.`);
  let count = 0;
  return ({ name, argv, cwd }) => {
    const id = randomUUID();
    count++;
    return new Recorder({
      path:
        out === undefined
          ? join(spoolFolder(state), `${id}.acptrace.jsonl`)
          : outPath(out, force && count === 1),
      connection: connectionId(id),
      tool: `acp-scope ${version}`,
      ...{ name, mode: 'tap', argv, cwd },
      ...(out === undefined ? { disk: diskIn(state), limits: SPOOL_LIMITS } : { overwrite: true }),
    });
  };
}

/**
 * `run.acptrace.jsonl`, or the first of `run-2.acptrace.jsonl`, `run-3…` that is free: an editor starts the same
 * line again and again, and no recording is lost. `replace`: the first, whatever is there.
 */
function outPath(out: string, replace: boolean): string {
  if (replace) return resolve(out);
  const path = claimFree((nth) => resolve(nameWith(out, nth > 1 ? `-${nth}` : '')));
  if (path !== resolve(out)) console.error(`${FRONT}${out} exists. Recorded in ${path}.`);
  return path;
}

/** Opens nothing in our folder while that is missing, or others may enter it. */
function diskIn(state: string): Disk {
  return {
    ...DISK,
    open(path, replace) {
      const prepared = prepareState(state);
      if (prepared.ok) return DISK.open(path, replace);
      const { message, code } = prepared;
      return Promise.reject(Object.assign(new Error(message), { code }));
    },
  };
}
