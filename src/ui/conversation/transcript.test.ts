import { expect, test } from 'vitest';
import type { ConversationItem, NoteItem } from '../../model/sessions/conversation-view.ts';
import type { Millis } from '../../lib/time.ts';
import type { InterceptMark } from '../../model/sessions/intercept-marks.ts';
import { connectionId, seq } from '../../trace/event.ts';
import {
  childrenAfter,
  interceptedAt,
  replayHeads,
  transcriptEntries,
  statusTone,
} from './transcript.ts';

const base = (n: number, flags: string) => ({
  key: `#${n}`,
  first: seq(n),
  last: seq(n),
  frames: 1,
  at: n as Millis,
  replay: flags === 'r',
  late: flags === 'l',
});
const note = (n: number, flags = ''): NoteItem => ({
  ...base(n, flags),
  type: 'note',
  tone: 'quiet',
  text: 'x',
});
const all = { thoughts: true, tools: true, notes: true };

const draw = (flags: string) =>
  transcriptEntries(
    [...flags].map((flag, i) => note(i, flag)),
    all,
  )
    .map(({ tape, liveFromHere }) =>
      tape
        ? `${tape.first ? '<' : ''}${tape.kind[0]}${tape.last ? '>' : ''}`
        : liveFromHere
          ? '|.'
          : '.',
    )
    .join(' ');

test('a child session stands below what was said before it began', () => {
  const entries = transcriptEntries([note(3), note(7)], all);
  const begun = childrenAfter(
    entries,
    [2, 4, 5, 9].map((first) => ({ first: seq(first) })),
  );
  const after = (key: string) => begun.get(key)?.map(({ first }) => first);
  expect([after('#3'), after('#7')]).toEqual([[4, 5], [9]]);
});

test('what the intercept did is at its message, else below the item before it', () => {
  const message = (n: number, messageId: string, flags = ''): ConversationItem => ({
    ...{ ...base(n, flags), type: 'message', role: 'agent', parts: [], messageId },
  });
  const mark = (connection: string, n: number, item?: string): InterceptMark => ({
    ...{ connection: connectionId(connection), seq: seq(n), did: 'dropped', words: '' },
    ...(item !== undefined && { item }),
  });
  const placed = (items: readonly ConversationItem[], ...marks: readonly InterceptMark[]) =>
    [...interceptedAt(transcriptEntries(items, all), marks, connectionId('c1'))].map(
      ([key, found]) => `${key}: ${found.map(({ connection, seq }) => `${connection}#${seq}`)}`,
    );
  const live = [note(3), message(5, 'm1'), note(8)];
  expect(placed(live, mark('c1', 2), mark('c1', 4), mark('c1', 9, 'm1'))).toEqual([
    'undefined: c1#2',
    '#3: c1#4',
    '#5: c1#9',
  ]);
  // On another connection only what was replayed here is the message that the intercept met.
  const replayed = [note(3), message(5, 'm1', 'r'), message(7, 'm2', 'r'), message(9, 'm3')];
  expect(placed(replayed, mark('c0', 4, 'm2'), mark('c0', 6), mark('c0', 8, 'm3'))).toEqual([
    '#7: c0#4',
    '#5: c0#6,c0#8',
  ]);
  expect(placed(live, mark('c0', 4, 'm1'))).toEqual(['undefined: c0#4']);
});

test('the tape encloses what was replayed, dots what came late, and a rule says where live begins', () => {
  expect(draw('rrrll..r.')).toBe('<r r r> <l l> |. . <r> |.');
  expect(draw('..')).toBe('. .');
});

test('thoughts, tools and quiet notes can be left out; errors cannot', () => {
  const thought: ConversationItem = { ...base(1, ''), type: 'message', role: 'thought', parts: [] };
  const tool: ConversationItem = {
    ...base(2, ''),
    type: 'tool',
    toolCallId: 't',
    title: '',
    kind: 'read',
    status: 'failed',
    parts: [],
    locations: [],
  };
  const error: ConversationItem = { ...note(3), tone: 'error' };
  const items = [thought, tool, note(4), error];
  const none = transcriptEntries(items, { thoughts: false, tools: false, notes: false });
  expect(none.map(({ item }) => item)).toEqual([error]);
  expect(transcriptEntries(items, all)).toHaveLength(4);
  expect(['completed', 'failed', 'paused', '_own'].map(statusTone)).toEqual([
    'ok',
    'err',
    'warn',
    'dim',
  ]);
});

test('each tape is headed by the restores that told it, also those that told it again', () => {
  const entries = (flags: string) =>
    transcriptEntries(
      [...flags].map((flag, i) => note(10 * (i + 1), flag)),
      all,
    );
  const heads = (flags: string, ...requests: number[]) =>
    Object.fromEntries(
      [
        ...replayHeads(
          entries(flags),
          requests.map((request) => ({ request: seq(request) })),
        ),
      ].map(([key, told]) => [key, told.map(({ request }) => request)]),
    );
  // Items at 10, 20, …; two restores before the first, one amid what is live, one after all.
  expect(heads('rr.rrl', 5, 25, 35, 90)).toEqual({ '#10': [5, 25], '#40': [35, 90] });
  // A live note amid a replay begins no other.
  expect(heads('r.r', 5)).toEqual({ '#10': [5] });
  expect(heads('..', 5)).toEqual({});
  // The first of the tape is not drawn.
  expect(Object.keys(heads('rr', 5))).toEqual(['#10']);
  expect([...replayHeads(entries('rrr').slice(1), [{ request: seq(5) }]).keys()]).toEqual(['#20']);
});
