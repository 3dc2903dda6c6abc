// Ready-to-edit messages for the composer: one for every method a side may send in a version, and
// more where a method is used in several ways (the shapes of a restore, say).
import {
  AGENT_BODIES,
  CLIENT_BODIES,
  OPEN_REQUEST,
  type TemplateBody,
  type Fill,
} from './template-params.ts';
import { methodsOf, supportOf, type Role, type Version } from './methods.ts';

export interface Template {
  /** `session/resume · from start`: the method, and what is peculiar where there are several. */
  readonly label: string;
  readonly method: string;
  readonly kind: 'request' | 'notification';
  /** One compact line; lib/json-text.ts prints it wide. */
  readonly text: string;
  /** Only the unstable schema has the method. */
  readonly unstable?: true;
  /** Breaks the protocol on purpose, to see what the other side makes of it. */
  readonly broken?: true;
}

/** What is known where the message is written; what is not gets a name in capitals. */
interface TemplateContext {
  /** The next id as a JSON token. */
  readonly id?: string;
  /** The id of a request still open, as a JSON token: what `$/cancel_request` names. */
  readonly openId?: string;
  readonly cwd?: string;
  readonly sessionId?: string;
  /** A child session whose work may be cancelled; nothing else is asked of one. */
  readonly childId?: string;
  readonly messageId?: string;
  readonly toolCallId?: string;
  readonly terminalId?: string;
  readonly modeId?: string;
  readonly configId?: string;
  readonly authMethodId?: string;
}

/** In the order of the method table: handshake, sessions, prompts, the rest. */
export function templates(
  version: Version,
  side: Role,
  context: TemplateContext = {},
): readonly Template[] {
  const fill: Fill = {
    version,
    cwd: context.cwd ?? '/path/to/project',
    sessionId: context.sessionId ?? 'SESSION_ID',
    messageId: context.messageId ?? 'MESSAGE_ID',
    toolCallId: context.toolCallId ?? 'TOOL_CALL_ID',
    terminalId: context.terminalId ?? 'TERMINAL_ID',
    modeId: context.modeId ?? 'MODE_ID',
    configId: context.configId ?? 'CONFIG_ID',
    authMethodId: context.authMethodId ?? 'METHOD_ID',
  };
  const bodies: Partial<Readonly<Record<string, readonly TemplateBody[]>>> =
    side === 'client' ? CLIENT_BODIES : AGENT_BODIES;
  const cancelled = { ...fill, sessionId: context.childId ?? fill.sessionId };
  return methodsOf(version, side).flatMap((method) => {
    const filled = method.name === 'session/cancel' ? cancelled : fill;
    const unstable = supportOf(method, version)?.stable ? {} : { unstable: true as const };
    return (bodies[`${method.kind} ${method.name}`] ?? [])
      .filter((body) => body.only === undefined || body.only === version)
      .map((body) => ({
        label: body.variant === undefined ? method.name : `${method.name} · ${body.variant}`,
        method: method.name,
        kind: method.kind,
        text: textOf(method.name, method.kind, body, filled, context),
        ...unstable,
        ...(body.broken ? { broken: true as const } : {}),
      }));
  });
}

/** Ids go in as tokens, untouched: they may say what no JavaScript number can. */
function textOf(
  method: string,
  kind: Template['kind'],
  body: TemplateBody,
  fill: Fill,
  { id = '1', openId = '1' }: TemplateContext,
): string {
  const head = kind === 'request' ? `"jsonrpc":"2.0","id":${id}` : '"jsonrpc":"2.0"';
  const params = JSON.stringify(body.params(fill)).replace(
    JSON.stringify(OPEN_REQUEST),
    () => openId,
  );
  return `{${head},"method":${JSON.stringify(method)},"params":${params}}`;
}
