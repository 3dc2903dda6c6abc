// A small trace as the text of a file: a handshake and a session.
import { eventLine, FORMAT, headerLine } from '../../trace/format.ts';
import { draw } from './draw.ts';

const HEADER = {
  format: FORMAT,
  version: 1,
  created: '2026-11-21T10:41:00.000Z',
  tool: 't',
} as const;

export const SMALL_TRACE = [
  headerLine({ ...HEADER, clock: 'monotonic' }),
  ...draw(`
    client →0 initialize {"protocolVersion":1}
    agent ←0 result {"protocolVersion":1}
    client →1 session/new {"cwd":"/w","mcpServers":[]}
    agent ←1 result {"sessionId":"s1"}
  `).map(eventLine),
  '',
].join('\n');
