import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseMessage } from '../../acp/message.ts';
import { encodeUtf8, toBase64 } from '../../lib/utf8.ts';
import { draw } from '../../test/traces/draw.ts';
import { lineText } from '../../trace/line.ts';
import { TailBytes } from '../fold/terminals.ts';
import { TerminalsFold } from './terminals.ts';

function terminals(picture: string) {
  const fold = new TerminalsFold();
  for (const event of draw(picture))
    if (event.type === 'frame') fold.append(event, parseMessage(lineText(event.line)));
  return fold.views().map(({ output, ...view }) => {
    return { ...view, output: new TextDecoder().decode(output) };
  });
}

const base64 = (text: string) => toBase64(encodeUtf8(text));

describe('terminals of the agent, v2', () => {
  test('chunks append bytes, a snapshot replaces them, and an exit status ends it', () => {
    expect(
      terminals(`
        agent update s1 terminal_update {"terminalId":"t","command":"ls","cwd":"/w"}
        agent update s1 terminal_output_chunk {"terminalId":"t","data":"${base64('one')}"}
        agent update s1 terminal_update {"terminalId":"t","output":{"data":"${base64('all ')}"}}
        agent update s1 terminal_output_chunk {"terminalId":"t","data":"${base64('of it')}"}
        agent update s1 terminal_update {"terminalId":"t","exitStatus":{"exitCode":1}}
      `),
    ).toEqual([
      {
        terminalId: 't',
        session: 's1',
        command: 'ls',
        cwd: '/w',
        exit: 'exit 1',
        output: 'all of it',
        last: 5,
      },
    ]);
  });

  test('null clears what is known, and what is not base64 adds nothing', () => {
    expect(
      terminals(`
        agent update s1 terminal_update {"terminalId":"t","command":"ls","output":{"data":"${base64('x')}"},"exitStatus":{"signal":"SIGKILL"}}
        agent update s1 terminal_output_chunk {"terminalId":"t","data":"***"}
        agent update s1 terminal_update {"terminalId":"t","command":null,"output":null,"exitStatus":null}
      `),
    ).toEqual([{ terminalId: 't', session: 's1', output: '', last: 3 }]);
  });

  test('one id in two sessions is two terminals', () => {
    expect(
      terminals(`
        agent update s1 terminal_update {"terminalId":"t","command":"a"}
        agent update s2 terminal_update {"terminalId":"t","command":"b"}
      `).map(({ session, command }) => [session, command]),
    ).toEqual([
      ['s1', 'a'],
      ['s2', 'b'],
    ]);
  });

  test('a character split between chunks comes out whole', () => {
    const bytes = encodeUtf8('é');
    const [first, second] = [bytes.subarray(0, 1), bytes.subarray(1)].map(toBase64);
    expect(
      terminals(`
        agent update s1 terminal_output_chunk {"terminalId":"t","data":"${first}"}
        agent update s1 terminal_output_chunk {"terminalId":"t","data":"${second}"}
      `)[0]?.output,
    ).toBe('é');
  });
});

describe('terminals of the client, v1', () => {
  test('are seen through the answers to the agent’s requests', () => {
    expect(
      terminals(`
        agent  →0 terminal/create {"sessionId":"s1","command":"npm","args":["test"],"cwd":"/w"}
        client ←0 result {"terminalId":"t"}
        agent  →1 terminal/output {"sessionId":"s1","terminalId":"t"}
        client ←1 result {"output":"fail","truncated":false}
        agent  →2 terminal/wait_for_exit {"sessionId":"s1","terminalId":"t"}
        client ←2 result {"exitCode":null,"signal":"SIGTERM"}
        agent  →3 terminal/output {"sessionId":"s1","terminalId":"t"}
        client ←3 result {"output":"failed","truncated":false}
      `),
    ).toEqual([
      {
        terminalId: 't',
        session: 's1',
        command: 'npm test',
        cwd: '/w',
        exit: 'signal SIGTERM',
        output: 'failed',
        last: 8,
      },
    ]);
  });

  test('a refused create makes none, and an answer of the agent is not the client’s', () => {
    expect(
      terminals(`
        agent  →0 terminal/create {"sessionId":"s1","command":"rm"}
        agent  ←0 result {"terminalId":"t"}
        client ←0 error -32601 Method not found
      `),
    ).toEqual([]);
  });
});

test('the last bytes are kept, however they come', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 20 })),
      fc.integer({ min: 1, max: 30 }),
      (pieces, cap) => {
        const tail = pieces.reduce((before, piece) => before.push(piece), TailBytes.of(cap));
        const all = pieces.flatMap((piece) => [...piece]);
        expect([...tail.bytes()]).toEqual(all.slice(-cap));
        expect([...tail.bytes(3)]).toEqual(all.slice(-Math.min(cap, 3)));
        expect([tail.length, tail.total]).toEqual([Math.min(cap, all.length), all.length]);
      },
    ),
  );
});
