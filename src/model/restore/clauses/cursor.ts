// What is due of a replay cursor: refused where the agent does not know it, else followed from what it
// names.
import { CODE, type Json } from '../../../acp/message.ts';
import { isObject, obj, str } from '../../../acp/json.ts';
import { unknownSessionReply } from '../../facts/denial.ts';
import {
  WITHOUT_GAP,
  asDue,
  breaks,
  fault,
  holds,
  legal,
  leftOpen,
  unsure,
  type Clause,
  type Came,
  type ClauseFacts,
  type FoundClause,
  type RestoreAsked,
} from './clause.ts';
import { oneLine } from '../../words.ts';
import { LOST, updates } from './history.ts';
import { wrongCode } from './request.ts';

export const CURSOR_TYPE: Clause = {
  rule: 'resume/cursor-unknown',
  versions: [2],
  wishes: ['malformed', 'unknown', 'custom'],
  due: ({ wish, cursor }) => {
    const type = str(cursor, 'type');
    if (wish === 'malformed')
      return {
        ...breaks('Not a cursor. A cursor is an object with a type that is a string.'),
        severity: 'error',
      };
    if (wish === 'unknown')
      return breaks(
        `"${oneLine(type ?? '', 60)}" is no cursor type of ACP 2.4.0.`,
        'The protocol reserves names without _.',
      );
    return [
      legal('A custom cursor type begins with _.'),
      unsure(
        `The agent does not say whether it knows ${type}.`,
        'No capability exists for cursor types.',
        'AgentCapabilities',
      ),
    ];
  },
};

export const CURSOR_REFUSED: Clause = {
  decides: 'resume/cursor-unknown-reply',
  versions: [2],
  wishes: ['malformed', 'unknown', 'custom'],
  due: ({ wish }) => {
    if (wish === 'malformed')
      return holds(
        'The agent must respond with error −32602.',
        'A replay from another place, or a result without one, is an error.',
      );
    const what = wish === 'custom' ? 'the type' : 'the cursor';
    return holds(
      `An agent that does not know ${what} must respond with error −32602.`,
      'A replay from the start is an error.',
    );
  },
  onError: ({ wish }, { problem, gone }, code) => {
    if (code === CODE.invalidParams)
      return asDue('rejected-as-due', wish === 'malformed' ? 'malformed' : 'unknown');
    // An agent that knows a cursor of its own may fail for another reason.
    if (wish === 'custom' || gone || unknownSessionReply(code) !== 'other code') return undefined;
    const facts = { problem, due: CODE.invalidParams };
    return fault('rejected', 'wrong-code', facts, { pointer: '/error/code' });
  },
  onResult: (came, asked) => {
    const { history, late } = came;
    const { wish, cursor } = asked;
    if (wish === 'custom') return strangeCursor(came, asked);
    const facts = { name: str(cursor, 'type'), updates: history };
    if (history > 0) return fault('ignored-replayed-from-start', 'ignored', facts);
    return late > 0
      ? fault('ignored-replayed-from-start', 'resumed', facts)
      : fault('replayed-nothing', 'silently', facts);
  },
  said: {
    malformed: ': that is no cursor',
    unknown: ' for a cursor the agent does not know',
    'wrong-code': wrongCode,
    ignored: (facts) =>
      `ignored: ${noCursor(facts)}, yet ${updates(facts)} of history came; expected −32602`,
    resumed: (facts) => `${noCursor(facts)}, yet resumed; expected −32602`,
    silently: (facts) => `${noCursor(facts)}, yet resumed without history; expected −32602`,
    'from-start':
      'replayed from the start for a cursor that names nothing in the traces; expected −32602',
    nothing:
      'resumed without a replay for a cursor that names nothing in the traces; expected −32602',
  },
};

/** Returns what the agent did with a cursor that it neither knows nor rejects; undefined if it may know the cursor. */
function strangeCursor(
  { history, late, isLost, named }: Came,
  asked: RestoreAsked,
): FoundClause | undefined {
  if (named.isKnown || named.before < 2 || isAnnounced(asked)) return undefined;
  const mild = { severity: 'warning' } as const;
  if (named.isFromStart) return fault('ignored-replayed-from-start', 'from-start', undefined, mild);
  if (history + late > 0 || isLost) return undefined;
  return fault('replayed-nothing', 'nothing', undefined, mild);
}

/** True if the capabilities of the agent contain this type of cursor. */
function isAnnounced({ cursor, offered: { agentCapabilities } }: RestoreAsked): boolean {
  const type = str(cursor, 'type') ?? '';
  return [agentCapabilities, obj(agentCapabilities, 'session')]
    .map((at) => obj(at, '_meta'))
    .some((meta) => meta !== undefined && JSON.stringify(meta).includes(type.slice(1)));
}

function noCursor({ name }: ClauseFacts): string {
  return name === undefined
    ? 'not a cursor'
    : `"${oneLine(name, 60)}" is no cursor type of ACP 2.4.0`;
}

export const CURSOR_INCLUSIVE: Clause = {
  decides: 'resume/cursor-inclusive',
  versions: [2],
  wishes: ['custom'],
  due: ({ cursor }) =>
    holds(
      `An agent that knows the type replays ${named(cursor) ?? 'the named item'} first.`,
      'Cursors are inclusive: the named item is replayed too.',
    ),
  onResult: ({ history, late, begins, isLost, named: { isKnown, first, firstSeq, isThere } }) => {
    if (history === 0 && late > 0) return fault('replayed-late');
    if (first === 'named') return asDue('replayed-from-cursor', 'inclusive');
    if (isLost) return leftOpen('undecidable', 'lost', undefined, WITHOUT_GAP);
    if (history === 0)
      return isKnown
        ? fault('replayed-nothing', 'nothing')
        : leftOpen('replayed-nothing', 'unnamed');
    if (firstSeq === undefined) return leftOpen('undecidable', 'no-ids');
    if (!isKnown) return leftOpen('undecidable', 'unknown');
    const at = { seqs: [firstSeq], method: 'session/update' };
    const mild = { ...at, severity: 'warning' } as const;
    if (isThere)
      return begins === 'start'
        ? fault('ignored-replayed-from-start', 'from-start', undefined, mild)
        : fault('replayed-elsewhere', 'before', undefined, mild);
    // It may be among what came late.
    if (late > 0) return fault('replayed-elsewhere', 'behind', undefined, at);
    // What the trace does not know may be the named item under another id.
    const code = begins === undefined ? 'other-id' : 'missing';
    return fault('replayed-elsewhere', code, undefined, at);
  },
  said: {
    nothing: 'nothing replayed; expected the named item, or −32602',
    unnamed: 'nothing replayed; nothing in the trace says what the cursor names',
    lost: LOST,
    'no-ids': 'history came, without ids to compare with the cursor',
    inclusive: 'from the cursor, inclusive',
    unknown: 'history came; nothing in the trace says what the cursor names',
    'from-start': 'ignored: replayed from start; expected −32602',
    before: 'begins before the cursor; expected the named item first',
    behind: 'begins after the cursor; expected the named item first',
    'other-id':
      'the named id did not come; the first item has an id that nothing in the trace knows',
    missing: 'begins after the cursor: the named item is missing',
    'without-id': 'the named item is there without its id',
    'under-other-id': 'the named item is there under another id',
  },
};

/** The value a cursor names: its one field beside the type. */
function named(cursor: Json | undefined): string | undefined {
  const fields = isObject(cursor) ? Object.entries(cursor).filter(([key]) => key !== 'type') : [];
  const [field] = fields;
  if (!field || fields.length > 1) return undefined;
  return typeof field[1] === 'string' ? field[1] || undefined : JSON.stringify(field[1]);
}
