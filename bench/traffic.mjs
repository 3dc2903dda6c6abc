// What a coding agent sends all day, for every benchmark alike: turns of a prompt, chunks of
// messages, tools and usage; now and then a load.

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
