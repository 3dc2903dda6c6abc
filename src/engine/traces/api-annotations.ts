// The page's calls about marks and suppressions.
import type { StoredTrace } from '../../storage/schema.ts';
import type { AnnotationChange } from '../../trace/annotation.ts';
import type { ConnectionId } from '../../trace/event.ts';
import { storeAnnotation } from './annotations.ts';
import type { TracesApi } from '../api.ts';
import type { OpenTrace } from './open-trace.ts';
import type { Parts } from '../parts.ts';

export function annotationsApi(parts: Parts): TracesApi {
  const { catalog, notices, store, tabs } = parts;

  const traceOf = (connection: ConnectionId): Promise<OpenTrace> => {
    const stored = catalog.get(connection);
    if (!stored) throw new Error(`There is no trace ${connection}.`);
    return loaded(parts, stored);
  };

  const change = async (connection: ConnectionId, change: AnnotationChange): Promise<void> => {
    const trace = await traceOf(connection);
    const stored = await storeAnnotation(trace, change, store);
    // Not before: what is shown outlives a reload.
    showAnnotations(parts, trace);
    if (stored.ok) return tabs.tell({ type: 'annotated', connection });
    const text = `What you marked is not stored. ${stored.problem.message}`;
    notices.tell({ type: 'news', tone: 'error', text });
  };

  return {
    async annotations(connection) {
      return (await traceOf(connection)).index.annotations.all();
    },
    annotate: (connection, annotation) => change(connection, { annotation }),
    unannotate: (connection, annotation) => change(connection, { annotation, removed: true }),
  };
}

/** The trace with all that is stored of it. */
export async function loaded(
  parts: Pick<Parts, 'traces'>,
  { connection, mode }: StoredTrace,
): Promise<OpenTrace> {
  const { trace, loaded } = parts.traces.open(connection, mode === 'file' ? 'file' : 'live');
  await loaded;
  return trace;
}

/** Tells the page that marks or suppressions are others now. */
export function showAnnotations(parts: Parts, trace: OpenTrace): void {
  parts.looks.known(trace)?.view.annotated();
  parts.checks.annotated(trace);
  parts.timelineChanged();
  parts.notices.tell({ type: 'annotated', connection: trace.connection });
}
