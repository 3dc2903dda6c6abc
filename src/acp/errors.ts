// Error codes of JSON-RPC and ACP.

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
