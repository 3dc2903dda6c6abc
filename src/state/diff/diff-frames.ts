// Two frames of the trace looked at, field by field in the diff view.
import type { Seq } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';
import { formatPair } from './diff-pair.ts';

export function compareFrames(app: App, one: Seq, other: Seq): void {
  const connection = app.current?.connection;
  if (connection === undefined) return;
  const diff = formatPair({
    ...{ left: connection, right: connection, view: 'frames' },
    leftPart: { from: one, to: one },
    rightPart: { from: other, to: other },
  });
  void app.compare(connection, diff);
}

/** With the frame that was marked last. */
export async function compareWithMarked(app: App, seq: Seq): Promise<void> {
  const { current, engine } = app;
  if (!current) return;
  const said = await engine.traces.annotations(current.connection);
  const marks = said.flatMap((one) => (one.kind === 'mark' ? one.target : []));
  const marked = marks.findLast((target) => target !== seq);
  if (marked !== undefined) compareFrames(app, marked, seq);
  else app.tell('info', 'No other frame of this trace is marked. M marks the one to compare with.');
}
