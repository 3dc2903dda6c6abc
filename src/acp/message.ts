// What a frame says as JSON-RPC. Parsing never throws: what is no message is `invalid`, with why.

/** JSON as JSON.parse gives it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/**
 * A JSON-RPC id, compared by its JSON type and exact token: `1`, `"1"`, `1.0` and 2^53+1 all
 * differ. `token` is the id exactly as it stands in the line (`"abc"` with its quotes).
 */
export interface RequestId {
  readonly type: 'number' | 'string' | 'null';
  readonly token: string;
}

export interface Request {
  readonly kind: 'request';
  readonly id: RequestId;
  readonly method: string;
  readonly params?: Json;
}
export interface Notification {
  readonly kind: 'notification';
  readonly method: string;
  readonly params?: Json;
}
export interface Success {
  readonly kind: 'success';
  readonly id: RequestId;
  readonly result: Json;
}
export interface Failure {
  readonly kind: 'failure';
  readonly id: RequestId;
  readonly error: { readonly code: number; readonly message: string; readonly data?: Json };
}
export interface Invalid {
  readonly kind: 'invalid';
  /** `blank` and `batch` are told apart because people meet them often. */
  readonly reason: 'not-json' | 'not-utf8' | 'blank' | 'batch' | 'not-a-message';
  /** One clause for a person: "not JSON: unexpected token n at 0". */
  readonly why: string;
  /** Set where the line is JSON after all. */
  readonly value?: Json;
}
export type Message = Request | Notification | Success | Failure | Invalid;
