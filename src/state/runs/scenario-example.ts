// The scenario that stands in the editor at first.
export const EXAMPLE = `{
  "name": "a quick prompt",
  "steps": [
    { "request": "session/new", "params": { "cwd": "$cwd", "mcpServers": [] } },
    {
      "request": "session/prompt",
      "params": { "sessionId": "$sessionId", "prompt": [{ "type": "text", "text": "quick" }] }
    }
  ],
  "assert": [
    "exists(update:agent_message_chunk)",
    "none(type:err)"
  ]
}
`;
