// Exact lines of JSON-RPC that we write ourselves, without their 0x0A. An answer repeats the request's id token
// as it stood in the line, since `1` and `1.0` are not the same to every peer.
import type { Json, RequestId } from './message.ts';

type IdToken = Pick<RequestId, 'token'>;

export function requestLine(id: number | string, method: string, params: Json): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

export function notificationLine(method: string, params: Json): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

export function updateLine(sessionId: string, update: Json): string {
  return notificationLine('session/update', { sessionId, update });
}

/** `result`: what is JSON, as our own interfaces have it too. */
export function resultLine(id: IdToken, result: unknown): string {
  return answerLine(id, 'result', result);
}

export function errorLine(id: IdToken, error: Json): string {
  return answerLine(id, 'error', error);
}

function answerLine({ token }: IdToken, key: 'result' | 'error', value: unknown): string {
  return `{"jsonrpc":"2.0","id":${token},"${key}":${JSON.stringify(value)}}`;
}
