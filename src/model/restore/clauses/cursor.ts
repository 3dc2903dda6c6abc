// What is due of a replay cursor: refused where the agent does not know it, else followed from what it
// names.
import { CODE, type Json } from '../../../acp/message.ts';
import { isObject, str } from '../../../acp/json.ts';
import { BEFORE_LOOKUP } from '../../facts/denial.ts';
import {
  asDue,
  breaks,
  fault,
  holds,
  legal,
  leftOpen,
  unsure,
  type Clause,
  type ClauseFacts,
} from './clause.ts';
import { updates } from './history.ts';
import { wrongCode } from './request.ts';

export const CURSOR_TYPE: Clause = {
  rule: 'resume/cursor-unknown',
  versions: [2],
  wishes: ['malformed', 'unknown', 'custom'],
  source: 'ReplayFrom',
  due: ({ wish, cursor }) => {
    const type = str(cursor, 'type');
    if (wish === 'malformed')
      return breaks('Not a cursor: an object with a type that is a string is due.');
    if (wish === 'unknown')
      return breaks(
        `${type} is no cursor type of ACP 2.4.0.`,
        'Names without _ are kept for the protocol.',
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

/** Errors that say nothing of the cursor. */
const OF_OTHERS: ReadonlySet<number> = new Set([CODE.notFound, ...BEFORE_LOOKUP]);

export const CURSOR_REFUSED: Clause = {
  rule: 'resume/cursor-unknown-reply',
  decides: 'resume/cursor-unknown-reply',
  versions: [2],
  wishes: ['malformed', 'unknown', 'custom'],
  source: 'ResumeSessionRequest',
  due: ({ wish }) => {
    if (wish === 'malformed')
      return holds('The answer must be −32602.', 'Not another cursor, not a silent resume.');
    const what = wish === 'custom' ? 'it does not know the type' : 'the agent does not know it';
    return holds(`If ${what}, it must answer −32602.`, 'Replaying from start is an error.');
  },
  onError: ({ wish }, { problem, gone }, code) => {
    if (code === CODE.invalidParams)
      return asDue('rejected-as-due', wish === 'malformed' ? 'malformed' : 'unknown');
    // An agent that knows a cursor of its own may fail for another reason.
    if (wish === 'custom' || gone || OF_OTHERS.has(code)) return undefined;
    const facts = { problem, due: CODE.invalidParams };
    return fault('rejected', 'wrong-code', facts, { pointer: '/error/code' });
  },
  onResult: ({ history, late }, { wish, cursor }) => {
    if (wish === 'custom') return undefined;
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
      `ignored: ${noCursor(facts)}, yet ${updates(facts)} of history came, −32602 is due`,
    resumed: (facts) => `${noCursor(facts)}, yet resumed: −32602 is due`,
    silently: (facts) => `${noCursor(facts)}, yet resumed without history: −32602 is due`,
  },
};

function noCursor({ name }: ClauseFacts): string {
  return name === undefined ? 'not a cursor' : `${name} is no cursor type of ACP 2.4.0`;
}

export const CURSOR_INCLUSIVE: Clause = {
  rule: 'resume/cursor-inclusive',
  versions: [2],
  wishes: ['custom'],
  source: 'ReplayFrom',
  due: ({ cursor }) =>
    holds(
      `If it does, ${named(cursor) ?? 'what it names'} comes first.`,
      'Cursors are inclusive: the named thing is replayed too.',
    ),
  onResult: ({ history, late, begins, named: { isKnown, first, isThere } }) => {
    if (history === 0 && late > 0) return fault('replayed-late');
    if (history === 0)
      return isKnown
        ? fault('replayed-nothing', 'nothing')
        : leftOpen('replayed-nothing', 'unnamed');
    if (first === undefined) return leftOpen('undecidable', 'no-ids');
    if (first === 'named') return asDue('replayed-from-cursor', 'inclusive');
    if (!isKnown) return leftOpen('undecidable', 'unknown');
    if (isThere)
      return begins === 'start'
        ? fault('ignored-replayed-from-start', 'from-start')
        : fault('replayed-elsewhere', 'before');
    // It may be among what came late.
    if (late > 0) return fault('replayed-elsewhere', 'behind');
    // What the trace does not know may be the named item under another id.
    return fault('replayed-elsewhere', begins === undefined ? 'other-id' : 'missing');
  },
  said: {
    nothing: 'nothing replayed: the named item, or −32602, is due',
    unnamed: 'nothing replayed; nothing in the trace says what the cursor names',
    'no-ids': 'history came, without ids to compare with the cursor',
    inclusive: 'from the cursor, inclusive',
    unknown: 'history came; nothing in the trace says what the cursor names',
    'from-start': 'ignored: replayed from start, −32602 is due',
    before: 'begins before the cursor: the named item is due first',
    behind: 'begins after the cursor: the named item is due first',
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
