// What a trace is known to lack, told from its events.
import { describe, expect, test } from 'vitest';
import { checkTrace } from '../../rules/check-trace.ts';
import { draw } from '../../test/traces/draw.ts';

const HELLO = 'client →0 initialize {"protocolVersion":1}\nagent ←0 result {"protocolVersion":1}\n';
const check = (trace: string) => checkTrace(draw(trace));
const failed = (trace: string) =>
  check(trace)
    .findings.filter(({ verdict }) => verdict === 'fail')
    .map(({ rule }) => rule);

describe('what is said of a trace that is not whole', () => {
  test.each<[string, string, readonly string[]]>([
    ['one that begins with the handshake', HELLO, []],
    ['one that a recorder began', 'start agent\nagent →1 fs/read_text_file {}', []],
    [
      'an excerpt',
      'agent ←6 result {}\nclient →7 session/list {}',
      ['starts in the middle of a connection'],
    ],
    ['requests before a handshake: these were first', `client →9 session/list {}\n${HELLO}`, []],
    [
      'the end of one connection before the handshake of the next',
      `agent ←6 result {"stopReason":"end_turn"}\nclient →7 session/list {}\n${HELLO}`,
      ['starts in the middle of a connection'],
    ],
    [
      'one direction',
      'client →0 initialize {"protocolVersion":1}',
      ['has no frame from the agent'],
    ],
  ])('%s', (_, trace, words) => {
    expect(check(trace).holes).toEqual(words);
  });
});

describe('an excerpt accuses nobody, a whole trace still does', () => {
  const orphan = 'agent ←6 result {"stopReason":"end_turn"}\n';
  test.each<[string, string, readonly string[]]>([
    ['a response to a request before the excerpt', `${orphan}client →7 session/list {}`, []],
    ['the same after a handshake', `${HELLO}${orphan}`, ['rpc/response-unknown-id']],
    [
      'a request before the response to initialize, of one direction',
      'client →0 initialize {"protocolVersion":1}\nclient →1 session/new {}',
      [],
    ],
    [
      'the same, once the agent is heard',
      'client →0 initialize {"protocolVersion":1}\nclient →1 session/new {}\nagent ←0 result {"protocolVersion":1}',
      ['init/early-request'],
    ],
    [
      'an id again, whose response may be missing',
      'client →7 session/list {}\nclient →7 session/list {}\nagent ←9 result {}',
      [],
    ],
  ])('%s', (_, trace, rules) => {
    const found = failed(trace).filter((rule) => /^(rpc|init\/early)/.test(rule));
    expect(found).toEqual(rules);
  });
});
