import fc from 'fast-check';
import { expect, test } from 'vitest';
import { connectionId, seq } from '../trace/event.ts';
import { formatRoute, parseRoute, type Route } from './route.ts';

test('an address names view, connection, frame and query', () => {
  expect(parseRoute('#/trace/c-1/frame/33?q=is%3Areplay%20-x')).toEqual({
    view: 'trace',
    connection: 'c-1',
    frame: 33,
    query: 'is:replay -x',
  });
  expect(parseRoute('#/connect')).toEqual({ view: 'connect' });
  expect(formatRoute({ view: 'trace', connection: connectionId('c 1'), frame: seq(33) })).toBe(
    '#/trace/c%201/frame/33',
  );
});

test('what says nothing sensible is left out, other addresses are none of ours', () => {
  expect(parseRoute('#/trace/c/frame/x')).toEqual({ view: 'trace', connection: 'c' });
  expect(parseRoute('#/trace/c/frame/-4/run/rm')).toEqual({ view: 'trace', connection: 'c' });
  expect(parseRoute('#/trace/%E0%A4%A')).toEqual({ view: 'trace', connection: '%E0%A4%A' });
  for (const hash of ['', '#', '#k=abc', '#/spawn/x', '#/?cmd=x', '#trace'])
    expect(parseRoute(hash)).toBeUndefined();
});

test('every route reads back as it was written', () => {
  const text = fc.string({ minLength: 1, unit: 'binary' }).filter((s) => s.isWellFormed());
  fc.assert(
    fc.property(text, text, fc.integer({ min: 1, max: 1e9 }), text, (id, session, frame, query) => {
      const route: Route = {
        view: 'conversation',
        connection: connectionId(id),
        sessionId: session,
        frame: seq(frame),
        query,
      };
      expect(parseRoute(formatRoute(route))).toEqual(route);
    }),
  );
});
