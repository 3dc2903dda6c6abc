// An agent made from a drawn recording, and what it says to drawn lines of a client.
import { parseJson, str } from '../../acp/json.ts';
import { ReplayAgent, type ReplayAgentOptions } from '../../drive/replay/agent.ts';
import { readRecorded } from '../../drive/replay/recorded.ts';
import type { Frame, TraceEvent } from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';
import { draw } from '../traces/draw.ts';

export const HELLO = `
  client →0 initialize {"protocolVersion":1,"clientInfo":{"name":"a"}}
  agent  ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true,"sessionCapabilities":{"list":{},"resume":{},"close":{}}}}
  client →1 session/new {"cwd":"/home/mika/p","mcpServers":[]}
  agent  ←1 result {"sessionId":"s1","modes":{"currentModeId":"ask","availableModes":[]}}
  client →2 session/prompt s1 "Read /home/mika/p/a.txt"
  agent  update s1 tool_call {"toolCallId":"t1","title":"Read","locations":[{"path":"/home/mika/p/a.txt"}]}
  agent  →0 session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"t1"},"options":[{"optionId":"y","kind":"allow_once"},{"optionId":"n","kind":"reject_once"}]}
  agent  update s1 agent_message_chunk "Waiting."
  client ←0 result {"outcome":{"outcome":"selected","optionId":"y"}}
  agent  update s1 agent_message_chunk "It says: a."
  agent  ←2 result {"stopReason":"end_turn"}
  client →3 session/prompt s1 "Slowly"
  agent  update s1 agent_message_chunk "One"
  client session/cancel s1
  agent  ←3 result {"stopReason":"cancelled"}
  client →4 session/list {}
  agent  ←4 result {"sessions":[{"sessionId":"s1","cwd":"/home/mika/p"}]}`;

/** An agent made from a drawing; `hears` what it says to a line, as compact words. */
export function agentOf(
  picture: string | readonly TraceEvent[],
  options: Partial<ReplayAgentOptions> = {},
) {
  const said: string[] = [];
  const agent = new ReplayAgent({
    recorded: readRecorded(typeof picture === 'string' ? draw(picture) : picture),
    strictness: 'plain',
    speed: 'max',
    timers: { now: () => 0, later: () => () => undefined },
    say: (line) => said.push(lineText(line)),
    note: () => undefined,
    ...options,
  });
  agent.begin();
  const hears = (...lines: readonly string[]) => {
    said.length = 0;
    for (const frame of draw(lines.join('\n')) as Frame[]) agent.take(lineText(frame.line));
    return [...said];
  };
  return { agent, hears, said };
}

/** What a line is: `←2`, `session/update`. */
export function kinds(lines: readonly string[]): string[] {
  return lines.map((line) => {
    const value = parseJson(line);
    const id = JSON.stringify((value as { readonly id?: unknown }).id);
    return str(value, 'method') ?? `←${id}`;
  });
}
