// Marks and suppressions made by hand. They stand beside the trace in the database, and never among
// its blocks: there every seq is the recorder's to give. An export writes them behind the rest.
import { millis } from '../../lib/time.ts';
import type { StorageProblem, Stored } from '../../storage/problem.ts';
import type { StoredAnnotation } from '../../storage/schema.ts';
import type { TraceStore } from '../../storage/store.ts';
import { annotationEvent, annotationKey, type AnnotationChange } from '../../trace/annotation.ts';
import { seq, type ConnectionId, type TraceEvent } from '../../trace/event.ts';
import { eventLine } from '../../trace/format.ts';
import type { OpenTrace } from './open-trace.ts';

/** Takes into a trace what is stored beside it. */
export async function recallAnnotations(
  trace: OpenTrace,
  store: TraceStore,
): Promise<StorageProblem | undefined> {
  const stored = await store.annotations(trace.connection);
  if (!stored.ok) return stored.problem;
  const { annotations } = trace.index;
  annotations.clearChanges();
  for (const record of stored.value) annotations.change(changeOf(record));
  return undefined;
}

/** Changes the trace at once, and then what is stored beside it. */
export function storeAnnotation(
  trace: OpenTrace,
  change: AnnotationChange,
  store: TraceStore,
): Promise<Stored<undefined>> {
  trace.index.annotations.change(change);
  return store.putAnnotation(recordOf(trace.connection, change));
}

/** The lines that an export adds behind the `last` event of the trace, each with its 0x0A. */
export function annotationLines(
  changes: readonly AnnotationChange[],
  last: TraceEvent | undefined,
): string {
  // A gap stands for as many seqs as it counts.
  const next = (last?.seq ?? 0) + (last?.type === 'gap' ? last.count : 1);
  const at = last ? last.at : millis(0);
  return changes
    .map((change, i) => `${eventLine(annotationEvent(change, seq(next + i), at))}\n`)
    .join('');
}

function recordOf(
  connection: ConnectionId,
  { annotation, removed }: AnnotationChange,
): StoredAnnotation {
  const key = annotationKey(annotation);
  return { connection, key, said: annotation, ...(removed && { removed }) };
}

function changeOf({ said, removed }: StoredAnnotation): AnnotationChange {
  return { annotation: said, ...(removed && { removed }) };
}
