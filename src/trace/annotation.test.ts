import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { millis } from '../lib/time.ts';
import {
  annotationEvent,
  annotationOf,
  Annotations,
  type Annotation,
  type AnnotationChange,
} from './annotation.ts';
import { seq } from './event.ts';
import { eventLine, parseEvent } from './format.ts';

const mark = (target: number, label = ''): Annotation => {
  return { kind: 'mark', target: seq(target), label };
};
const SET_ASIDE: Annotation = { kind: 'suppress', rule: 'T-01', session: 's1', reason: 'known' };
const event = (change: AnnotationChange, at = 9) => annotationEvent(change, seq(at), millis(5));

const annotations = fc.oneof(
  fc.record({
    kind: fc.constant('mark' as const),
    target: fc.nat(3).map((n) => seq(n + 1)),
    label: fc.string(),
  }),
  fc.record(
    {
      kind: fc.constant('suppress' as const),
      rule: fc.constantFrom('a', 'b'),
      session: fc.string(),
      method: fc.constantFrom('m', 'n'),
      reason: fc.string(),
    },
    { requiredKeys: ['kind', 'rule', 'reason'] },
  ),
) as fc.Arbitrary<Annotation>;
const changes = fc
  .record({ annotation: annotations, removed: fc.boolean() })
  .map(({ annotation, removed }): AnnotationChange => {
    return removed ? { annotation, removed: true } : { annotation };
  });

describe('an annotation in a file', () => {
  test('is one event, and reads back as it was', () => {
    expect(eventLine(event({ annotation: mark(3, 'here') }))).toBe(
      '{"type":"mark","seq":9,"at":5,"target":3,"label":"here"}',
    );
    expect(eventLine(event({ annotation: SET_ASIDE, removed: true }))).toBe(
      '{"type":"suppress","seq":9,"at":5,"rule":"T-01","session":"s1","reason":"known","removed":true}',
    );
    fc.assert(
      fc.property(changes, (change) => {
        const read = parseEvent(eventLine(event(change)));
        expect('problem' in read ? read : annotationOf(read)).toEqual(change);
      }),
    );
  });

  test.each([
    ['{"type":"suppress","seq":1,"at":0,"reason":"x"}', 'rule is not a string'],
    [
      '{"type":"suppress","seq":1,"at":0,"rule":"a","session":1,"reason":"x"}',
      'session is not a string',
    ],
    [
      '{"type":"suppress","seq":1,"at":0,"rule":"a","method":1,"reason":"x"}',
      'method is not a string',
    ],
    ['{"type":"suppress","seq":1,"at":0,"rule":"a"}', 'reason is not a string'],
  ])('%s is told apart: %s', (line, problem) => {
    expect(parseEvent(line)).toEqual({ problem });
  });
});

describe('the annotations of a trace', () => {
  test('the last word about a thing holds, and a change by hand is the last word', () => {
    const all = new Annotations();
    all.take(event({ annotation: mark(3, 'first') }));
    all.take(event({ annotation: SET_ASIDE }));
    all.take(event({ annotation: mark(3, 'second') }));
    expect(all.mark(3)).toBe('second');
    all.change({ annotation: mark(3), removed: true });
    all.take(event({ annotation: mark(3, 'third') }));
    expect(all.mark(3)).toBeUndefined();
    expect(all.all()).toEqual([SET_ASIDE]);
    all.clearChanges();
    expect(all.mark(3)).toBe('third');
  });

  test('a label of any length is kept whole, and drawn in part', () => {
    const all = new Annotations();
    all.take(event({ annotation: mark(3, 'x'.repeat(5000)) }));
    expect(all.mark(3)).toHaveLength(200);
    expect(all.all()).toEqual([mark(3, 'x'.repeat(5000))]);
  });

  test('what its own events say already is no change', () => {
    const all = new Annotations();
    all.take(event({ annotation: mark(3, 'here') }));
    all.change({ annotation: mark(3), removed: true });
    all.change({ annotation: mark(4), removed: true });
    expect(all.changes()).toEqual([{ annotation: mark(3), removed: true }]);
    all.change({ annotation: mark(3, 'here') });
    expect(all.changes()).toEqual([]);
    all.change({ annotation: mark(3, 'there') });
    expect(all.changes()).toEqual([{ annotation: mark(3, 'there') }]);
  });

  test('a trace with the changes written behind it says the same without them', () => {
    fc.assert(
      fc.property(fc.array(changes), fc.array(changes), (recorded, made) => {
        const here = new Annotations();
        for (const change of recorded) here.take(event(change));
        for (const change of made) here.change(change);
        const there = new Annotations();
        for (const change of [...recorded, ...here.changes()]) there.take(event(change));
        expect(new Set(there.all())).toEqual(new Set(here.all()));
        expect(new Map(there.marks)).toEqual(new Map(here.marks));
        expect(there.changes()).toEqual([]);
      }),
    );
  });
});
