// How one text stands to another that was said live, and texts that agents add by themselves.
import { bare } from '../facts/message-text.ts';

/** same: but for white space. fenced: but for a fence around it. shorter: words are left out. longer: words were added. */
type TextRelation = 'identical' | 'same' | 'fenced' | 'shorter' | 'longer' | 'other';

export function relationOf(live: string, replayed: string): TextRelation {
  if (live === replayed) return 'identical';
  const [a, b] = [bare(live), bare(replayed)];
  if (a === b) return 'same';
  if (bare(unfenced(live)) === bare(unfenced(replayed))) return 'fenced';
  if (isPartOf(withoutMarker(b), a) || isWithin(b, a) || leavesOut(live, replayed))
    return 'shorter';
  if (isPartOf(withoutMarker(a), b) || isWithin(a, b) || leavesOut(replayed, live)) return 'longer';
  return 'other';
}

/** Shorter texts stand in others by chance. */
const TELLING = 20;

/** Whether words said before are told again, both bare: all of them, or a telling part. */
export function isToldAgain(said: string, again: string): boolean {
  return again !== '' && (said === again || (again.length >= TELLING && said.includes(again)));
}

/** Markdown around what a terminal showed, which one version says in bytes and the other in text. */
const FENCE = /^\s*(`{3,}|~{3,})[^\n`]*\n([^]*?)\n?\1\s*$/u;

function unfenced(text: string): string {
  return FENCE.exec(text)?.[2] ?? text;
}

/** What an agent writes in place of what it cut. */
const MARKER = /(?:[[(<.\-\u2026]*(?:truncated|omitted|\u2026|\.\.\.)[^]{0,40})$/iu;

export function withoutMarker(text: string): string {
  return text.replace(MARKER, '');
}

/** One stretch is left out: the rest is a beginning and an end of the other. */
function isPartOf(part: string, whole: string): boolean {
  if (part.length >= whole.length || part === '') return part === '';
  let head = 0;
  while (head < part.length && part[head] === whole[head]) head++;
  let tail = 0;
  const most = part.length - head;
  while (tail < most && part[part.length - 1 - tail] === whole[whole.length - 1 - tail]) tail++;
  return head + tail >= part.length;
}

/** Letters that are no coincidence in the middle of another text. */
const SHORTEST = 12;

/** Both bare. */
export function isWithin(part: string, whole: string): boolean {
  return part.length >= SHORTEST && whole.includes(part);
}

/** Its words stand in the other in the same order. */
function leavesOut(whole: string, part: string): boolean {
  const words = part.split(/\s+/u).filter((word) => word !== '');
  if (words.length < 2) return false;
  let at = 0;
  const all = whole.split(/\s+/u);
  for (const word of words) {
    while (at < all.length && all[at] !== word) at++;
    if (at++ >= all.length) return false;
  }
  return true;
}

const LONGEST = 4000;

/** Of all words of both, the part they share, 0 to 1. Of long texts the beginnings count. */
export function likeness(one: string, other: string): number {
  const words = (text: string) => text.slice(0, LONGEST).split(/\s+/u).filter(Boolean);
  const [a, b] = [words(one), words(other)];
  if (a.length === 0 || b.length === 0) return 0;
  const counts = new Map<string, number>();
  for (const word of a) counts.set(word, (counts.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of b) {
    const left = counts.get(word) ?? 0;
    if (left === 0) continue;
    counts.set(word, left - 1);
    shared++;
  }
  return (2 * shared) / (a.length + b.length);
}

// Text that agents put into a history by themselves, in the name of the user or their own. Nobody
// said it live; some of it tells what was so nevertheless.
interface Synthetic {
  /** It says that the user broke the turn off. */
  readonly saysInterrupted: boolean;
  /** It only fills a place, and says nothing. */
  readonly isFiller: boolean;
  /** It says that history of a child session is missing. */
  readonly saysGap: boolean;
}

const INTERRUPTED = /^\s*\[Request interrupted by user[^\]]*\]\s*$/;
const FILLER = /^\s*(?:No response requested\.?|\(no content\))\s*$/;
const GAP = /^\s*Some recorded child history is unavailable or incomplete\.?\s*$/;
/** What agents hand their model beside the conversation. */
const HARNESS =
  /^\s*(?:<(?:system-reminder|session_context|environment_context|user_instructions|command-name|command-message|local-command-(?:stdout|caveat)|task-notification)>|\[Function Response: |\[System: |Caveat: The messages below)/;

/** `kind`: of the item that says it. */
export function syntheticText(kind: string, text: string): Synthetic | undefined {
  const nothing = { saysInterrupted: false, isFiller: false, saysGap: false };
  if (kind === 'thought' && GAP.test(text)) return { ...nothing, saysGap: true };
  if (kind !== 'user' && kind !== 'agent') return undefined;
  if (INTERRUPTED.test(text)) return { ...nothing, saysInterrupted: true };
  if (FILLER.test(text)) return { ...nothing, isFiller: true };
  return HARNESS.test(text) ? nothing : undefined;
}
