// What a template is made of: the params of a method, made from what is known.
import type { JsonObject } from './message.ts';
import type { Call, Role, Version } from './methods.ts';

export interface Fill {
  readonly version: Version;
  readonly cwd: string;
  readonly sessionId: string;
  readonly messageId: string;
  readonly toolCallId: string;
  readonly terminalId: string;
  readonly modeId: string;
  readonly configId: string;
  readonly authMethodId: string;
}

export interface Body {
  /** Told apart from the other bodies of its method. */
  readonly variant?: string;
  /** Left out in the other version. */
  readonly only?: Version;
  /** Breaks the protocol on purpose. */
  readonly broken?: true;
  params(fill: Fill): JsonObject;
}

/** For everything a side may send. */
export type Bodies<From extends Role> = Readonly<Record<Call<From>, readonly Body[]>>;

/** Stands for the id token of an open request until the text is made. */
export const OPEN_REQUEST = '\u0000open request';

export function body(params: (fill: Fill) => JsonObject): readonly Body[] {
  return [{ params }];
}

export const EMPTY = body(() => ({}));
export const OF_SESSION = body(({ sessionId }) => ({ sessionId }));

/** Bodies of methods that both sides may send. */
export const COMMON_BODIES: Pick<Bodies<'client'>, Call<'client'> & Call<'agent'>> = {
  'notification $/cancel_request': body(() => ({ requestId: OPEN_REQUEST })),
  'request proxy/initialize': body(initialize),
  'request proxy/successor': body(() => ({ method: 'session/list', params: {} })),
  'notification proxy/successor': body(({ sessionId }) => ({
    method: 'session/cancel',
    params: { sessionId },
  })),
};

export function initialize({ version }: Fill): JsonObject {
  const us = { name: 'acp-scope', version: '1' };
  return version === 1
    ? { protocolVersion: 1, clientCapabilities: {}, clientInfo: us }
    : { protocolVersion: 2, info: us, capabilities: {} };
}
