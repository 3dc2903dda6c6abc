// What an intercept did to a frame on its way, in words.
import type { FrameDetail } from '../../engine/messages.ts';
import { lineText } from '../../trace/line.ts';

type Told = Pick<FrameDetail, 'line' | 'did' | 'origin'>;

/** Of a frame whose bytes are the intercept's. `was`: what was told first of the line it comes from. */
export function byIntercept({ line }: Pick<Told, 'line'>, was: Told | undefined): string {
  if (was?.did === 'inject') return 'added by intercept';
  if (was?.did === 'answer') return 'answered by intercept';
  const isSame = line && was?.line && lineText(line) === lineText(was.line);
  return isSame ? 'sent again by intercept' : 'changed by intercept';
}

const KEPT_BYTES: Partial<Record<NonNullable<Told['did']>, string>> = {
  hold: 'held in',
  delay: 'delayed in',
  reorder: 'moved in',
};

/** What stands before the number of that event. */
export function onItsWay({ origin }: Pick<Told, 'origin'>, was: Told | undefined): string {
  return (origin !== 'intercept' && was?.did && KEPT_BYTES[was.did]) || 'see';
}
