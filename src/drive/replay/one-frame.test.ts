// Each recording of a real agent, with one frame changed, played as the agent to itself as the client:
// the report names that frame and nothing else. So it is with one frame of the client.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changed, CHANGES, type Changed } from '../../test/traces/one-change.ts';
import { recordings } from '../../test/traces/recordings.ts';
import { replayed } from '../../test/traces/replayed.ts';
import type { Seq, TraceEvent } from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';
import { divergenceOf, type Divergence, type Diverging } from './divergence.ts';
import type { ReplayNote } from './differences.ts';

const RUNS = 25;
const EVERYTHING = { ignore: [] };
const recording = fc.constantFrom(...recordings());
const numbers = fc.record({ frame: fc.nat(), value: fc.nat() });

const framesNamed = ({ differences, besides }: Divergence) =>
  [...differences.map(({ frame }) => frame), ...besides].map((one) => one?.a?.seq ?? one?.b?.seq);

const shown = ({ view, kind, of, path, a, before, after }: Diverging) =>
  JSON.stringify([view, kind, of, path, a?.seq, before, after]);

/** The frame, and those that say the same bytes: nobody can tell them apart. */
function likeIt(events: readonly TraceEvent[], seqs: readonly Seq[]): readonly Seq[] {
  const textOf = (event: TraceEvent) => (event.type === 'frame' ? lineText(event.line) : '');
  const texts = new Set(events.filter(({ seq }) => seqs.includes(seq)).map(textOf));
  return events.flatMap((event) =>
    event.type === 'frame' && texts.has(textOf(event)) ? [event.seq] : [],
  );
}

/** What fails says of which change. */
async function told(name: string, made: Changed, check: () => Promise<void>): Promise<void> {
  const { seqs, method, variant, path } = made;
  try {
    await check();
  } catch (error) {
    const what = [method, variant, path].filter(Boolean).join(' ');
    throw new Error(`${name} #${seqs.join()} ${what}`, { cause: error });
  }
}

/** Who asks for something else gets an error for the result: the recorded client knows nothing of it. */
const isAnswerTo = ({ method, seqs }: Changed, { path, a, after }: Diverging) =>
  method !== undefined &&
  a !== undefined &&
  seqs.includes(a.seq) &&
  (/^\$\.error\b/.test(path) || (path === '$.result' && after === undefined));

const KINDS = {
  value: 'another value',
  out: 'no frame',
  twice: 'one frame twice',
  swap: 'two frames changed about',
};

test.each(CHANGES.map((change) => ({ change, words: KINDS[change] })))(
  'the agent has $words: that is named, as a comparison of the recordings names it',
  async ({ change }) => {
    await fc.assert(
      fc.asyncProperty(recording, numbers, async ({ name, events }, pick) => {
        const made = changed(events, change, 'agent', pick);
        if (!made) return;
        await told(name, made, async () => {
          const direct = await divergenceOf(events, made.events, undefined, EVERYTHING);
          const named = framesNamed(direct);
          expect(named.length).toBeGreaterThan(0);
          const due = likeIt(events, made.seqs);
          for (const seq of named) expect(due).toContain(seq);
          const { frames } = await replayed(made.events, events);
          const again = await divergenceOf(events, frames, undefined, EVERYTHING);
          const own = again.differences.filter((one) => !isAnswerTo(made, one));
          expect(own.map(shown)).toEqual(direct.differences.map(shown));
        });
      }),
      { numRuns: RUNS },
    );
  },
);

/** Of an answer, what only a strict replay looks at. */
const isNothing = ({ method, path }: Changed) =>
  method === undefined && /^error\/(?:message|data)|\/_meta\//.test(path);

const pathsOf = ({ differences }: ReplayNote) => differences.map(({ path }) => path);

test.each(['strict', 'loose'] as const)(
  'the client asks or answers with another value, %s: that value is named first, and loose no other',
  async (strictness) => {
    await fc.assert(
      fc.asyncProperty(recording, numbers, async ({ name, events }, pick) => {
        const made = changed(events, 'value', 'client', pick);
        if (!made) return;
        await told(name, made, async () => {
          const { agent } = await replayed(events, made.events, { strictness });
          const [first, ...others] = agent.notes;
          if (strictness === 'loose' && isNothing(made)) return expect(agent.notes).toEqual([]);
          expect(first?.recorded).toBeDefined();
          expect(likeIt(events, made.seqs)).toContain(first?.recorded);
          if (first) expect(pathsOf(first)).toEqual([`/${made.path.replace(/^params\//, '')}`]);
          if (strictness === 'loose') expect(others).toEqual([]);
        });
      }),
      { numRuns: RUNS },
    );
  },
);
