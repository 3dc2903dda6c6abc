// An intercept at work on lines of two sides: what crosses, and what is told.
import { expect, test } from 'vitest';
import { nodeFinder } from '../../cli/parts/node-finder.ts';
import { decodeLossy, encodeUtf8 } from '../../lib/utf8.ts';
import { seq, type Side } from '../../trace/event.ts';
import { Intercepting } from './intercepting.ts';

function under(...rules: readonly object[]) {
  const crossed: string[] = [];
  const told: { readonly did: string; readonly problem?: string | undefined }[] = [];
  const through = new Intercepting({
    outlet: {
      send: (from, line) => void crossed.push(`${from} ${decodeLossy(line)}`),
      tell: ({ did, problem }) => seq(told.push({ did, problem })),
      cut: () => void crossed.push('cut'),
    },
    timers: { now: () => 0, later: () => () => undefined },
    finder: nodeFinder,
    newId: () => 'ours',
  });
  expect(through.on(JSON.stringify({ rules }))).toBeUndefined();
  const say = (from: Side, rest: string) =>
    through.take(from, encodeUtf8(`{"jsonrpc":"2.0",${rest}}`), 'peer');
  return { crossed, told, say };
}
const inject = { request: 'fs/read_text_file', params: { sessionId: '$sessionId', path: '/x' } };

test('$sessionId is the session of the frame that is followed, of an answer that of its request', () => {
  const { crossed, say } = under({ on: 'side:agent type:res', inject, to: 'client' });
  say('client', '"id":1,"method":"session/prompt","params":{"sessionId":"s1","prompt":[]}');
  say('agent', '"id":1,"result":{"stopReason":"end_turn"}');
  expect(crossed.at(-1)).toBe(
    'agent {"jsonrpc":"2.0","id":"ours","method":"fs/read_text_file","params":{"sessionId":"s1","path":"/x"}}',
  );
});

test('after a frame of no session nothing is sent that names it, and why is told', () => {
  const { crossed, told, say } = under({ on: 'method:initialize', inject });
  say('client', '"id":0,"method":"initialize","params":{}');
  expect(crossed).toHaveLength(1);
  expect(told.at(-1)).toMatchObject({
    did: 'inject',
    problem: expect.stringContaining('this frame belongs to no session') as string,
  });
});
