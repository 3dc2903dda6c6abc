import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  handshake,
  live,
  madeUp,
  replay,
  Script,
} from '../../test/traces/arbitrary-conversation.ts';
import { append, fold, itemsOf } from '../../test/traces/fold.ts';
import { draw } from '../../test/traces/draw.ts';
import { stepsOf } from '../../test/traces/steps.ts';
import { patchOf, Provenance } from './patch.ts';
import { reduce } from './reduce.ts';
import { freshState } from './state.ts';

/** What each frame of the drawing changes, as lines. */
function patches(picture: string, version?: number): string[][] {
  let state = freshState('s1', version);
  return draw(picture).map((event) => {
    const before = state;
    state = append(state, event);
    return patchOf(before, state).map(({ op, path, before: was, after }) =>
      [op, path, was, after].filter((word) => word !== undefined).join(' '),
    );
  });
}

test('a frame is a patch in the words of the state', () => {
  expect(
    patches(`
      client →0 session/new {"cwd":"/w","mcpServers":[]}
      agent  ←0 result {"sessionId":"s1","modes":{"currentModeId":"ask","availableModes":[{"id":"ask","name":"Ask"}]}}
      client →1 session/prompt s1 "Go"
      agent  update s1 agent_message_chunk m1 "one "
      agent  update s1 agent_message_chunk m1 "two"
      agent  update s1 tool_call {"toolCallId":"t1","title":"ls","kind":"read"}
      agent  update s1 tool_call_update {"toolCallId":"t1","status":"completed","locations":[{"path":"/a","line":3}]}
      agent  update s1 tool_call_update {"toolCallId":"t1","status":"completed"}
      agent  →0 session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"t1"},"options":[]}
      client ←0 result {"outcome":{"outcome":"cancelled"}}
      agent  update s2 agent_message_chunk "theirs"
    `),
  ).toEqual([
    [],
    ['add state idle', 'add life active', 'add mode Ask', 'add cwd /w'],
    [
      'add pending[→1] session/prompt',
      'add user[#3]',
      'add user[#3].content[0] Go',
      'replace state idle running',
    ],
    ['add agent[m1]', 'add agent[m1].content[0] one '],
    ['append agent[m1].content[0] two'],
    [
      'add tool[t1]',
      'add tool[t1].title ls',
      'add tool[t1].kind read',
      'add tool[t1].status pending',
    ],
    ['replace tool[t1].status pending completed', 'add tool[t1].locations[0] /a:3'],
    [],
    ['add pending[←0] session/request_permission', 'add ask[#9]', 'add ask[#9].title ls'],
    ['remove pending[←0] session/request_permission', 'add ask[#9].answer Cancelled'],
    [],
  ]);
});

test('terminals grow by bytes, and a rebuilt conversation goes at once', () => {
  const [first, second] = patches(
    `
      agent update s1 terminal_output_chunk {"terminalId":"x","data":"AAAA"}
      agent update s1 terminal_update {"terminalId":"x","output":{"data":"AAA="},"exitStatus":{"exitCode":1}}
    `,
    2,
  );
  expect(first).toEqual(['add terminal[x]', 'append terminal[x].output 3 bytes']);
  expect(second).toEqual(['add terminal[x].exit exit 1', 'replace terminal[x].output 2 bytes']);
  const loaded = patches(`
    client →1 session/prompt s1 "a"
    client →2 session/prompt s1 "b"
    agent update s1 tool_call {"toolCallId":"t1","title":"ls"}
    agent update s1 agent_message_chunk "c"
    client →3 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
    agent update s1 user_message_chunk "a"
  `).at(-1);
  expect(loaded?.[0]).toBe('remove conversation, 4 items');
});

test('every word knows the frame that brought it', () => {
  fc.assert(
    fc.property(fc.constantFrom(1 as const, 2 as const), madeUp, (version, one) => {
      const script = new Script();
      handshake(script, version);
      live(script, one, version);
      replay(script, one, version);
      const steps = stepsOf(script.frames);
      const states = [freshState('s1')];
      for (const { event, message, ...flags } of steps)
        states.push(reduce(states.at(-1) ?? freshState('s1'), event, message, flags));
      const end = states.at(-1) ?? freshState('s1');
      for (const item of itemsOf(end)) {
        if (item.type !== 'message') continue;
        const provenance = new Provenance(item.key);
        steps.forEach(({ event }, i) => {
          const [before, after] = [states[i], states[i + 1]];
          if (before && after && event.seq >= item.first) provenance.see(before, after, event.seq);
        });
        const text = item.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
        const spans = provenance.spans().filter(({ field }) => field === 'content[0]');
        spans.forEach(({ from, seq }, i) => {
          const words = text.slice(from, spans[i + 1]?.from ?? text.length);
          const frame = script.frames[seq - 1];
          const line = frame && 'text' in frame.line ? frame.line.text : '';
          expect(line).toContain(JSON.stringify(words).slice(1, -1));
        });
        expect(spans[0]?.from ?? 0).toBe(0);
      }
    }),
    { numRuns: 100 },
  );
});

test('a state patched from itself is not patched', () => {
  const state = fold('client →1 session/prompt s1 "Go"');
  expect(patchOf(state, state)).toEqual([]);
});
