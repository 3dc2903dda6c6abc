// The worker that reads files. One that is made to cost much costs this worker alone, and it is ended with that.
import { readSteps } from './file-reading.ts';
import type { ReadAsk, ReadReport } from './worker-reading.ts';

const tell = (report: ReadReport, transfer: Transferable[] = []) =>
  self.postMessage(report, { transfer });

/** Milliseconds between two reports of how far it is. */
const EVERY = 100;

let goOn: (() => void) | undefined;

self.addEventListener('message', ({ data }: MessageEvent<ReadAsk>) => {
  if (data === 'next') goOn?.();
  else void read(data);
});

async function read({ file, ...how }: Exclude<ReadAsk, 'next'>): Promise<void> {
  let told = -Infinity;
  for await (const step of readSteps(file, how)) {
    if (step.kind === 'progress' && performance.now() - told < EVERY) continue;
    if (step.kind === 'progress') told = performance.now();
    const isTaken = new Promise<void>((resolve) => (goOn = resolve));
    tell(step, step.kind === 'lines' ? [step.bytes.buffer] : []);
    // No more lies ready than one batch.
    if (step.kind === 'lines') await isTaken;
  }
}
tell({ kind: 'ready' });
