// Where nothing ran, by the events that say so: what times count of it is no time that anybody took.
import { millis, type Millis } from '../../lib/time.ts';
import type { Sleep } from '../../trace/event.ts';

/** A sleep by the place of its event, behind which what came after it stands. */
export interface SleepRecord {
  readonly place: number;
  readonly sleep: Sleep;
}

/** What the times of the events at these places count of sleeps between them. */
export function asleepBetween(sleeps: readonly SleepRecord[], from: number, to: number): Millis {
  return sumOf(
    sleeps,
    (place) => from < place && place <= to,
    ({ counted }) => counted,
  );
}

/** How far the times at this place are behind the clock on the wall. */
export function stoodBefore(sleeps: readonly SleepRecord[], at: number): Millis {
  return sumOf(
    sleeps,
    (place) => place <= at,
    ({ ms, counted }) => ms - counted,
  );
}

function sumOf(
  sleeps: readonly SleepRecord[],
  counts: (place: number) => boolean,
  of: (sleep: Sleep) => number,
): Millis {
  let sum = 0;
  for (const { place, sleep } of sleeps) if (counts(place)) sum += of(sleep);
  return millis(sum);
}
