// Takes values out of a frame for the steps that follow.
import { parseJson } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { lineText } from '../../trace/line.ts';
import type { Heard } from '../scripted.ts';
import { Failed } from './failed.ts';
import { valueAt } from './file/names.ts';
import type { Captures } from './file/scenario.ts';

/** Throws Failed where nothing stands there. */
export function capture(names: Map<string, Json>, captures: Captures, { frame }: Heard): void {
  const message = parseJson(lineText(frame.line));
  for (const { name, pointer } of captures) {
    const value = message === undefined ? undefined : valueAt(message, pointer);
    if (value === undefined)
      throw new Failed(`#${frame.seq} has nothing at ${pointer} to be ${name}.`, [frame.seq]);
    names.set(name, value);
  }
}
