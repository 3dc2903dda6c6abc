// A disk that is full at one step, whichever that is: what is written then is there by half.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { vi } from 'vitest';

type Call = (...args: unknown[]) => unknown;

/** Steps of `node:fs`, and of its promises; `open` there gives files whose steps are counted too. */
interface Steps {
  readonly sync?: readonly string[];
  readonly promises?: readonly string[];
}

const OF_A_TRACE: Steps = {
  sync: ['open', 'write', 'writev', 'writeFileSync', 'renameSync'],
  promises: ['writeFile', 'rename', 'link', 'copyFile'],
};

/** The step that is so many away, from 1, is refused; gives how many are left to it. `works` ends it. */
export function fullDisk(nth: number, { sync = [], promises = [] } = OF_A_TRACE): () => number {
  let left = nth;
  const half = { file: fs.writeFileSync, piece: fs.writeSync };
  const refuse = (of: object, name: string) => {
    const table = of as Record<string, Call>;
    const work = (table[name] as Call).bind(of);
    const error = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    vi.spyOn(table, name).mockImplementation((...args: unknown[]) => {
      if (--left !== 0) {
        const done = work(...args);
        return of === fs.promises && name === 'open' ? counted(done as Promise<object>) : done;
      }
      const [path, content, ...how] = args;
      if (name === 'writeFileSync' && typeof content === 'string')
        half.file(path as string, content.slice(0, content.length / 2), ...(how as []));
      // Of an open file, what it is given stands first.
      if (name === 'writeFile' && 'fd' in of && typeof path === 'string')
        half.piece(of.fd as number, Buffer.from(path.slice(0, path.length / 2)));
      if (name === 'writeSync' && content instanceof Uint8Array)
        half.piece(path as number, content.subarray(0, content.length / 2));
      // What refuses to close is closed all the same, as close(2) says.
      if (name === 'closeSync') work(...args);
      const closed = name === 'close' ? (work(...args) as Promise<void>) : undefined;
      const done = args.at(-1);
      if (typeof done === 'function') return void process.nextTick(done as Call, error);
      if (of === fs || name.endsWith('Sync')) throw error;
      return Promise.resolve(closed).then(() => Promise.reject(error));
    });
  };
  const counted = async (opening: Promise<object>) => {
    const file = await opening;
    for (const name of ['writeFile', 'sync', 'close']) refuse(file, name);
    return file;
  };
  for (const name of sync) refuse(fs, name);
  for (const name of promises) refuse(fs.promises, name);
  syncBuiltinESMExports();
  return () => left;
}

export function works(): void {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
}
