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

test('former names of Compare lead there', () => {
  expect(parseRoute('#/fidelity/c')).toEqual({ view: 'compare', connection: 'c' });
  expect(parseRoute('#/diff/c')).toEqual({ view: 'compare', connection: 'c', diff: 'c' });
  expect(parseRoute('#/diff/c?diff=c~d')).toMatchObject({ view: 'compare', diff: 'c~d' });
});

test('what says nothing sensible is left out, other addresses are none of ours', () => {
  expect(parseRoute('#/trace/c/frame/x')).toEqual({ view: 'trace', connection: 'c' });
  expect(parseRoute('#/trace/c/frame/-4/run/rm')).toEqual({ view: 'trace', connection: 'c' });
  expect(parseRoute('#/trace/%E0%A4%A')).toEqual({ view: 'trace', connection: '%E0%A4%A' });
  expect(parseRoute('#/trace/c?at=x&hide=head,&drawer=bin')).toEqual({
    view: 'trace',
    connection: 'c',
  });
  expect(parseRoute('#/trace/c?at=1e3&hide=&drawer=&drawer=')).toEqual({
    view: 'trace',
    connection: 'c',
  });
  expect(parseRoute('#/performance/c')).toEqual({ view: 'timing', connection: 'c' });
  for (const hash of ['', '#', '#k=abc', '#/spawn/x', '#/?cmd=x', '#trace'])
    expect(parseRoute(hash)).toBeUndefined();
});

test('an address holds the playhead, which panes are closed and which tab the drawer is at', () => {
  const hash = '#/conversation/c/frame/33?q=is%3Areplay&at=12&hide=rail,detail&drawer=waiting';
  const route: Route = {
    view: 'conversation',
    connection: connectionId('c'),
    frame: seq(33),
    query: 'is:replay',
    playhead: seq(12),
    hidden: ['rail', 'detail'],
    drawer: 'waiting',
  };
  expect(parseRoute(hash)).toEqual(route);
  expect(formatRoute(route)).toBe(hash);
});

test('an address says that the rest is shown beside what the query matches', () => {
  const hash = '#/trace/c?q=is%3Areplay&rest=shown&at=12';
  const route = parseRoute(hash);
  expect(route).toMatchObject({ query: 'is:replay', lights: true, playhead: 12 });
  expect(route && formatRoute(route)).toBe(hash);
  for (const other of ['', '&rest=hidden', '&rest=', '&rest'])
    expect(parseRoute(`#/trace/c?q=x${other}`)).not.toHaveProperty('lights');
  expect(formatRoute({ view: 'trace', lights: false })).toBe('#/trace');
});

test('an address holds the selected test, and former views lead to the parts of Checks', () => {
  const hash = '#/checks/c?test=lab%3Aload%20stop%3Dkill';
  const route = parseRoute(hash);
  expect(route).toEqual({ view: 'checks', connection: 'c', test: 'lab:load stop=kill' });
  expect(route && formatRoute(route)).toBe(hash);
  const probes = { view: 'checks', connection: 'c', test: 'probes' };
  expect(parseRoute('#/probes/c')).toEqual(probes);
  expect(parseRoute('#/test/c')).toEqual(probes);
  expect(parseRoute('#/findings/c')).toEqual({ view: 'checks', connection: 'c' });
  expect(parseRoute('#/scenario')).toEqual({ view: 'checks', test: 'scenario' });
});

test('every route reads back as it was written', () => {
  const text = fc.string({ minLength: 1, unit: 'binary' }).filter((s) => s.isWellFormed());
  const whole = fc.integer({ min: 1, max: 1e9 });
  const panes = fc.subarray(['rail', 'detail'] as const);
  const drawer = fc.constantFrom(
    'composer' as const,
    'waiting' as const,
    'none' as const,
    undefined,
  );
  fc.assert(
    fc.property(text, text, whole, text, whole, panes, drawer, fc.boolean(), (...parts) => {
      const [id, session, frame, query, playhead, hidden, shown, lights] = parts;
      const route: Route = {
        view: 'conversation',
        connection: connectionId(id),
        sessionId: session,
        frame: seq(frame),
        query,
        ...(lights && { lights }),
        playhead: seq(playhead),
        ...(hidden.length > 0 && { hidden }),
        ...(shown && { drawer: shown }),
      };
      expect(parseRoute(formatRoute(route))).toEqual(route);
    }),
  );
});
