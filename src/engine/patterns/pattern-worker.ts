// The worker that looks for patterns. One that does not come to an end ends with it: this worker does
// nothing else, and is replaced.
import { findIn } from '../../model/query/patterns.ts';
import type { PatternTask, PatternReport } from './worker-patterns.ts';

const tell = (report: PatternReport) => self.postMessage(report);

self.addEventListener('message', ({ data: { at, ...ask } }: MessageEvent<PatternTask>) => {
  tell(findIn(ask, at === undefined ? () => undefined : (text) => Atomics.store(at, 0, text)));
});
tell({ kind: 'ready' });
