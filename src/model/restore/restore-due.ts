// What the protocol makes due for a restore line. Read from the line itself, so a line typed by hand is
// judged like one of the prepared shapes. Nothing here changes or forbids a line.
import { jsonFault } from '../../acp/json-fault.ts';
import { get, str } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import type { Handshake, SessionFacts } from '../facts/facts-view.ts';
import { dueOf, type Due } from './clauses.ts';
import { askedOf, requestOf } from './clauses/clause.ts';

export interface DueContext {
  readonly handshake: Handshake | undefined;
  readonly sessions: readonly SessionFacts[];
}

/** `clause`: of a line that is no restore, or of no session, there is none. */
export type LineDue = Omit<Due, 'clause'>;

export function dueFor(line: string, context: DueContext): readonly LineDue[] {
  const fault = jsonFault(line);
  if (fault)
    return [
      {
        tone: 'breaks',
        text: `This is not JSON: ${fault.what}, at column ${fault.at + 1}.`,
        more: 'The agent should answer −32700 with id null.',
        source: 'JSON-RPC',
      },
    ];
  const message = JSON.parse(line) as Json;
  const method = str(message, 'method');
  if (method !== 'session/load' && method !== 'session/resume') {
    const what =
      method === undefined ? 'This line names no method' : `This line asks for ${method}`;
    return [{ tone: 'open', text: `${what}: it is no restore.`, source: 'JSON-RPC' }];
  }
  const { handshake, sessions } = context;
  if (handshake?.version === undefined) {
    const text = 'No initialize was answered yet: −32600 is due.';
    return [{ tone: 'breaks', text, source: 'InitializeRequest' }];
  }
  const params = get(message, 'params');
  const sessionId = str(params, 'sessionId');
  if (sessionId === '') {
    const text = 'sessionId is empty: choose a session, or type an id.';
    return [{ tone: 'open', text, source: requestOf({ method }) }];
  }
  const asked = askedOf(method, handshake.version >= 2 ? 2 : 1, params, handshake);
  return dueOf(
    asked,
    sessions.find((session) => session.sessionId === sessionId),
  );
}
