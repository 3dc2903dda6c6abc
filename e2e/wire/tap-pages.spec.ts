// A web page of another site beside a tap that listens: whatever the page can send, nothing of it reaches the
// agent, whose header the tap would add.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test as base } from '@playwright/test';
import { BIN, freshFolder, removeFolder } from '../relay.ts';

interface Tapped {
  /** The URL of the tap. */
  readonly at: string;
  /** What reached the agent, as `GET Bearer …`. */
  readonly reached: readonly string[];
  readonly recordings: () => readonly string[];
  /** What the tap has printed. */
  readonly printed: () => string;
}

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

/** An agent that lets everybody in, and a tap for it that knows the agent's password. */
const test = base.extend<{ readonly tapped: Tapped }>({
  tapped: async ({ browserName: _ }, use) => {
    const folder = freshFolder();
    const reached: string[] = [];
    const { server, port } = await serve((request, response) => {
      reached.push(`${request.method} ${request.headers.authorization}`);
      request.resume();
      response.writeHead(200, { 'Content-Type': 'text/html', 'Acp-Connection-Id': 'c1' });
      response.end('<title>agent</title>');
    });
    const out = join(folder, 'run.acptrace.jsonl');
    const words = [
      'tap',
      '--listen',
      '0',
      '--header',
      'Authorization: Bearer geheim',
      '--out',
      out,
    ];
    const child = spawn(process.execPath, [BIN, ...words, '--', `http://127.0.0.1:${port}/acp`], {
      cwd: folder,
      env: { ...process.env, ACP_SCOPE_STATE: join(folder, 'state') },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let printed = '';
    const at = await new Promise<string>((resolve, reject) => {
      child.stderr.on('data', (data: Buffer) => {
        printed += data;
        const [, place] = /stands at (http:\S+)/.exec(printed) ?? [];
        if (place !== undefined) resolve(place);
      });
      child.once('exit', () => reject(new Error(`It does not listen: ${printed}`)));
    });
    const recordings = () => readdirSync(folder).filter((name) => name.includes('acptrace'));
    await use({ at, reached, recordings, printed: () => printed });
    const ended = once(child, 'exit');
    child.kill();
    await ended;
    server.close();
    server.closeAllConnections();
    removeFolder(folder);
  },
});

/** All that a page can send to an address, in the page that this runs in; a line for each that was answered. */
async function attempts(at: string): Promise<readonly string[]> {
  const answered: string[] = [];
  const note = (name: string, promise: Promise<unknown>) =>
    promise.then(
      () => void answered.push(name),
      () => undefined,
    );
  const put = (element: HTMLElement) =>
    new Promise((resolve, reject) => {
      element.onload = resolve;
      element.onerror = reject;
      document.documentElement.append(element);
    });
  const make = <K extends keyof HTMLElementTagNameMap>(
    name: K,
    more: Partial<HTMLElementTagNameMap[K]>,
  ) => Object.assign(document.createElement(name), more);
  const worker = (code: string) =>
    new Promise((resolve, reject) => {
      const inner = new Worker(URL.createObjectURL(new Blob([code])));
      inner.onmessage = ({ data }) => (data === 'answered' ? resolve(data) : reject(new Error()));
      inner.onerror = reject;
    });
  const simple = { mode: 'no-cors' } as const;
  const stream = { headers: { Accept: 'text/event-stream' } };
  await Promise.all([
    note('picture', put(make('img', { src: at }))),
    note('script', put(make('script', { src: at }))),
    note('style', put(make('link', { rel: 'stylesheet', href: at }))),
    note('cors', fetch(at)),
    note('cors with a header of ACP', fetch(at, { headers: { 'Acp-Connection-Id': 'c1' } })),
    note(
      'cors post',
      fetch(at, { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } }),
    ),
    note(
      'socket',
      new Promise((resolve, reject) => {
        const socket = new WebSocket(at.replace('http', 'ws'));
        socket.onopen = resolve;
        socket.onerror = reject;
      }),
    ),
    note(
      'event source',
      new Promise((resolve, reject) => {
        const source = new EventSource(at);
        source.onopen = resolve;
        source.onerror = (event) => (source.close(), reject(event));
      }),
    ),
    note(
      'worker',
      worker(
        `fetch(${JSON.stringify(at)}).then(() => postMessage('answered'), () => postMessage('no'))`,
      ),
    ),
  ]);
  // A page does not learn whether these were rejected.
  await Promise.allSettled([
    fetch(at, simple),
    fetch(at, { ...simple, ...stream }),
    fetch(at, { ...simple, credentials: 'include' }),
    fetch(at, { ...simple, referrerPolicy: 'no-referrer' }),
    fetch(at, { ...simple, method: 'HEAD' }),
    fetch(at, { ...simple, method: 'POST', body: '{}' }),
    put(make('iframe', { src: at })),
    put(make('object', { data: at, type: 'text/html' })),
  ]);
  navigator.sendBeacon(at, '{}');
  return answered;
}

test('T-22: no page of another site or port reaches the agent through a tap that listens', async ({
  tapped,
  page,
}) => {
  const { at, reached, recordings, printed } = tapped;
  const { server, port } = await serve((_, response) => {
    response
      .writeHead(200, { 'Content-Type': 'text/html' })
      .end('<!doctype html><title>another</title>');
  });
  try {
    for (const origin of [`http://127.0.0.1:${port}/`, `http://localhost:${port}/`]) {
      await page.goto(origin);
      expect(await page.evaluate(attempts, at)).toEqual([]);
      // As a page is left for another: by a form, by a link, and by an address that is typed.
      for (const method of ['post', 'get']) {
        const answered = page.waitForResponse((response) => response.url().startsWith(at));
        await page.evaluate(
          ({ action, method }) => {
            const form = Object.assign(document.createElement('form'), { action, method });
            document.body.append(form);
            form.submit();
          },
          { action: at, method },
        );
        expect([method, (await answered).status()]).toEqual([method, 403]);
        await page.waitForURL(({ href }) => href.startsWith(at));
        await page.goto(origin);
      }
    }
    expect((await page.goto(at))?.status()).toBe(403);
  } finally {
    server.close();
    server.closeAllConnections();
  }
  expect([reached, recordings()]).toEqual([[], []]);
  // Many were rejected; the tap says so, and not once for each.
  expect(printed()).toContain('(10 so far)');
  expect(printed().match(/refused/g)).toHaveLength(2);

  // What a program sends gets through, with the header, and is recorded.
  const headers = { 'content-type': 'application/json' };
  const body = '{"jsonrpc":"2.0","id":0,"method":"initialize"}';
  expect((await fetch(at, { method: 'POST', headers, body })).status).toBe(200);
  expect(reached).toEqual(['POST Bearer geheim']);
  expect(recordings()).toEqual(['run.acptrace.jsonl']);
});
