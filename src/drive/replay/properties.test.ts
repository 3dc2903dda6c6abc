import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../acp/message.ts';
import {
  handshake,
  live,
  madeUp,
  replay,
  Script,
} from '../../test/traces/arbitrary-conversation.ts';
import { replayed } from '../../test/traces/replayed.ts';
import { seq, type TraceEvent } from '../../trace/event.ts';
import { millis } from '../../lib/time.ts';
import { Bijection, Bindings, Folders } from './bindings.ts';
import { compareValues } from './differences.ts';
import { divergenceOf } from './divergence.ts';
import { withStrings } from '../adapt/line-edit.ts';
import { Matcher } from './matcher.ts';
import { readRecorded } from './recorded.ts';

const jsonValue = fc.jsonValue() as fc.Arbitrary<Json>;
const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');

test('whatever is bound, each recorded name has one live name, and that one means it alone', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(name, name), { maxLength: 12 }), (binds) => {
      const names = ['a', 'b', 'c'];
      const bijection = new Bijection(names);
      for (const [recorded, live] of binds) {
        if (!bijection.bind(recorded, live)) continue;
        expect(bijection.liveOf(recorded)).toBe(live);
        expect(bijection.recordedOf(live)).toBe(recorded);
      }
      const all = [...new Set([...names, ...bijection.renamed.map(([recorded]) => recorded)])];
      for (const recorded of all)
        expect(bijection.recordedOf(bijection.liveOf(recorded))).toBe(recorded);
      expect(new Set(all.map((recorded) => bijection.liveOf(recorded))).size).toBe(all.length);
    }),
  );
});

const path = fc.constantFrom('/w/a', '/w/a/b', '/w/ab', '/x', 'C:\\w');

test('a text of paths goes to the folders of now and back', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(path, fc.constantFrom('', '/f.txt', '/sub/g')), { maxLength: 5 }),
      fc.constantFrom(' ', ', ', '" "', '\n'),
      (parts, between) => {
        const folders = new Folders();
        folders.bind('/w/a', '/live/one');
        folders.bind('/w/a/b', '/two');
        const text = parts.map(([folder, rest]) => folder + rest).join(between);
        expect(folders.toRecorded(folders.toLive(text))).toBe(text);
        expect(folders.toLive(text)).not.toMatch(/\/w\/a(?:\/|$| |")/);
      },
    ),
  );
});

test.each([
  ['/w/p.v2/x', '/w/p.v2/x'],
  ['see /w/p.', 'see /l.'],
  ['file:///w/p/x', 'file:///l/x'],
  ['a/w/p', 'a/w/p'],
  ['/w/p', '/l'],
])('the folder /w/p in %j', (text, due) => {
  const folders = new Folders();
  folders.bind('/w/p/', '/l');
  expect(folders.toLive(text)).toBe(due);
});

test('a line in which no string is another stays as it was, to the byte', () => {
  fc.assert(
    fc.property(jsonValue, fc.constantFrom(undefined, 1, '\t'), (value, space) => {
      const line = JSON.stringify({ jsonrpc: '2.0', params: value }, null, space);
      expect(withStrings(line, (_, said) => said)).toBe(line);
      const loud = withStrings(line, (_, said) => `${said}!`);
      expect(JSON.parse(loud)).toEqual(withBangs(JSON.parse(line) as Json));
    }),
  );
});

function withBangs(value: Json): unknown {
  if (typeof value === 'string') return `${value}!`;
  if (Array.isArray(value)) return value.map(withBangs);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withBangs(item as Json)]),
  );
}

test('a value differs from itself in nothing, and from another at the place where it does', () => {
  fc.assert(
    fc.property(jsonValue, fc.string(), (value, more) => {
      const bindings = new Bindings([]);
      const options = { bindings, tieSessions: false };
      const copy = JSON.parse(JSON.stringify(value)) as Json;
      expect(compareValues(value, copy, options)).toEqual({ differences: [], ties: [] });
      const held = compareValues({ value, more }, { value: copy, more: `${more}x` }, options);
      expect(held.differences).toEqual([{ path: '/more', recorded: more, live: `${more}x` }]);
    }),
  );
});

const request = fc.record({
  method: fc.constantFrom('session/list', 'session/prompt', 'session/set_mode', '_x'),
  session: fc.constantFrom('s1', 's2'),
  value: fc.constantFrom('one', 'two'),
});

test('which recorded request a live one is does not hang on the order of those that differ', () => {
  fc.assert(
    fc.property(
      fc.array(request, { maxLength: 8 }).chain((asked) =>
        fc.tuple(
          fc.constant(asked),
          fc.shuffledSubarray(
            asked.map((_, at) => at),
            { minLength: asked.length },
          ),
        ),
      ),
      ([asked, order]) => {
        const lines = asked.map(({ method, session, value }, at) =>
          JSON.stringify({ jsonrpc: '2.0', id: at, method, params: { sessionId: session, value } }),
        );
        const events = lines.map((text, at): TraceEvent => ({
          ...{ type: 'frame', seq: seq(at + 1), at: millis(at), from: 'client', origin: 'peer' },
          line: { text },
        }));
        const recorded = readRecorded(events);
        const matcher = new Matcher({ recorded, bindings: new Bindings([]), strictness: 'strict' });
        const same = (a: number, b: number) =>
          JSON.stringify(asked[a]) === JSON.stringify(asked[b]);
        const found = order.map((at) => {
          const one = asked[at];
          const match = matcher.request(one?.method ?? '', {
            sessionId: one?.session ?? '',
            value: one?.value ?? '',
          });
          expect(match.kind).toBe('found');
          return match.kind === 'found' ? match.frame.place : -1;
        });
        // Each recorded one once, each by one that is equal to it.
        expect([...found].sort((a, b) => a - b)).toEqual(asked.map((_, at) => at));
        found.forEach((place, at) => expect(same(place, order[at] ?? -1)).toBe(true));
      },
    ),
  );
});

test.each([1, 2] as const)(
  'v%d: a made-up conversation replayed against itself does not diverge',
  async (version) => {
    await fc.assert(
      fc.asyncProperty(madeUp, async (made) => {
        const script = new Script();
        handshake(script, version);
        script.answer(script.ask('session/new', { cwd: '/w', mcpServers: [] }), {
          sessionId: 's1',
        });
        live(script, made, version);
        replay(script, made, version);
        const { frames, agent, client } = await replayed(script.frames, script.frames, {
          cwd: '/tmp/live',
        });
        expect(agent.notes).toEqual([]);
        expect(client.notes).toEqual([]);
        expect(agent.unsaid).toBe(0);
        expect((await divergenceOf(script.frames, frames, client.folders)).differences).toEqual([]);
      }),
      { numRuns: 40 },
    );
  },
);
