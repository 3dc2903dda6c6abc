// What work costs by itself, whatever else the machine does: processor time and memory, never time
// on a wall.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds that all threads of this process computed; of several tries the least. */
export async function computed(work: () => unknown, tries = 3): Promise<number> {
  const times: number[] = [];
  for (let left = tries; left > 0; left--) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  return Math.min(...times);
}

/** Bytes on the heap that something still needs. */
export function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}
