// Answers on a bare socket, where there is no response object: a refused upgrade, and what is no
// request at all.
import type { Duplex } from 'node:stream';
import { SECURITY_HEADERS } from './headers.ts';

export function jsonHeaders(text: string): Record<string, string> {
  return {
    ...SECURITY_HEADERS,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(text)),
    'Cache-Control': 'no-store',
  };
}

export function rawResponse(
  status: number,
  body: { readonly error: string; readonly message?: string },
  more: Readonly<Record<string, string>> = {},
): string {
  const text = JSON.stringify({ message: 'The request is malformed.', ...body });
  const headers = { ...jsonHeaders(text), Connection: 'close', ...more };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} Refused`, ...lines, '', text].join('\r\n');
}

/** What came does not parse, or nothing came in time. */
export function answerNoRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  // A browser opens sockets ahead of need, and takes what lies in one for the answer to the
  // request it sends there later. Closed without a word, it opens another.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' || !socket.writable) socket.destroy();
  else {
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
    socket.end(rawResponse(status, { error: 'bad_request' }));
  }
}
