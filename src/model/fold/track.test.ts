import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  handshake,
  live,
  madeUp,
  replay,
  Script,
} from '../../test/traces/arbitrary-conversation.ts';
import { drawRecorder } from '../../test/traces/draw.ts';
import { itemsOf, story } from '../../test/traces/fold.ts';
import { indexed } from '../../test/traces/indexed.ts';
import { stepsOf } from '../../test/traces/steps.ts';
import type { TraceEvent } from '../../trace/event.ts';
import { TraceReader } from '../../trace/read.ts';
import { waitingRequests, reduce } from './reduce.ts';
import { sessionFacts } from './session-facts.ts';
import { subagentList } from './subagents.ts';
import { freshState, type SessionState } from './state.ts';
import { Track, type TrackedEvent } from './track.ts';

const FIXTURES = join(import.meta.dirname, '..', '..', 'test', 'fixtures');

function eventsIn(bytes: Uint8Array): TraceEvent[] {
  const reader = new TraceReader();
  const read = [...reader.push(bytes), ...reader.end()];
  return read.flatMap((item) => ('event' in item ? [item.event] : []));
}

/** All of a state that anybody can see. */
function seen(state: SessionState) {
  const { terminals, echoes, restoring, plans, prompts, version, last, echo } = state;
  return {
    items: itemsOf(state),
    facts: sessionFacts(state),
    open: waitingRequests(state).map(({ seq }) => seq),
    terminals: terminals.list
      .slice(0, terminals.list.length)
      .map(({ output, ...rest }) => ({ ...rest, output: [...output.bytes()] })),
    rest: { echoes, restoring, plans, prompts, version, last, echo },
  };
}

/** The state before each step and after all, folded from the first one on. */
function chain(sessionId: string, steps: readonly TrackedEvent[]): SessionState[] {
  const states = [freshState(sessionId)];
  for (const { event, message, ...flags } of steps)
    states.push(reduce(states.at(-1) ?? freshState(sessionId), event, message, flags));
  return states;
}

function tracked(sessionId: string, steps: readonly TrackedEvent[], spacing: number): Track {
  const track = new Track(freshState(sessionId), spacing);
  steps.forEach((step, place) => track.take(place, step));
  return track;
}

function made(version: 1 | 2, one: Parameters<typeof live>[1]): TrackedEvent[] {
  const script = new Script();
  handshake(script, version);
  script.answer(script.ask('session/new', { cwd: '/w', mcpServers: [] }), { sessionId: 's1' });
  live(script, one, version);
  replay(script, one, version);
  return stepsOf(script.frames);
}

describe('the state at any frame', () => {
  test('is the one folded from the first frame on, for made-up conversations of both versions', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1 as const, 2 as const),
        madeUp,
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.nat(), { maxLength: 10 }),
        (version, one, spacing, jumps) => {
          const steps = made(version, one);
          const states = chain('s1', steps);
          const track = tracked('s1', steps, spacing);
          const read = (place: number) => steps[place];
          const places = [...jumps.map((jump) => jump % states.length), ...states.keys()];
          for (const place of places) {
            const state = states[place];
            if (state) expect(seen(track.before(place, read))).toEqual(seen(state));
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  const files = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(jsonl|ndjson)$/.test(name),
  );
  const withSessions = files.flatMap((name) => {
    const bytes = readFileSync(join(FIXTURES, name));
    const events = name.endsWith('.ndjson') ? drawRecorder(bytes.toString()) : eventsIn(bytes);
    const { sessions } = indexed(events).index.facts();
    return sessions.length > 0 ? [{ name, events, sessions }] : [];
  });
  test.each(withSessions)('is so for every session of $name', ({ events, sessions }) => {
    const steps = stepsOf(events);
    for (const { sessionId } of sessions) {
      const states = chain(sessionId, steps);
      const track = tracked(sessionId, steps, 50);
      // From the end to the beginning: nothing is near.
      for (const [place, state] of [...states.entries()].reverse()) {
        const found = track.before(place, (at) => steps[at]);
        expect(story(found)).toEqual(story(state));
        if (place % 10 === 0) expect(seen(found)).toEqual(seen(state));
      }
    }
  });
});

/** A conversation without what differs by nature: frames, ids, notes, and when something was said. */
function normal(state: SessionState) {
  const items = itemsOf(state).flatMap((item): unknown[] => {
    switch (item.type) {
      case 'message':
        return [[item.role, item.parts, item.sender, item.recipient]];
      case 'tool':
        return [[item.title, item.kind, item.status, item.parts]];
      case 'plan':
        return [item.entries];
      case 'ask':
      case 'note':
        return [];
    }
  });
  const { list } = state.terminals;
  const terminals = list
    .slice(0, list.length)
    .map(({ terminalId, output }) => [terminalId, [...output.bytes()]])
    // One that never put out anything need not be told of again.
    .filter(([, bytes]) => bytes?.length !== 0)
    .sort();
  const { activity, title } = state;
  const metas = state.items
    .slice(0, state.items.length)
    .flatMap(({ body }) => (body.type === 'message' && body.role === 'peer' ? [body.meta] : []));
  const subagents = subagentList(state)
    .map(({ sessionId, title, state: said }) => [sessionId, title, said])
    .sort();
  return {
    items,
    metas,
    subagents,
    terminals,
    title: title?.value,
    state: activity?.value.state,
  };
}

/** After a restore: what a child does is history until the agent tells it anew. */
function restored(known: ReturnType<typeof normal>) {
  return { ...known, subagents: known.subagents.map(([id, title]) => [id, title, undefined]) };
}

describe('a full replay', () => {
  const folded = (script: Script) => chain('s1', stepsOf(script.frames)).at(-1) ?? freshState('s1');

  test.each([1, 2] as const)(
    'of a v%i conversation folds to what the live turns folded to',
    (version) => {
      fc.assert(
        fc.property(madeUp, (one) => {
          const first = new Script();
          handshake(first, version);
          first.answer(first.ask('session/new', { cwd: '/w', mcpServers: [] }), {
            sessionId: 's1',
          });
          live(first, one, version);
          const second = new Script();
          handshake(second, version);
          replay(second, one, version);
          expect(normal(folded(second))).toEqual(restored(normal(folded(first))));
        }),
        { numRuns: 300 },
      );
    },
  );

  test.each([1, 2] as const)('of v%i onto what is known doubles nothing', (version) => {
    fc.assert(
      fc.property(madeUp, fc.boolean(), (one, twice) => {
        const script = new Script();
        handshake(script, version);
        script.answer(script.ask('session/new', { cwd: '/w', mcpServers: [] }), {
          sessionId: 's1',
        });
        live(script, one, version);
        const before = normal(folded(script));
        replay(script, one, version);
        if (twice) replay(script, one, version);
        expect(normal(folded(script))).toEqual(restored(before));
      }),
      { numRuns: 200 },
    );
  });
});
