import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { answerNoRequest } from './server.ts';

const failure = (code: string) => Object.assign(new Error(code), { code });

test('what does not parse is told so, and the socket is closed', async () => {
  for (const [code, status] of [
    ['HPE_INVALID_METHOD', 400],
    ['HPE_HEADER_OVERFLOW', 431],
  ] as const) {
    const socket = new PassThrough();
    answerNoRequest(failure(code), socket);
    const answer = await text(socket);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toContain('Connection: close');
  }
});

test('a socket on which nothing came is closed without a word, for a browser may still use it', () => {
  const socket = new PassThrough();
  answerNoRequest(failure('ERR_HTTP_REQUEST_TIMEOUT'), socket);
  expect(socket.destroyed).toBe(true);
  expect(socket.readableLength).toBe(0);
});
