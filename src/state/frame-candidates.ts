// Values in one frame that could be a replay cursor: what an agent calls things by, and anything
// it hides in `_meta`. A guess for a person to pick from; nothing is sent because of it.
import { jsonFault } from '../acp/json-fault.ts';
import type { Json } from '../acp/message.ts';
import { entriesOf, rootSpan, type JsonKind } from '../lib/json-text.ts';

export interface Candidate {
  /** The key, with `_meta.` before it where it stands in one. */
  readonly field: string;
  readonly value: Json;
}

/** Names of other things than places in a history. */
const OTHER_IDS =
  /^(session|request|option|mode|currentMode|config|method|elicitation|group|server|provider|value)Id$/;
const NAMES = /(^id|Id|uuid|[sS]eq|[cC]heckpoint|[cC]ursor)$/;
/** Deep enough for every place ACP has an id; `_meta` of content blocks included. */
const DEEPEST = 8;
/** A longer line is not looked through: that would hold up the page. */
const LONGEST = 1 << 20;

/** The field's name if the value at this path could be a cursor. */
export function candidateField(
  path: readonly (string | number)[],
  kind: JsonKind,
): string | undefined {
  if (kind !== 'string' && kind !== 'number') return undefined;
  const inUpdate = path[0] === 'params' && path[1] === 'update';
  if (!inUpdate && path[0] !== 'result') return undefined;
  const meta = path.lastIndexOf('_meta');
  if (meta >= 0) return path.slice(meta).join('.');
  const name = path.at(-1);
  if (typeof name !== 'string' || name === 'nextCursor') return undefined;
  return NAMES.test(name) && !OTHER_IDS.test(name) ? name : undefined;
}

/** All of a line, the likeliest first: ids of messages, then of tool calls, then the rest. */
export function candidatesIn(line: string): readonly Candidate[] {
  if (line.length > LONGEST || jsonFault(line)) return [];
  const found: Candidate[] = [];
  const look = (span: ReturnType<typeof rootSpan>, path: readonly (string | number)[]): void => {
    for (const entry of entriesOf(line, span)) {
      const here = [...path, entry.key ?? entry.index];
      const field = candidateField(here, entry.kind);
      if (field !== undefined)
        found.push({ field, value: JSON.parse(line.slice(entry.start, entry.end)) as Json });
      if (entry.size > 0 && here.length < DEEPEST) look(entry, here);
    }
  };
  look(rootSpan(line), []);
  return found.toSorted((a, b) => rank(a) - rank(b));
}

function rank({ field }: Candidate): number {
  if (field === 'messageId') return 0;
  if (field === 'toolCallId') return 1;
  return field.startsWith('_meta') ? 3 : 2;
}
