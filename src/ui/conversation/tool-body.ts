// What a tool card says beside its title: how much changed, and how long its body is.
import { formatBytes, formatCount } from '../../lib/format.ts';
import type { TerminalView, ToolItem, ToolPart } from '../../model/sessions/conversation-view.ts';
import {
  countChanges,
  diffLines,
  patchLines,
  withContext,
  type DiffLine,
  type DiffPart,
} from '../../model/sessions/line-diff.ts';

/** A body longer than this begins closed. */
export const OPEN_LINES = 12;
/** A longer diff is not made here; of a longer text no more is looked at, and its lines are not counted. */
const LONG = 256 * 1024;
/** Of a terminal's output, this much of its end is shown in the card. */
const TAIL = 16 * 1024;

type BodyPart =
  | { readonly type: 'diff'; readonly path: string; readonly lines: readonly DiffLine[] }
  | { readonly type: 'long'; readonly path: string; readonly part: DiffPart }
  | { readonly type: 'output'; readonly name: string; readonly text: string; readonly cut: boolean }
  | { readonly type: 'content'; readonly part: Extract<ToolPart, { type: 'content' }>['part'] }
  | { readonly type: 'text' | 'other'; readonly text: string };

interface ShownBody {
  readonly parts: readonly BodyPart[];
  readonly lines: number;
  readonly added: number;
  readonly removed: number;
  /** `486 chars`, `exit 1`; undefined where a diff says more. */
  readonly figure?: string;
}

export function bodyOf(item: ToolItem, terminals: readonly TerminalView[]): ShownBody {
  const parts = item.parts
    .map((part) => bodyPart(part, item.kind, terminals))
    .filter((part) => saysSomething(part, item.title));
  let lines = 0;
  let added = 0;
  let removed = 0;
  let chars = 0;
  let compared = 0;
  for (const part of parts) {
    if (part.type === 'diff') {
      const count = countChanges(part.lines);
      added += count.added;
      removed += count.removed;
      lines += part.lines.length;
    } else if (part.type === 'long') {
      compared += sizeOf(part.part);
      lines += OPEN_LINES + 1;
    } else {
      const text = textOf(part);
      chars += text.length;
      lines += text.length > LONG ? OPEN_LINES + 1 : text.split('\n').length;
    }
  }
  const exit = item.parts.flatMap((part) =>
    part.type === 'terminal' ? (find(terminals, part.terminalId)?.exit ?? []) : [],
  );
  const figure =
    (compared > 0 ? `${formatBytes(compared)} to compare` : exit[0]) ??
    (chars > 0 ? `${formatCount(chars)} chars` : undefined);
  return { parts, lines, added, removed, ...(figure === undefined ? {} : { figure }) };
}

/** A terminal that has put out nothing yet says no more than the head does. */
function saysSomething(part: BodyPart, title: string): boolean {
  if (part.type === 'diff' || part.type === 'long') return true;
  if (part.type === 'content') return part.part.type !== 'text' || part.part.text !== '';
  return part.text !== '' || (part.type === 'output' && part.name !== title);
}

function bodyPart(part: ToolPart, kind: string, terminals: readonly TerminalView[]): BodyPart {
  switch (part.type) {
    case 'content':
      if (part.part.type !== 'text' || !VERBATIM.has(kind)) return part;
      // Each look at the card looks for a fence: in megabytes that would be felt.
      if (part.part.text.slice(0, LONG).includes('```')) return part;
      return { type: 'text', text: part.part.text };
    case 'diff':
    case 'patch': {
      const path = part.type === 'diff' ? part.path : part.paths.join(', ');
      if (sizeOf(part) > LONG) return { type: 'long', path, part };
      const lines =
        part.type === 'patch'
          ? patchLines(part.text)
          : withContext(diffLines(part.oldText, part.newText));
      return { type: 'diff', path, lines };
    }
    case 'terminal': {
      const output = find(terminals, part.terminalId)?.output ?? new Uint8Array();
      const text = new TextDecoder().decode(output.subarray(Math.max(0, output.length - TAIL)));
      const name = find(terminals, part.terminalId)?.command ?? part.terminalId;
      return { type: 'output', name, text, cut: output.length > TAIL };
    }
    case 'other':
      return { type: 'other', text: JSON.stringify(part.value, null, 2) };
  }
}

/** Whether the title already says which file: `Edit src/cart.ts` for `/w/src/cart.ts`. */
export function saysPath(title: string, path: string): boolean {
  return title.split(/[\s`'"]+/).some((word) => /[./\\]/.test(word) && path.endsWith(word));
}

/** Tools whose text is output, to be shown as it is; the text of others is prose. */
const VERBATIM = new Set(['read', 'edit', 'delete', 'move', 'search', 'execute', 'fetch']);

function find(terminals: readonly TerminalView[], id: string): TerminalView | undefined {
  return terminals.find((terminal) => terminal.terminalId === id);
}

function sizeOf(part: DiffPart): number {
  return part.type === 'patch'
    ? part.text.length
    : (part.oldText?.length ?? 0) + part.newText.length;
}

function textOf(part: Exclude<BodyPart, { type: 'diff' | 'long' }>): string {
  if (part.type !== 'content') return part.text;
  return part.part.type === 'text' ? part.part.text : '';
}
