// The handshake of a connection: what both sides said of themselves in `initialize`, in v1's words
// or v2's. The version spoken is the one the agent answered.
import { clientOffer } from '../../acp/capabilities.ts';
import { arr, get, isObject, num, obj, objects, str } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { defined } from '../../lib/defined.ts';
import { seq } from '../../trace/event.ts';
import type { AuthMethod, Handshake } from './facts-view.ts';

const NOTHING: JsonObject = {};

export function askedHandshake(params: Json | undefined, request: number): Handshake {
  return defined({
    request: seq(request),
    asked: num(params, 'protocolVersion'),
    client: partyOf(params, 'clientInfo'),
    clientCapabilities:
      clientOffer(params, num(params, 'protocolVersion') === 1 ? 1 : 2) ?? NOTHING,
    agentCapabilities: NOTHING,
    authMethods: [],
  });
}

/** The client's words for the version that was not chosen count for nothing. */
export function answeredHandshake(
  asked: Handshake,
  params: Json | undefined,
  result: Json,
  answer: number,
): Handshake {
  const version = num(result, 'protocolVersion');
  return defined({
    ...asked,
    answer: seq(answer),
    version,
    clientCapabilities: clientOffer(params, version === 1 ? 1 : 2) ?? NOTHING,
    agent: partyOf(result, 'agentInfo'),
    agentCapabilities: obj(result, 'agentCapabilities') ?? obj(result, 'capabilities') ?? NOTHING,
    authMethods: objects(result, 'authMethods').flatMap(authMethodOf),
  });
}

/** v1 gives each side's name its own key, v2 calls both `info`. */
function partyOf(value: Json | undefined, v1: string): Handshake['agent'] {
  const info = obj(value, v1) ?? obj(value, 'info');
  const name = str(info, 'name');
  if (name === undefined) return undefined;
  return defined({ name, version: str(info, 'version'), title: str(info, 'title') });
}

/** v1: `id`, type only where it is a terminal, env a map. v2: `methodId`, type always, env a list. */
function authMethodOf(method: JsonObject): AuthMethod[] {
  const id = str(method, 'methodId') ?? str(method, 'id');
  if (id === undefined) return [];
  const type = str(method, 'type') ?? 'agent';
  const known: AuthMethod['type'] = type === 'agent' || type === 'terminal' ? type : 'other';
  const env = get(method, 'env');
  const pairs = isObject(env)
    ? Object.entries(env)
    : objects(method, 'env').map((item): [string, Json] => [
        str(item, 'name') ?? '',
        get(item, 'value') ?? '',
      ]);
  return [
    defined({
      id,
      type: known,
      name: str(method, 'name') ?? id,
      description: str(method, 'description'),
      args: arr(method, 'args').filter((arg) => typeof arg === 'string'),
      env: Object.fromEntries(
        pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
      ),
    }),
  ];
}

/** How many things a side says it can do: the markers at the leaves. `_meta` is none. */
export function countCapabilities(capabilities: JsonObject, depth = 6): number {
  return Object.entries(capabilities)
    .filter(([key]) => key !== '_meta')
    .reduce((sum, [, marker]) => sum + countMarkers(marker, depth - 1), 0);
}

function countMarkers(marker: Json, depth: number): number {
  if (marker === true) return 1;
  if (!isObject(marker) || depth === 0) return 0;
  return Math.max(1, countCapabilities(marker, depth));
}
