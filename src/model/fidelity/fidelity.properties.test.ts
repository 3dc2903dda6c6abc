// Made-up conversations, replayed well and badly: the verdict is the one that was made true.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  handshake,
  live,
  madeUp,
  replay,
  Script,
  type MadeUp,
} from '../../test/traces/arbitrary-conversation.ts';
import { sourcesOf } from '../../test/traces/fidelity-sources.ts';
import { recordings } from '../../test/traces/recordings.ts';
import { seq, type Frame, type TraceEvent } from '../../trace/event.ts';
import { fidelityOf } from './fidelity.ts';
import type { FidelityWindow } from './report/report.ts';

const version = fc.constantFrom(1 as const, 2 as const);

function held(
  said: MadeUp,
  replayed: MadeUp,
  spoken: 1 | 2,
  edit = (frames: readonly Frame[]) => frames,
): FidelityWindow {
  const [one, other] = [new Script(), new Script()];
  handshake(one, spoken);
  one.answer(one.ask('session/new', { cwd: '/w', mcpServers: [] }), { sessionId: 's1' });
  live(one, said, spoken);
  handshake(other, spoken);
  replay(other, replayed, spoken);
  const [window] = fidelityOf(sourcesOf([one.frames, edit(other.frames)])).windows;
  if (!window) throw new Error('no window');
  return window;
}

/** Every message in one piece, with an id of its own. */
function inOne(made: MadeUp): MadeUp {
  const turns = made.turns.map((turn) => ({
    ...turn,
    parts: turn.parts.map((part) =>
      'pieces' in part ? { ...part, pieces: [part.pieces.join('')] } : part,
    ),
  }));
  return { turns, ids: true, inChunks: false };
}

const told = ({ differences }: FidelityWindow) =>
  differences.filter(({ verdict }) => verdict !== 'cosmetic');

test('a replay of the same conversation is equal', () => {
  fc.assert(
    fc.property(madeUp, version, (made, spoken) => {
      const window = held(inOne(made), inOne(made), spoken);
      expect([window.verdict, window.differences]).toEqual(['equal', []]);
    }),
  );
});

test('in other chunks it is cosmetic at most', () => {
  fc.assert(
    fc.property(madeUp, version, (made, spoken) => {
      const window = held(made, made, spoken);
      expect(told(window)).toEqual([]);
      expect(['equal', 'cosmetic']).toContain(window.verdict);
    }),
  );
});

/** A conversation and the place of one of its messages or tool calls. */
const chosen = fc.tuple(madeUp.map(inOne), fc.nat(), version).map(([made, at, spoken]) => {
  const places = made.turns.flatMap(({ parts }, t) =>
    parts.flatMap((part, p) => (part.type === 'plan' ? [] : [{ t, p, part }])),
  );
  return { made, spoken, place: places[at % Math.max(1, places.length)] };
});

/** The replay without the frames that name this id, or with them changed. */
function without(id: string, change?: (text: string) => string) {
  return (frames: readonly Frame[]): Frame[] =>
    frames
      .flatMap((frame): Frame[] => {
        const text = 'text' in frame.line ? frame.line.text : '';
        if (!text.includes(`Id":"${id}"`)) return [frame];
        return change ? [{ ...frame, line: { text: change(text) } }] : [];
      })
      .map((frame, at) => ({ ...frame, seq: seq(at + 1) }));
}

test('with one item left out it is lossy, and exactly that is told', () => {
  fc.assert(
    fc.property(chosen, ({ made, spoken, place }) => {
      if (!place) return;
      const id = `${place.t}.${place.p}`;
      const window = held(made, made, spoken, without(id));
      const names = told(window).map(({ kind, of }) => `${kind} ${of}`);
      const hasTerminal = place.part.type === 'tool' && place.part.bytes.length > 0 && spoken === 2;
      expect(window.verdict).toBe('lossy');
      expect(names.filter((name) => name !== 'missing terminal')).toEqual([
        `missing ${place.part.type}`,
      ]);
      expect(names.includes('missing terminal')).toBe(hasTerminal);
    }),
  );
});

test('with one value altered it is corrupt, and exactly that is told', () => {
  fc.assert(
    fc.property(chosen, ({ made, spoken, place }) => {
      if (!place) return;
      const id = `${place.t}.${place.p}`;
      const alter = (text: string) =>
        place.part.type === 'tool'
          ? text.replace(/"title":"(?:[^"\\]|\\.)*"/, '"title":"never said 7f3a"')
          : text.replace(/"text":"(?:[^"\\]|\\.)*"/, '"text":"never said 7f3a"');
      const window = held(made, made, spoken, without(id, alter));
      const field = place.part.type === 'tool' ? 'title' : 'text';
      expect(window.verdict).toBe('corrupt');
      expect(told(window)).toMatchObject([{ kind: 'changed', of: place.part.type, field }]);
    }),
  );
});

/** Edited as JSON: a text may hold whatever ends an array. */
function emptied(line: string): string {
  const message = JSON.parse(line) as { params: { update: { content: unknown } } };
  message.params.update.content = [];
  return JSON.stringify(message);
}

test('without an id it is lossy, and without its content too', () => {
  fc.assert(
    fc.property(chosen, ({ made, place }) => {
      fc.pre(place?.part.type === 'agent');
      const id = `${place.t}.${place.p}`;
      const renamed = held(
        made,
        made,
        2,
        without(id, (text) => text.replace(`Id":"${id}"`, 'Id":"other"')),
      );
      expect(told(renamed)).toMatchObject([
        { kind: 'lost id', verdict: 'lossy', field: 'messageId' },
      ]);
      const silent = held(made, made, 2, without(id, emptied));
      expect(told(silent)).toMatchObject([{ kind: 'changed', verdict: 'lossy', field: 'text' }]);
    }),
  );
});

test('whatever becomes of real traces, a report comes of them', () => {
  const all = recordings().map(({ events }) => events);
  const broken = fc
    .tuple(fc.nat(all.length - 1), fc.array(fc.tuple(fc.nat(), fc.nat(3)), { maxLength: 12 }))
    .map(([which, edits]) => edits.reduce(mutated, all[which] ?? []));
  fc.assert(
    fc.property(broken, broken, (one, other) => {
      const { windows } = fidelityOf(sourcesOf([one, other]));
      for (const { kinds } of windows)
        for (const { score, equal, cosmetic, lossy, corrupt } of Object.values(kinds)) {
          const decided = equal + cosmetic + lossy + corrupt;
          expect(score === undefined).toBe(decided === 0);
          expect(score ?? 0).toBeLessThanOrEqual(1);
        }
    }),
    { numRuns: 60 },
  );
});

function mutated(
  events: readonly TraceEvent[],
  [at, how]: readonly [number, number],
): readonly TraceEvent[] {
  const place = at % Math.max(1, events.length);
  const [before, after] = [events.slice(0, place), events.slice(place + 1)];
  const event = events[place];
  if (!event) return events;
  const cut = (frame: Frame): Frame =>
    'text' in frame.line
      ? { ...frame, line: { text: frame.line.text.replace(/"\w+":/, '"x":') } }
      : frame;
  const put =
    how === 0
      ? []
      : how === 1
        ? [event, event]
        : how === 2 && event.type === 'frame'
          ? [cut(event)]
          : [...after.slice(0, 1), event];
  return [...before, ...put, ...after.slice(how === 3 ? 1 : 0)].map((one, n) => ({
    ...one,
    seq: seq(n + 1),
  }));
}
