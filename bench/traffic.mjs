// What a coding agent sends all day, for every benchmark alike: turns of a prompt, chunks of
// messages, tools and usage; now and then a load. Alone, or as a trace file.
import { createWriteStream } from 'node:fs';

const rpc = (body) => `{"jsonrpc":"2.0",${body}}`;

/** Endless: `[who sends it, its line]`. */
export function* traffic() {
  yield ['client', rpc('"id":0,"method":"initialize","params":{"protocolVersion":1}')];
  yield [
    'agent',
    rpc('"id":0,"result":{"protocolVersion":1,"agentCapabilities":{"loadSession":true}}'),
  ];
  for (let turn = 1; ; turn++) {
    const sessionId = `7c1e4f2a-90d3-4c55-8e1b-${String(turn % 20).padStart(12, '0')}`;
    const update = (body) => [
      'agent',
      rpc(`"method":"session/update","params":{"sessionId":"${sessionId}","update":{${body}}}`),
    ];
    const method = turn % 50 === 0 ? 'session/load' : 'session/prompt';
    yield [
      'client',
      rpc(`"id":${turn},"method":"${method}","params":{"sessionId":"${sessionId}"}`),
    ];
    for (let message = 0; message < 4; message++) {
      for (let chunk = 0; chunk < 20; chunk++)
        yield update(
          `"sessionUpdate":"agent_message_chunk","messageId":"msg_${turn}_${message}","content":{"type":"text","text":"chunk ${chunk} of the answer "}`,
        );
      const tool = `"toolCallId":"call_${turn}_${message}"`;
      yield update(
        `"sessionUpdate":"tool_call",${tool},"title":"config.json","kind":"read","status":"pending"`,
      );
      yield update(`"sessionUpdate":"tool_call_update",${tool},"status":"completed"`);
      yield update(`"sessionUpdate":"usage_update","used":${turn},"size":200000`);
    }
    yield ['agent', rpc(`"id":${turn},"result":{"stopReason":"end_turn"}`)];
  }
}

/** A trace file, a frame at a time: `frame(from, line)` gives its number. */
export function traceFile(path) {
  const file = createWriteStream(path);
  let text =
    '{"format":"acptrace","version":1,"created":"2026-01-01T00:00:00.000Z","tool":"bench","clock":"monotonic"}\n';
  let seq = 0;
  const flush = async () => {
    if (!file.write(text)) await new Promise((resolve) => file.once('drain', resolve));
    text = '';
  };
  return {
    async frame(from, line) {
      const at = ++seq / 5;
      text += `${JSON.stringify({ type: 'frame', seq, at, from, line: { text: line }, origin: 'peer' })}\n`;
      if (text.length > 200_000) await flush();
      return seq;
    },
    async end() {
      await flush();
      await new Promise((resolve) => file.end(resolve));
    },
  };
}

/** A trace file of so many frames. `lineOf`: what stands in the place of a frame's line. */
export async function writeTrace(path, frames, lineOf = (line) => line) {
  const file = traceFile(path);
  let seq = 0;
  for (const [from, said] of traffic())
    if ((seq = await file.frame(from, lineOf(said, seq + 1))) === frames) break;
  await file.end();
}
