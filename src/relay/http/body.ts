// Small JSON bodies of requests.
import type { IncomingMessage } from 'node:http';

const MOST_BYTES = 64 * 1024;

export type Body =
  | { readonly ok: true; readonly value: object }
  | {
      readonly ok: false;
      readonly status: number;
      readonly error: string;
      readonly message: string;
    };

export async function readJson(request: IncomingMessage): Promise<Body> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MOST_BYTES)
      return { ok: false, status: 413, error: 'too_large', message: 'The body is over 64 kB.' };
    chunks.push(chunk);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (typeof value === 'object' && value !== null) return { ok: true, value };
  } catch {
    // Falls through to the same answer.
  }
  return { ok: false, status: 400, error: 'bad_request', message: 'The body is no JSON object.' };
}
