// What there is to do for an agent, told from its answer to `initialize`.
import { capabilityAt, isYes } from '../../acp/gate.ts';
import { offersIn, protocolVersionIn } from '../../acp/handshake.ts';
import { get } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';

export type AdapterRole =
  /** v1: it can resume and not load. `session/load` is answered here. */
  | { readonly kind: 'load' }
  /** v2: whether it holds history shows with each restore from `start`. */
  | { readonly kind: 'replay' }
  /** Nothing to do, and why, as a sentence. */
  | { readonly kind: 'none'; readonly why: string };

export function roleFor(result: Json): AdapterRole {
  const version = protocolVersionIn(result);
  if (version === 1) {
    const capabilities = offersIn(undefined, result, 1).agentCapabilities;
    if (get(capabilities, 'loadSession') === true)
      return none('The agent can load sessions by itself, so it needs no adapter.');
    if (!isYes(capabilityAt(capabilities, 'sessionCapabilities.resume')))
      return none(
        'The agent does not advertise sessionCapabilities.resume, without which no session can be loaded.',
      );
    return { kind: 'load' };
  }
  if (version !== 2)
    return none(
      `The agent answers with protocol version ${version ?? '(none)'}, which this adapter does not know.`,
    );
  if (!isYes(capabilityAt(offersIn(undefined, result, 2).agentCapabilities, 'session')))
    return none('The agent does not advertise sessions.');
  return { kind: 'replay' };
}

function none(why: string): AdapterRole {
  return { kind: 'none', why };
}
