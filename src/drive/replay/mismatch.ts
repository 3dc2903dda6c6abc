// One thing that was not as recorded, for reports of both roles.
import { typeWords } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import type { Seq } from '../../trace/event.ts';
import type { Difference } from './differences.ts';

/**
 * `mismatch`: not as recorded, and the replay fails by it. `tolerated`: not as recorded, and let
 * pass. `rebuilt`: not recorded, and answered from what was.
 */
export type NoteKind = 'mismatch' | 'tolerated' | 'rebuilt';

export interface ReplayNote {
  readonly kind: NoteKind;
  /** The method it is about; undefined: a line that is no message. */
  readonly method?: string;
  /** The recorded frame it was held against. */
  readonly recorded?: Seq;
  /** One sentence. */
  readonly sentence: string;
  readonly differences: readonly Difference[];
}

const LONGEST = 60;

/** `/prompt/0/text was "Hello" and is "Hi"`, and how many more there are. */
export function differenceWords(differences: readonly Difference[]): string {
  const [first] = differences;
  if (!first) return '';
  const { path, recorded, live } = first;
  const more = differences.length > 1 ? `, and ${differences.length - 1} more` : '';
  return `${path === '' ? 'the whole' : path} was ${valueWords(recorded)} and is ${valueWords(live)}${more}`;
}

function valueWords(value: Json | undefined): string {
  if (value === undefined) return 'absent';
  if (typeof value === 'object' && value !== null) return typeWords(value);
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
