// Exact lines of JSON-RPC. An answer repeats the request's id token as it stood in the line, since
// `1` and `1.0` are not the same to every peer.
import type { Json, JsonObject, RequestId } from '../acp/message.ts';

export function requestLine(id: number, method: string, params: Json): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

export function notificationLine(method: string, params: Json): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

export function resultLine(id: RequestId, result: Readonly<Record<string, unknown>>): string {
  return `{"jsonrpc":"2.0","id":${id.token},"result":${JSON.stringify(result)}}`;
}

export function errorLine(id: RequestId, code: number, message: string): string {
  return `{"jsonrpc":"2.0","id":${id.token},"error":${JSON.stringify({ code, message })}}`;
}

export const PERMISSION_CANCELLED: JsonObject = { outcome: { outcome: 'cancelled' } };

export function permissionSelected(optionId: string): JsonObject {
  return { outcome: { outcome: 'selected', optionId } };
}
