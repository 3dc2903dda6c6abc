// The worker that looks into lines. A pattern that does not come to an end ends with it: this worker does
// nothing else, and is replaced.
import { findIn } from '../../model/query/find.ts';
import type { FindTask, FindReport } from './worker-finder.ts';

const tell = (report: FindReport) => self.postMessage(report);

self.addEventListener('message', ({ data: { at, ...ask } }: MessageEvent<FindTask>) => {
  tell(findIn(ask, at === undefined ? () => undefined : (text) => Atomics.store(at, 0, text)));
});
tell({ kind: 'ready' });
