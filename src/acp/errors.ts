// Error codes of JSON-RPC and ACP, and their words.

export const CODE = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  requestCancelled: -32800,
  authRequired: -32000,
  notFound: -32002,
  unsupportedVersion: -32022,
} as const;

const WORDS: Readonly<Record<number, string>> = {
  [CODE.parseError]: 'parse error',
  [CODE.invalidRequest]: 'invalid request',
  [CODE.methodNotFound]: 'method not found',
  [CODE.invalidParams]: 'invalid params',
  [CODE.internalError]: 'internal error',
  [CODE.requestCancelled]: 'request cancelled',
  [CODE.authRequired]: 'authentication required',
  [CODE.notFound]: 'resource not found',
  [CODE.unsupportedVersion]: 'unsupported protocol version',
  [-33000]: 'MCP over ACP: a limit was reached',
  [-33001]: 'MCP over ACP: server unavailable',
  [-33002]: 'MCP over ACP: backend failed',
};

/** What a code means; for one nobody has defined, whether it lies in a reserved range. */
export function codeWords(code: number): string {
  const words = WORDS[code];
  if (words !== undefined) return words;
  const reserved = (code >= -32768 && code <= -32000) || (code >= -32899 && code <= -32800);
  return reserved ? 'not defined, in a reserved range' : "the agent's or client's own";
}
