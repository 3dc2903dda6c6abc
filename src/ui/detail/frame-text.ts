// The JSON text of a frame for its tree: the line itself where it is text, so that tokens stay as
// they crossed.
import type { FrameDetail } from '../../engine/messages.ts';

/** Undefined where the frame says no JSON. */
export function textOf(frame: FrameDetail): string | undefined {
  if (frame.value === undefined) return undefined;
  return frame.line && 'text' in frame.line ? frame.line.text : JSON.stringify(frame.value);
}
