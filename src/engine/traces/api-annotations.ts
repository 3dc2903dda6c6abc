// The page's calls about marks and suppressions.
import type { Annotation, AnnotationChange } from '../../trace/annotation.ts';
import type { ConnectionId } from '../../trace/event.ts';
import { storeAnnotation } from './annotations.ts';
import type { OpenTrace } from './open-trace.ts';
import type { Parts } from '../parts.ts';

export function annotationsApi(parts: Parts) {
  const { catalog, notices, store, tabs, traces } = parts;

  const traceOf = (connection: ConnectionId): Promise<OpenTrace> => {
    if (!catalog.get(connection)) throw new Error(`There is no trace ${connection}.`);
    return traces.whole(connection);
  };

  const change = async (connection: ConnectionId, change: AnnotationChange): Promise<void> => {
    const trace = await traceOf(connection);
    const stored = await storeAnnotation(trace, change, store);
    // Not before: what is shown outlives a reload.
    showAnnotations(parts, trace);
    if (stored.ok) return tabs.tell({ type: 'annotated', connection });
    notices.news('error', `What you marked is not stored. ${stored.problem.message}`);
  };

  return {
    /** Marks and suppressions of the trace, those of its file included. */
    async annotations(connection: ConnectionId) {
      return (await traceOf(connection)).index.annotations.all();
    },
    /** Sets it, in place of what was said of the same event, or rule in the same place. */
    annotate: (connection: ConnectionId, annotation: Annotation) =>
      change(connection, { annotation }),
    unannotate: (connection: ConnectionId, annotation: Annotation) =>
      change(connection, { annotation, removed: true }),
  };
}

/** Tells the page that marks or suppressions are others now. */
export function showAnnotations(parts: Parts, trace: OpenTrace): void {
  parts.looks.known(trace)?.view.annotated();
  parts.checks.annotated(trace);
  parts.timelineChanged();
  parts.notices.tell({ type: 'annotated', connection: trace.connection });
}
