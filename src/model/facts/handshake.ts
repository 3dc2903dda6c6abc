// The handshake of a connection: which `initialize` is in force, and which version came of it. A handshake that
// succeeded is in force until another one succeeds, or until the process that gave it has ended.
import { offersIn, nearestVersion, protocolVersionIn, authMethodId } from '../../acp/handshake.ts';
import { arr, get, isObject, obj, objects, str } from '../../acp/json.ts';
import type { Failure, Json, JsonObject, Request, Success } from '../../acp/message.ts';
import type { Version } from '../../acp/methods.ts';
import { defined } from '../../lib/defined.ts';
import type { Seq } from '../../trace/event.ts';
import { errorWords } from '../words.ts';
import type { AuthMethod, HandshakeView } from './facts-view.ts';

/** An `initialize` of the client, as its reader keeps it. */
interface Hello {
  readonly seq: Seq;
  readonly request: Request;
}

export interface Handshake<Asked extends Hello = Hello> {
  readonly asked: Asked;
  /** The answer; undefined until it comes. */
  readonly answer: Seq | undefined;
  /** What the agent answered; undefined for an error too. */
  readonly result: JsonObject | undefined;
  readonly error: Failure['error'] | undefined;
}

/** Its fields are kept with an index. */
export class HandshakeFold<Asked extends Hello = Hello> {
  /** The last that succeeded; until one does, the last that was sent. */
  current: Handshake<Asked> | undefined;
  /** The version that the agent chose last, whether or not ACP Scope knows it. */
  chosen: number | undefined;
  /** The process has ended: the next `initialize` is to another one. */
  isOver = false;

  /** The version spoken, or asked for while there is no answer. */
  get version(): number | undefined {
    return this.chosen ?? protocolVersionIn(this.current?.asked.request.params);
  }

  ask(asked: Asked): void {
    if (this.isOver) this.current = this.chosen = undefined;
    this.isOver = false;
    if (this.current?.result !== undefined) return;
    this.current = { asked, answer: undefined, result: undefined, error: undefined };
  }

  answer(asked: Asked, message: Success | Failure, answer: Seq): void {
    if (message.kind === 'success' && isObject(message.result)) {
      this.choose(message.result);
      this.current = { asked, answer, result: message.result, error: undefined };
    } else if (this.current?.result === undefined && this.current?.asked.seq === asked.seq) {
      const error = message.kind === 'failure' ? message.error : undefined;
      this.current = { asked, answer, result: undefined, error };
    }
  }

  /** The version of a result is in force from the result on, also for who judges the result itself. */
  choose(result: Json): void {
    this.chosen = protocolVersionIn(result) ?? this.chosen;
  }
}

/** The handshake in words that both versions share; the client's words for a version that was not chosen count for nothing. */
export function handshakeView({ asked, answer, result, error }: Handshake): HandshakeView {
  const { params } = asked.request;
  const [offer, version] = [protocolVersionIn(params), protocolVersionIn(result)];
  const spoken = nearestVersion(version ?? offer);
  const { authMethods, ...capabilities } = offersIn(params, result, spoken);
  return defined({
    request: asked.seq,
    answer,
    asked: offer,
    version,
    client: partyOf(params, 'clientInfo'),
    agent: partyOf(result, 'agentInfo'),
    ...capabilities,
    authMethods: authMethods.flatMap((method) => authMethodOf(method, spoken)),
    error: error && errorWords(error),
  });
}

/** v1 gives each side's name its own key, v2 calls both `info`. */
function partyOf(value: Json | undefined, v1: string): HandshakeView['agent'] {
  const info = obj(value, v1) ?? obj(value, 'info');
  const name = str(info, 'name');
  if (name === undefined) return undefined;
  return defined({ name, version: str(info, 'version'), title: str(info, 'title') });
}

/** v1: `id`, type only where it is a terminal, env a map. v2: `methodId`, type always, env a list. */
function authMethodOf(method: JsonObject, version: Version): AuthMethod[] {
  const id = authMethodId(method, version);
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
