// Node's `spawn` throws some errors at once and emits the others later. Here both come back the same way,
// as a value. Everything that starts a program goes through this file.
import {
  spawn,
  type ChildProcess,
  type ChildProcessWithoutNullStreams,
  type SpawnOptions,
} from 'node:child_process';

type Began<C> =
  | { readonly child: C; readonly error?: never }
  | { readonly child?: never; readonly error: NodeJS.ErrnoException };

/**
 * Resolves when the program runs, or with the error of the system. `onRuns` is called in the same moment
 * as the program begins, before anything else can happen to it.
 */
export function beginProcess(
  file: string,
  args: readonly string[],
  options: SpawnOptions & { readonly stdio: 'pipe' },
  onRuns?: (child: ChildProcessWithoutNullStreams) => void,
): Promise<Began<ChildProcessWithoutNullStreams>>;
export function beginProcess(
  file: string,
  args: readonly string[],
  options: SpawnOptions,
  onRuns?: (child: ChildProcess) => void,
): Promise<Began<ChildProcess>>;
export function beginProcess(
  file: string,
  args: readonly string[],
  options: SpawnOptions,
  onRuns: (child: never) => void = () => undefined,
): Promise<Began<ChildProcess>> {
  return new Promise((resolve) => {
    try {
      const child = spawn(file, args, options);
      child.on('error', (error) => resolve({ error }));
      child.once('spawn', () => {
        onRuns(child as never);
        resolve({ child });
      });
    } catch (error) {
      resolve({ error: error as NodeJS.ErrnoException });
    }
  });
}
