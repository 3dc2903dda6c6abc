import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeUtf8 } from '../../lib/utf8.ts';
import { loadRemarks } from '../../rules/steps.ts';
import { World } from '../../rules/connection.ts';
import { draw } from '../../test/traces/draw.ts';
import { V1_SESSION } from '../../test/traces/rule-case.ts';
import { connectionId, seq } from '../../trace/event.ts';
import { eventLine } from '../../trace/format.ts';
import { Check, CheckGroup } from './check.ts';
import { findingViews } from './finding-views.ts';
import { OpenTrace } from '../traces/open-trace.ts';

const remarksOf = await loadRemarks();

function opened(picture: string): OpenTrace {
  const trace = new OpenTrace(connectionId('c1'), () => 'S1', 'lost');
  const text = draw(picture)
    .map((event) => `${eventLine(event)}\n`)
    .join('');
  trace.take(encodeUtf8(text), 0, () => false);
  return trace;
}
function checkOf(trace: OpenTrace): Check {
  const check = new Check({
    ...{ connection: trace.connection, name: 'c1', startedAt: 0, world: new World(), remarksOf },
    ...{ choice: 'auto', marks: true },
  });
  check.attach(trace);
  return check;
}
const marksOf = ({ index }: OpenTrace) =>
  Array.from({ length: index.length }, (_, at) => index.findings.at(at));

const FAULTY = `${V1_SESSION}
  agent ←9 result {}
  client →2 session/list []
  agent ←9 result {}
`;

test('a check says the same in slices of whatever length', () => {
  const whole = checkOf(opened(FAULTY));
  whole.read(Infinity, () => false);
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 8, maxLength: 8 }),
      (cuts) => {
        const check = checkOf(opened(FAULTY));
        for (const cut of cuts) {
          let left = cut;
          check.read(Infinity, () => --left <= 0);
        }
        expect(findingViews(check)).toEqual(findingViews(whole));
        expect(check.nextAt).toBeUndefined();
      },
    ),
  );
});

test('the first frame of a finding is the one its sentence is about, the others follow in order', () => {
  const closed = 'client →5 session/close {"sessionId":"s1"}\nagent ←5 result {}';
  const used = ['6', '7'].map((id) => `client →${id} session/prompt s1 "Two"`);
  const check = checkOf(opened([V1_SESSION, closed, ...used].join('\n')));
  check.read(Infinity, () => false);
  const found = findingViews(check).find(({ rule }) => rule === 'close/use-after');
  expect(found?.places.map(({ seq: at }) => Number(at))).toEqual([8, 7, 9]);
});

test('a trace that left memory and came back is not read again, and has its marks', () => {
  const first = opened(FAULTY);
  const check = checkOf(first);
  check.read(Infinity, () => false);
  const found = findingViews(check);
  const marks = marksOf(first);
  check.detach();
  const second = opened(`${FAULTY}client →3 session/list []`);
  check.attach(second);
  expect(marksOf(second).slice(0, -1)).toEqual(marks);
  expect(findingViews(check)).toEqual(found);
  check.read(Infinity, () => false);
  expect(check.frames).toBe(8);
  expect(second.index.findings.at(second.index.indexOf(seq(9)))).toBeDefined();
});

test('traces of a group are read in the order of their events, whichever they are in', () => {
  const times = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 20 });
  fc.assert(
    fc.property(
      fc.array(times, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 9 }),
      (traces, slice) => {
        const read: number[] = [];
        const group = new CheckGroup();
        for (const [i, all] of traces.entries()) {
          const left = all.toSorted((a, b) => a - b);
          const member = {
            connection: connectionId(String(i)),
            get nextAt() {
              return left[0];
            },
            read(until: number, isTimeUp: () => boolean) {
              do {
                const at = left.shift();
                if (at === undefined) return;
                read.push(at);
              } while (!isTimeUp() && (left[0] ?? Infinity) <= until);
            },
          };
          group.add(member as unknown as Check);
        }
        expect(group.work(() => false)).toBe(false);
        expect(read).toEqual([]);
        group.ready = true;
        for (let more = true; more;) {
          let left = slice;
          more = group.work(() => --left <= 0);
        }
        expect(read).toEqual(traces.flat().sort((a, b) => a - b));
      },
    ),
  );
});
