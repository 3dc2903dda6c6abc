// An agent (v1) that asks for ten thousand permissions at the first prompt, and for one more at each further
// one; at each it says how many were answered until then.
import { createInterface } from 'node:readline';

const QUESTIONS = 10_000;
const options = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
  // Says the opposite of what it does.
  { optionId: 'ever', name: 'Reject', kind: 'allow_always' },
];
let answered = 0;
let asked = 0;
let prompts = 0;
const say = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const RESULTS = {
  initialize: { protocolVersion: 1, agentCapabilities: {}, authMethods: [] },
  'session/new': { sessionId: 's' },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === undefined) return void answered++;
  if (method !== 'session/prompt') return say({ id, result: RESULTS[method] ?? {} });
  for (const due = QUESTIONS + prompts++; asked < due; asked++)
    say({
      id: `q${asked}`,
      method: 'session/request_permission',
      params: {
        sessionId: 's',
        toolCall: { toolCallId: `t${asked}`, title: `Call ${asked}` },
        options,
      },
    });
  const text = `prompt ${prompts}: ${answered} answered`;
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
  say({ method: 'session/update', params: { sessionId: 's', update } });
  say({ id, result: { stopReason: 'end_turn' } });
});
