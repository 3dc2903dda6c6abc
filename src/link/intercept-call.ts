// What a page asks of an intercept, read as it comes in: by the relay from the page, and by a tap from
// the relay.
import {
  is,
  isCount,
  isFields,
  isText,
  maybe,
  object,
  tagged,
  type ShapeReader,
} from '../lib/shape.ts';
import type { Line, Seq } from '../trace/event.ts';
import type { InterceptCall } from './messages.ts';

export const lineShape: ShapeReader<Line> = (value) =>
  isFields(value) && isText(value['text'])
    ? { ok: true, value: { text: value['text'] } }
    : object<{ readonly base64: string }>({ base64: is(isText) })(value);

const of = is<Seq>(isCount);

export const interceptCall = tagged<InterceptCall, 'op'>('op', {
  on: { rules: is<string>(isText) },
  off: {},
  release: { of, line: maybe(lineShape) },
  drop: { of },
});
