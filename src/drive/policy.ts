// What is done with a request of the agent, by the settings a person chose and by what we said in
// `initialize`. Pure: the same request and settings always meet the same fate.
import type { ClientOffer } from '../acp/capabilities.ts';
import { CODE, type JsonObject, type Request } from '../acp/message.ts';
import { capabilityAt, isYes, shutGate } from '../acp/gate.ts';
import { objects, str } from '../acp/json.ts';
import { methodsNamed, supportOf, type Version } from '../acp/methods.ts';
import type { ClientSettings, ElicitationPolicy } from './settings.ts';

const PERMISSION_CANCELLED: JsonObject = { outcome: { outcome: 'cancelled' } };

export function permissionSelected(optionId: string): JsonObject {
  return { outcome: { outcome: 'selected', optionId } };
}

type PolicyVerdict =
  /** `note`: why it is not what a person might expect. */
  | {
      readonly kind: 'result';
      readonly result: JsonObject;
      readonly note?: string;
      /** Milliseconds to wait before it is sent. */
      readonly after?: number;
    }
  | { readonly kind: 'error'; readonly code: number; readonly message: string }
  /** Do on this machine what it asks, and answer with what came of it. */
  | { readonly kind: 'host' }
  | { readonly kind: 'person' }
  /** Stays open on purpose. */
  | { readonly kind: 'never' };

/** What the connection has settled so far. */
export interface Settled {
  readonly version: Version;
  /** As we sent them: v1 `clientCapabilities`, v2 `capabilities`. */
  readonly clientCapabilities: JsonObject;
}

export function verdictOn(
  request: Request,
  settings: ClientSettings,
  settled: Settled,
): PolicyVerdict {
  switch (request.method) {
    case 'session/request_permission':
      return delayed(permission(request, settings), settings.permissionDelay);
    case 'elicitation/create':
      return elicitation(request, settings.elicitation, settled);
    default:
      if (settings.others === 'ask') return { kind: 'person' };
      return hostCall(request.method, settings, settled);
  }
}

/** The result that says cancelled, for methods that have one; for all others an error does. */
export function cancelResult(method: string): JsonObject | undefined {
  if (method === 'session/request_permission') return PERMISSION_CANCELLED;
  if (method === 'elicitation/create') return { action: 'cancel' };
  return undefined;
}

function delayed(verdict: PolicyVerdict, ms = 0): PolicyVerdict {
  return verdict.kind === 'result' && ms > 0 ? { ...verdict, after: ms } : verdict;
}

function permission({ params }: Request, { permission }: ClientSettings): PolicyVerdict {
  switch (permission) {
    case 'ask':
      return { kind: 'person' };
    case 'never':
      return { kind: 'never' };
    case 'cancel':
      return { kind: 'result', result: PERMISSION_CANCELLED };
    case 'allow-once':
      return pick(params, 'allow_once');
    case 'allow-always':
      return pick(params, 'allow_always');
    case 'reject':
      return pick(params, 'reject_once');
  }
}

/** Only this kind: allow once never chooses what holds for always. */
function pick(params: Request['params'], kind: string): PolicyVerdict {
  const option = objects(params, 'options').find((option) => str(option, 'kind') === kind);
  const optionId = str(option, 'optionId');
  if (optionId !== undefined) return { kind: 'result', result: permissionSelected(optionId) };
  const note = `The agent offered no option of kind ${kind}, so its permission request was answered cancelled.`;
  return { kind: 'result', result: PERMISSION_CANCELLED, note };
}

function elicitation(
  { params }: Request,
  policy: ElicitationPolicy,
  settled: Settled,
): PolicyVerdict {
  const mode = str(params, 'mode');
  const known = mode === 'form' || mode === 'url';
  if (!known || !isYes(capabilityAt(settled.clientCapabilities, `elicitation.${mode}`))) {
    const message = `Invalid params: elicitation mode ${JSON.stringify(mode ?? null)} was not advertised`;
    return { kind: 'error', code: CODE.invalidParams, message };
  }
  switch (policy) {
    case 'ask':
      return { kind: 'person' };
    case 'never':
      return { kind: 'never' };
    case 'decline':
    case 'cancel':
      return { kind: 'result', result: { action: policy } };
  }
}

function hostCall(method: string, settings: ClientSettings, settled: Settled): PolicyVerdict {
  const { version, clientCapabilities } = settled;
  const offer = switchOf(method);
  const known = methodsNamed(method).some((row) => row.from === 'agent' && supportOf(row, version));
  if (!offer || !known) return notFound(method, 'not known');
  const offered = { clientCapabilities, agentCapabilities: {}, authMethods: [] };
  if (shutGate(method, 'agent', version, offered)) return notFound(method, 'not advertised');
  if (!settings.advertise[offer]) return notFound(method, 'switched off');
  if (method === 'terminal/create' && settings.terminalCommands === 'ask')
    return { kind: 'person' };
  return { kind: 'host' };
}

function notFound(method: string, why: string): PolicyVerdict {
  const message = `Method not found: ${method} (${why})`;
  return { kind: 'error', code: CODE.methodNotFound, message };
}

function switchOf(method: string): keyof ClientOffer | undefined {
  if (method === 'fs/read_text_file') return 'readFiles';
  if (method === 'fs/write_text_file') return 'writeFiles';
  return method.startsWith('terminal/') ? 'terminals' : undefined;
}
