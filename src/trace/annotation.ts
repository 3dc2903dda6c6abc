// What a person adds to a trace: a mark on an event, or a finding set aside with the reason why. In
// a file both are events behind what was recorded; the last word about a thing holds.
import type { Millis } from '../lib/time.ts';
import type { Mark, Seq, Suppress, TraceEvent } from './event.ts';

/** A mark on an event, or a rule whose findings are set aside: in one session, or of one method, if named. */
export type Annotation =
  | ({ readonly kind: 'mark' } & Pick<Mark, 'target' | 'label'>)
  | ({ readonly kind: 'suppress' } & Pick<Suppress, 'rule' | 'session' | 'method' | 'reason'>);

/** Said of a trace, or taken back. */
export interface AnnotationChange {
  readonly annotation: Annotation;
  readonly removed?: true;
}

/** What it is about: a trace has one annotation of a key. */
export function annotationKey(annotation: Annotation): string {
  return annotation.kind === 'mark'
    ? `mark ${annotation.target}`
    : JSON.stringify([annotation.rule, annotation.session ?? null, annotation.method ?? null]);
}

/** What an event of a file says; undefined: it is no annotation. */
export function annotationOf(event: TraceEvent): AnnotationChange | undefined {
  switch (event.type) {
    case 'mark': {
      const { target, label, removed } = event;
      return { annotation: { kind: 'mark', target, label }, ...(removed && { removed }) };
    }
    case 'suppress': {
      const { rule, session, method, reason, removed } = event;
      const where = {
        ...(session !== undefined && { session }),
        ...(method !== undefined && { method }),
      };
      const annotation: Annotation = { kind: 'suppress', rule, ...where, reason };
      return { annotation, ...(removed && { removed }) };
    }
    default:
      return undefined;
  }
}

/** The event that says it in a file. */
export function annotationEvent(
  change: AnnotationChange,
  seq: Seq,
  at: Millis | undefined,
): Mark | Suppress {
  const { kind, ...said } = change.annotation;
  const taken = change.removed ? { removed: true as const } : {};
  return { type: kind, seq, ...(at !== undefined && { at }), ...said, ...taken } as Mark | Suppress;
}

/** So much of a label is drawn: that of a stranger's file may be of any length. */
const SHOWN_LABEL = 200;

/** The annotations of one trace: what its own events say, and what was changed since. */
export class Annotations {
  private readonly recorded = new Map<string, Annotation>();
  private readonly changed = new Map<string, AnnotationChange>();
  /** Labels as they are shown, which may be empty, by the seq they stand on. */
  readonly marks = new Map<number, string>();

  /** An event of the trace itself; of any type. */
  take(event: TraceEvent): void {
    const change = annotationOf(event);
    if (!change) return;
    const key = annotationKey(change.annotation);
    if (change.removed) this.recorded.delete(key);
    else this.recorded.set(key, change.annotation);
    this.#look(change.annotation);
  }

  /** A change by hand; what was changed about the same thing before holds no more. */
  change(change: AnnotationChange): void {
    this.changed.set(annotationKey(change.annotation), change);
    this.#look(change.annotation);
  }

  /** Forgets the changes by hand, to take in those of elsewhere. */
  clearChanges(): void {
    const changes = [...this.changed.values()];
    this.changed.clear();
    for (const { annotation } of changes) this.#look(annotation);
  }

  /** Changes that say something else than the trace's own events, in the order made. */
  changes(): readonly AnnotationChange[] {
    return [...this.changed].flatMap(([key, change]) => {
      const recorded = this.recorded.get(key);
      const isSaid = change.removed
        ? recorded === undefined
        : recorded !== undefined && isSame(recorded, change.annotation);
      return isSaid ? [] : [change];
    });
  }

  /** All that holds: marks and suppressions. */
  all(): readonly Annotation[] {
    const all = new Map(this.recorded);
    for (const [key, { annotation, removed }] of this.changed)
      if (removed) all.delete(key);
      else all.set(key, annotation);
    return [...all.values()];
  }

  /** The label of the mark on an event; undefined: it has none. */
  mark(seq: number): string | undefined {
    return this.marks.get(seq);
  }

  #look(annotation: Annotation): void {
    if (annotation.kind !== 'mark') return;
    const key = annotationKey(annotation);
    const change = this.changed.get(key);
    const held = change ? (change.removed ? undefined : change.annotation) : this.recorded.get(key);
    if (held?.kind === 'mark') this.marks.set(held.target, held.label.slice(0, SHOWN_LABEL));
    else this.marks.delete(annotation.target);
  }
}

function isSame(a: Annotation, b: Annotation): boolean {
  if (a.kind === 'mark') return b.kind === 'mark' && a.label === b.label;
  return b.kind === 'suppress' && a.reason === b.reason;
}
