// What may stand in prompts and in what sets a session up, by what the agent advertised. Family `cap`
// of the catalogue.
import { CODE, type Json } from '../../acp/message.ts';
import { arr, get, isArray, isObject, obj, str } from '../../acp/json.ts';
import { OPENERS, type Version } from '../../acp/methods.ts';
import { CONTENT_CAPABILITIES, missingForContent } from '../../acp/prompt-content.ts';
import type { Connection } from '../connection.ts';
import { onAnswer, onRequest } from '../listen.ts';
import { agentHas, mcpPath, sessionPath, isOffered } from './handshake.ts';
import { rulesOf, fail, judged, type RuleFault, quote, answerSeen } from '../rule.ts';

/** Faults of one frame that are told one by one. */
const MOST = 20;

const TRANSPORTS: Readonly<Record<Version, ReadonlySet<string>>> = {
  1: new Set(['http', 'sse', 'acp']),
  2: new Set(['stdio', 'http', 'acp']),
};

/** Returns MCP servers over a transport that the agent does not advertise; undefined if no server needs such a transport. */
export function unreachableServers(
  params: Json | undefined,
  connection: Connection,
): readonly RuleFault[] | undefined {
  const { version } = connection;
  if (version === undefined) return undefined;
  let faults: RuleFault[] | undefined;
  for (const [i, server] of arr(params, 'mcpServers').entries()) {
    const type = str(server, 'type');
    if (type === undefined || !TRANSPORTS[version].has(type)) continue;
    faults ??= [];
    const path = mcpPath(version, type);
    if (agentHas(connection, path) || faults.length >= MOST) continue;
    faults.push(
      fail(
        `a server over ${quote(type)}, and the agent does not advertise \`${path}\``,
        `/params/mcpServers/${i}`,
      ),
    );
  }
  return faults;
}

export const CAP_PARAMS = rulesOf({ side: 'client', needs: 'capabilities' })({
  'cap/prompt-content': {
    severity: 'error',
    clause:
      'images, audio and embedded resources stand in a prompt only where the agent takes them',
    on: onRequest(['session/prompt'], ({ params, from }, connection) => {
      if (from !== 'client') return undefined;
      const faults: RuleFault[] = [];
      let isGated = false;
      for (const [i, block] of arr(params, 'prompt').entries()) {
        const type = str(block, 'type');
        if (!CONTENT_CAPABILITIES.has(type)) continue;
        isGated = true;
        const path = missingForContent(
          type,
          connection.version,
          connection.agentCapabilities ?? {},
        );
        if (path === undefined || faults.length >= MOST) continue;
        faults.push(
          fail(
            `a block of type ${quote(type)}, and the agent does not advertise \`${path}\``,
            `/params/prompt/${i}`,
          ),
        );
      }
      return isGated ? judged(faults) : undefined;
    }),
  },
  'cap/additional-dirs': {
    severity: 'error',
    clause: '`additionalDirectories` holds some only where the agent advertises them',
    on: onRequest(OPENERS, ({ params, from }, connection) => {
      if (from !== 'client' || arr(params, 'additionalDirectories').length === 0) return undefined;
      const path = sessionPath(connection.version, 'additionalDirectories');
      return isOffered(connection, path, '/params/additionalDirectories');
    }),
  },
  'cap/mcp-transport': {
    severity: 'error',
    clause:
      'MCP servers use the transports that the agent advertises; in v2 others are refused with −32602',
    on: [
      onRequest(OPENERS, ({ params, from }, connection) => {
        const faults = from === 'client' ? unreachableServers(params, connection) : undefined;
        return faults && judged(faults);
      }),
      onAnswer(OPENERS, ({ params, asked, error, method }, connection) => {
        if (connection.version !== 2 || asked.from !== 'client') return undefined;
        const [one] = unreachableServers(params, connection) ?? [];
        if (one === undefined || error?.code === CODE.invalidParams) return undefined;
        const [what] = answerSeen(error);
        // It may know the transport and only not say so.
        return fail(`${what} for \`${method}\` with ${one.seen}`, {
          due: 'the code -32602',
          sentence: 'refusal',
          side: 'agent',
          severity: 'warning',
        });
      }),
    ],
  },
  'cap/system-prompt': {
    severity: 'error',
    clause:
      'a `systemPrompt` is sent only where it is advertised, in a mode that is, as text and not empty',
    on: onRequest(OPENERS, ({ params, from }, connection) => {
      const prompt = obj(params, 'systemPrompt');
      if (from !== 'client' || prompt === undefined) return undefined;
      const path = sessionPath(connection.version, 'systemPrompt');
      const pointer = '/params/systemPrompt';
      if (!agentHas(connection, path)) return isOffered(connection, path, pointer);
      const faults: RuleFault[] = [];
      if (str(prompt, 'mode') === 'override' && !agentHas(connection, `${path}.mode.override`))
        faults.push(
          fail(
            `\`mode\` is "override", and the agent does not advertise \`${path}.mode.override\``,
            `${pointer}/mode`,
          ),
        );
      const content = get(prompt, 'content');
      if (isArray(content)) {
        if (content.length === 0) faults.push(fail('`content` is empty', `${pointer}/content`));
        const odd = content.findIndex((block) => isObject(block) && str(block, 'type') !== 'text');
        if (odd >= 0)
          faults.push(
            fail(`a block of type ${quote(get(content[odd], 'type'))}`, {
              due: 'text',
              pointer: `${pointer}/content/${odd}`,
            }),
          );
      }
      return judged(faults);
    }),
  },
});
