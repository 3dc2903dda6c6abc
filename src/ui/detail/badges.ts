// Badges for what in a frame is not the protocol's own: extension data, and methods and updates of a vendor.
import { get, str } from '../../acp/json.ts';
import type { FrameDetail } from '../../engine/messages.ts';

export interface Badge {
  readonly label: string;
  readonly title: string;
}

/** Names that begin so are never of the protocol. */
const VENDOR = '_';

/** `text`: the JSON of the frame; undefined if the frame has none. */
export function badgesOf(frame: FrameDetail, text: string | undefined): readonly Badge[] {
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
  return badges;
}
