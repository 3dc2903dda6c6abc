// What the protocol makes due for a restore line, in sentences with their source. Read from the
// line itself, so a line typed by hand is judged like one of the prepared shapes. Nothing here
// changes or forbids a line. Facts: ACP schemas 2.4.0, v1 and v2.
import { gateOf, shutGate } from '../../acp/gate.ts';
import { jsonFault } from '../../acp/json-fault.ts';
import { isObject, obj, str } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import type { Version } from '../../acp/methods.ts';
import type { Handshake, SessionFacts } from '../facts/facts-view.ts';
import { setupDue } from './restore-due-setup.ts';
import { requestFaults } from './restore-faults.ts';
import { breaks, holds, open, requestOf, type Due } from './restore-due-words.ts';

export interface DueContext {
  readonly handshake: Handshake | undefined;
  readonly sessions: readonly SessionFacts[];
}

const ADVERTISED = 'Legal. The agent advertises';

export function dueFor(line: string, context: DueContext): readonly Due[] {
  const fault = jsonFault(line);
  if (fault)
    return [
      breaks(
        `This is not JSON: ${fault.what}, at column ${fault.at + 1}.`,
        'JSON-RPC',
        'The agent should answer −32700 with id null.',
      ),
    ];
  const message = JSON.parse(line) as Json;
  const method = str(message, 'method');
  if (method !== 'session/load' && method !== 'session/resume') {
    const what =
      method === undefined ? 'This line names no method' : `This line asks for ${method}`;
    return [open(`${what}: it is no restore.`, 'JSON-RPC')];
  }
  const { handshake, sessions } = context;
  if (handshake?.version === undefined) {
    return [breaks('No initialize was answered yet: −32600 is due.', 'InitializeRequest')];
  }
  const params = obj(message, 'params') ?? {};
  if (params['sessionId'] === '')
    return [open('sessionId is empty: choose a session, or type an id.', requestOf(method))];
  const rules =
    handshake.version >= 2 ? v2(method, params, handshake) : v1(method, params, handshake);
  const isBroken = requestFaults(method, params).length > 0;
  return [
    ...(isBroken ? rules.filter(isOfRequest).map(notLegal) : rules),
    ...setupDue(method, params, handshake, sessions),
  ];
}

/** Of a request that must be refused, what comes when it is answered is not due. */
function isOfRequest({ tone, text }: Due): boolean {
  return tone !== 'holds' || text.startsWith(ADVERTISED);
}

/** The cursor may be legal: the line is not. */
function notLegal(due: Due): Due {
  return { ...due, text: due.text.replace(/^Legal\. /, '') };
}

function v1(method: string, params: JsonObject, handshake: Handshake): readonly Due[] {
  const due: Due[] = [];
  if (method === 'session/load') {
    due.push(advertised(method, 1, handshake, 'AgentCapabilities'));
    if (!Array.isArray(params['mcpServers']))
      due.push(
        breaks('session/load needs mcpServers, an array: −32602 is due.', 'LoadSessionRequest'),
      );
    due.push(
      holds(
        'All history comes before the answer.',
        'LoadSessionRequest',
        'As session/update; v1 makes no messageId due.',
      ),
      holds(
        'Then an object, with modes and config options if there are any.',
        'LoadSessionResponse',
      ),
    );
  } else {
    due.push(
      advertised(method, 1, handshake, 'SessionCapabilities'),
      holds('No history may come before the answer.', 'ResumeSessionRequest'),
    );
  }
  if (Object.hasOwn(params, 'replayFrom'))
    due.push(breaks('v1 has no replayFrom. An agent should ignore it.', 'ResumeSessionRequest'));
  return due;
}

/** By the gate of the method table: what the agent must have advertised. */
function advertised(method: string, version: Version, handshake: Handshake, source: string): Due {
  const shut = shutGate(method, 'client', version, handshake);
  if (shut)
    return breaks(
      `The agent does not advertise ${shut.words}. You can still send it: −32601 is due.`,
      source,
    );
  return holds(`${ADVERTISED} ${gateOf(method, 'client', version)?.words}.`, source);
}

function v2(method: string, params: JsonObject, handshake: Handshake): readonly Due[] {
  if (method === 'session/load')
    return [
      breaks(
        'v2 has no session/load: −32601 is due.',
        'LoadSessionRequest',
        'session/resume with replayFrom start is its heir.',
      ),
    ];
  const gate = advertised(method, 2, handshake, 'AgentCapabilities');
  return [
    // An open gate is not news: whether the cursor is legal is.
    ...(gate.tone === 'breaks' ? [gate] : []),
    ...cursor(params),
    ...(isCursor(params['replayFrom']) ? [STATE_UPDATE] : []),
  ];
}

const STATE_UPDATE = holds(
  'A state_update comes after the replay and before the answer.',
  'ResumeSessionResponse',
  'No history may follow it.',
);

/** What is none must be rejected, and then nothing comes before the answer. */
function isCursor(value: Json | undefined): boolean {
  return value === undefined || value === null || str(value, 'type') !== undefined;
}

function cursor(params: JsonObject): readonly Due[] {
  const value = params['replayFrom'];
  if (value === undefined || value === null) {
    const same = value === null ? 'null says the same as leaving it out.' : undefined;
    return [holds('Legal. No history may come.', 'ResumeSessionRequest', same)];
  }
  const type = str(value, 'type');
  if (type === undefined) {
    return [
      breaks('Not a cursor: an object with a type that is a string is due.', 'ReplayFrom'),
      holds(
        'The answer must be −32602.',
        'ResumeSessionRequest',
        'Not another cursor, not a silent resume.',
      ),
    ];
  }
  if (type === 'start') {
    return [
      holds(
        'Legal. All retained history comes before the answer.',
        'ReplayFrom',
        'An agent need not have kept everything.',
      ),
      holds(
        'A kept prompt has the messageId its answer gave.',
        'PromptResponse',
        'Also after a restart.',
      ),
    ];
  }
  if (!type.startsWith('_')) {
    return [
      breaks(
        `${type} is no cursor type of ACP 2.4.0.`,
        'ReplayFrom',
        'Names without _ are kept for the protocol.',
      ),
      holds(
        'If the agent does not know it, it must answer −32602.',
        'ResumeSessionRequest',
        'Replaying from start is an error.',
      ),
    ];
  }
  return [
    holds('Legal. A custom cursor type begins with _.', 'ReplayFrom'),
    open(
      `The agent does not say whether it knows ${type}.`,
      'AgentCapabilities',
      'No capability exists for cursor types.',
    ),
    holds(
      'If it does not know the type, it must answer −32602.',
      'ResumeSessionRequest',
      'Replaying from start is an error.',
    ),
    holds(
      `If it does, ${named(value) ?? 'what it names'} comes first.`,
      'ReplayFrom',
      'Cursors are inclusive: the named thing is replayed too.',
    ),
  ];
}

/** The value a cursor names: its one field beside the type. */
function named(cursor: Json): string | undefined {
  const fields = isObject(cursor) ? Object.entries(cursor).filter(([key]) => key !== 'type') : [];
  const [field] = fields;
  if (!field || fields.length > 1) return undefined;
  return typeof field[1] === 'string' ? field[1] || undefined : JSON.stringify(field[1]);
}
