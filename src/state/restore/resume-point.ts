// Where to resume from, for a frame that a person points at: its own likeliest value, or else the
// nearest before it, which is said.
import type { CursorCandidate } from '../../engine/messages.ts';
import type { CursorField } from '../../model/restore/cursor-fields.ts';
import type { Seq } from '../../trace/event.ts';

export interface ResumePoint {
  /** The likeliest first; one of an earlier frame where the frame has none; empty: there is none. */
  readonly fields: readonly CursorField[];
  /** That they are not the frame's own; undefined: they are. */
  readonly instead: string | undefined;
}

/** `own`: values of the frame; `candidates`: of its session, the latest first. */
export function resumePoint(
  seq: Seq,
  own: readonly CursorField[],
  candidates: readonly CursorCandidate[],
): ResumePoint {
  // The id of a prompt is a candidate of its frame, too.
  const fields = own.length > 0 ? own : candidates.filter((one) => one.seq === seq);
  if (fields.length > 0) return { fields, instead: undefined };
  const nothing = `#${seq} holds nothing that could be a cursor`;
  const before = candidates.filter((one) => one.seq < seq);
  // What an agent calls a thing by is likelier than the id of our request, or what stands beside it.
  const nearest = before.find(({ field }) => field !== 'id' && !field.startsWith('_meta'));
  const found = nearest ?? before[0];
  if (found === undefined)
    return { fields: [], instead: `${nothing}, and nothing before it does.` };
  const { field, value, names } = found;
  const what = names === '' ? '' : `, ${names}`;
  return {
    fields: [{ field, value }],
    instead: `${nothing}; nearest before it: ${field} ${value} of #${found.seq}${what}.`,
  };
}
