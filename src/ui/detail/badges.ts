// Badges for what in a frame is not of the protocol: extension data, unknown fields, and methods and updates of
// a vendor.
import { get, str } from '../../acp/json.ts';
import type { FrameFinding } from '../../engine/findings/finding-messages.ts';
import type { FrameDetail } from '../../engine/messages.ts';

export interface Badge {
  readonly label: string;
  readonly title: string;
}

/** Names that begin so are never of the protocol. */
const VENDOR = '_';
/** The rule that finds a field which is in no edition of the protocol. */
const UNKNOWN_FIELD = 'shape/extra-root-field';

/** `text`: the JSON of the frame; undefined if the frame has none. */
export function badgesOf(
  frame: FrameDetail,
  text: string | undefined,
  findings: readonly FrameFinding[],
): readonly Badge[] {
  const badges: Badge[] = [];
  const method = frame.exchange?.method ?? frame.method;
  if (method?.startsWith(VENDOR))
    badges.push({ label: 'vendor method', title: `${method} is not a method of the protocol` });
  const update = str(get(get(frame.value, 'params'), 'update'), 'sessionUpdate');
  if (update?.startsWith(VENDOR))
    badges.push({ label: 'vendor update', title: `${update} is not an update of the protocol` });
  // A key: in a string of the message the quotes would be escaped.
  if (text !== undefined && /"_meta"\s*:/.test(text))
    badges.push({ label: '_meta', title: 'The message has extension data in _meta' });
  const fields = findings.flatMap(({ rule, place }) =>
    rule === UNKNOWN_FIELD && place ? [place.pointer] : [],
  );
  if (fields.length > 0)
    badges.push({
      label: fields.length === 1 ? 'unknown field' : `${fields.length} unknown fields`,
      title: `Not in the protocol: ${fields.join(', ')}`,
    });
  return badges;
}
