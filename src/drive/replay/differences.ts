// What is asked live held against what was asked in the recording, value by value, each in the
// recording's names. Nothing here recurses: nesting costs no stack.
import { pointerPart } from '../../acp/json-pointer.ts';
import { isArray, isObject, typeWords } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import type { Bindings } from './bindings.ts';
import type { Seq } from '../../trace/event.ts';

/** Undefined: that side does not say it. */
export interface ValueDifference {
  /** A JSON pointer from the params, result or error: `/prompt/0/text`. */
  readonly path: string;
  readonly recorded: Json | undefined;
  readonly live: Json | undefined;
}

/** Two names that would have to mean the same for the two to be equal. */
export interface Tie {
  readonly kind: 'folder' | 'session';
  readonly recorded: string;
  readonly live: string;
}

interface MessageComparison {
  readonly differences: readonly ValueDifference[];
  readonly ties: readonly Tie[];
}

interface CompareOptions {
  readonly bindings: Bindings;
  /** Whether a session may be given a name that the recording does not know. */
  readonly tieSessions: boolean;
}

interface Pair {
  readonly path: string;
  readonly key: string;
  readonly recorded: Json | undefined;
  readonly live: Json | undefined;
}

export function compareValues(
  recorded: Json | undefined,
  live: Json | undefined,
  { bindings, tieSessions }: CompareOptions,
): MessageComparison {
  const differences: ValueDifference[] = [];
  const ties: Tie[] = [];
  const pairs: Pair[] = [{ path: '', key: '', recorded, live }];
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const { path, key, recorded: was, live: is } = pair;
    if (typeof was === 'string' && typeof is === 'string') {
      if (sayTheSame(key, was, is, bindings)) continue;
      const tie = tieOf(key, was, is, bindings, tieSessions);
      if (tie) ties.push(tie);
      else differences.push({ path, recorded: was, live: is });
    } else if (isArray(was) && isArray(is)) {
      const length = Math.max(was.length, is.length);
      for (let at = length - 1; at >= 0; at--)
        pairs.push({ path: `${path}/${at}`, key, recorded: was[at], live: is[at] });
    } else if (isObject(was) && isObject(is)) {
      const keys = new Set([...Object.keys(was), ...Object.keys(is)]);
      for (const name of [...keys].sort().reverse())
        pairs.push({
          path: `${path}/${pointerPart(name)}`,
          key: name,
          recorded: Object.hasOwn(was, name) ? was[name] : undefined,
          live: Object.hasOwn(is, name) ? is[name] : undefined,
        });
    } else if (was !== is) differences.push({ path, recorded: was, live: is });
  }
  return { differences, ties };
}

function sayTheSame(key: string, was: string, is: string, bindings: Bindings): boolean {
  const said = bindings.recordedWords(key, is);
  if (said === was) return true;
  // Who says a recorded prompt by heart says its folders, too.
  return bindings.of(key) === undefined && is === was;
}

function tieOf(
  key: string,
  recorded: string,
  live: string,
  bindings: Bindings,
  tieSessions: boolean,
): Tie | undefined {
  if (key === 'cwd' && bindings.folders.mayBind(recorded, live))
    return { kind: 'folder', recorded, live };
  if (key === 'sessionId' && tieSessions && bindings.sessions.mayBind(recorded, live))
    return { kind: 'session', recorded, live };
  return undefined;
}

// One thing that was not as recorded, for reports of both roles.

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
  readonly sentence: string;
  readonly differences: readonly ValueDifference[];
}

/** Those of a kind, as reports in JSON list them. */
export function notesJson(notes: readonly ReplayNote[], kind: NoteKind) {
  return notes
    .filter((note) => note.kind === kind)
    .map(({ method, recorded, sentence, differences }) => ({
      method,
      recorded: recorded === undefined ? undefined : { seq: recorded },
      sentence,
      differences: differences.map(({ path, recorded: before, live: after }) => ({
        ...{ path, before, after },
      })),
    }));
}

const LONGEST = 60;

/** `/prompt/0/text was "Hello" and is "Hi"`, and how many more there are. */
export function differenceWords(differences: readonly ValueDifference[]): string {
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
