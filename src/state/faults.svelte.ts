// What went wrong in the page itself: the last of it, and how often since a person looked. Each is
// something a person sees, with a way on; nothing of it is kept or sent anywhere.

export type PageFaultKind =
  /** The worker did not start: no call is answered. */
  | 'unstarted'
  /** Thrown in the worker, of no call; it goes on. */
  | 'worker'
  /** A call that the worker could not answer. */
  | 'call'
  /** Thrown in the page, or a promise that nobody waits for. */
  | 'page'
  /** A part of the page that could not be shown; that part says so itself. */
  | 'part';

export interface PageFault {
  readonly kind: PageFaultKind;
  /** The error's own words. */
  readonly message: string;
  readonly stack?: string;
}

export class PageFaults {
  /** The one to tell about: none is told over a worker that did not start. */
  last = $state.raw<PageFault | undefined>();
  /** How many there were since the last was dismissed. */
  count = $state(0);

  add(kind: PageFaultKind, thrown: unknown): void {
    if (this.last?.kind === 'unstarted') return;
    this.count++;
    this.last = faultOf(kind, thrown);
  }

  dismiss(): void {
    this.last = undefined;
    this.count = 0;
  }
}

export function faultOf(kind: PageFaultKind, thrown: unknown): PageFault {
  if (!(thrown instanceof Error)) return { kind, message: String(thrown) };
  const { message, stack } = thrown;
  return { kind, message, ...(stack !== undefined && { stack }) };
}

/** What helps whoever mends it. It holds no frame, but words of an error may quote one. */
export function faultReport({ kind, message, stack }: PageFault, where: readonly string[]): string {
  return [`ACP Scope: ${kind}: ${message}`, ...where, stack ?? ''].join('\n').trimEnd();
}
