import { expect, test } from 'vitest';
import type { ConversationItem, NoteItem } from '../../model/sessions/conversation-view.ts';
import type { Millis } from '../../lib/time.ts';
import { seq } from '../../trace/event.ts';
import { childrenAfter, replayHeads, transcriptEntries, statusTone } from './transcript.ts';

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
