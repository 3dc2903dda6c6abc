// Pages of others in a real browser, that know the key of ours and try what they can with it.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Frame, Page } from '@playwright/test';
import { expect, test } from '../scope.ts';

interface Held {
  readonly origin: string;
  readonly token: string;
  /** Of a link that nobody has used. */
  readonly code: string;
  readonly script: string;
}

/** What comes of each try, in the page that this runs in. */
async function attempts({ origin, token, code, script }: Held) {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, [
    'acp-scope.v1',
    `auth.${token}`,
  ]);
  const link = await new Promise<string>((resolve) => {
    socket.onopen = () => resolve('open');
    socket.onclose = ({ code }) => resolve(`closed ${code}`);
  });
  socket.close();
  const asked = async (path: string, init: RequestInit) => {
    try {
      return (await fetch(origin + path, init)).type;
    } catch {
      return 'refused';
    }
  };
  const loaded = (element: HTMLElement) =>
    new Promise<string>((resolve) => {
      element.onload = () => resolve('loaded');
      element.onerror = () => resolve('refused');
      document.documentElement.append(element);
    });
  const body = JSON.stringify({ code });
  const headers = { Authorization: `Bearer ${token}` };
  return {
    link,
    page: await asked('/', {}),
    'page, unread': await asked('/', { mode: 'no-cors' }),
    health: await asked('/api/health', { headers }),
    'link, as a form would': await asked('/api/link', { method: 'POST', mode: 'no-cors', body }),
    beacon: navigator.sendBeacon(`${origin}/api/code`, body),
    stream: await new Promise<string>((resolve) => {
      const source = new EventSource(`${origin}/api/health`);
      source.onopen = () => resolve('open');
      source.onerror = () => resolve('refused');
    }),
    'code, as a form would': await asked('/api/code', { method: 'POST', mode: 'no-cors', body }),
    script: await loaded(Object.assign(document.createElement('script'), { src: script })),
    picture: await loaded(
      Object.assign(document.createElement('img'), { src: `${origin}/icon.svg` }),
    ),
  };
}

const NOTHING = {
  link: 'closed 1006',
  page: 'refused',
  'page, unread': 'refused',
  health: 'refused',
  'link, as a form would': 'refused',
  // It went out: that it did nothing is seen by the code, which is still good.
  beacon: true,
  stream: 'refused',
  'code, as a form would': 'refused',
  script: 'refused',
  picture: 'refused',
};

/** In a page that holds a frame of its own without an origin, and one that shows ours. */
async function tries(page: Page, held: Held): Promise<void> {
  expect(await page.evaluate(attempts, held)).toEqual(NOTHING);
  const frame = async (name: string): Promise<Frame> => {
    await expect.poll(() => page.frame({ name })?.url()).toBeTruthy();
    const found = page.frame({ name });
    if (!found) throw new Error(`there is no frame ${name}`);
    return found;
  };
  const sandboxed = await frame('sandboxed');
  expect(await sandboxed.evaluate(() => self.origin)).toBe('null');
  expect(await sandboxed.evaluate(attempts, held)).toEqual(NOTHING);
  // The browser shows a page of its own in the place of what may not be framed.
  const ours = await frame('ours');
  await expect.poll(() => ours.url()).toMatch(/^chrome-error:/);
  // As a page is left for another: by a form whose text is JSON, and by an address.
  const here = page.url();
  for (const [method, path, status] of [
    ['POST', '/api/code', 403],
    ['POST', '/api/link', 403],
    ['GET', '/api/health', 403],
    ['GET', '/api/code', 405],
    ['GET', '/ws', 404],
  ] as const) {
    const answered = page.waitForResponse(held.origin + path);
    await page.evaluate(
      ({ action, method, name }) => {
        const form = Object.assign(document.createElement('form'), { action, method });
        form.enctype = 'text/plain';
        form.append(Object.assign(document.createElement('input'), { name, value: '"}' }));
        document.body.append(form);
        if (method === 'POST') form.submit();
        else location.href = action;
      },
      { action: held.origin + path, method, name: `{"code":"${held.code}","x":"` },
    );
    expect([method, path, (await answered).status()]).toEqual([method, path, status]);
    await page.waitForURL(held.origin + path);
    await page.goto(here);
  }
}

test('T-05 T-08 T-09 T-10 T-12: no page of another port, host or disk reaches the relay, whatever it knows', async ({
  scope,
  browser,
  folder,
}) => {
  const { origin } = scope.relay;
  const fresh = await scope.relay.freshLink();
  const held = {
    origin,
    code: new URL(fresh).hash.slice('#k='.length),
    ...(await scope.page.evaluate(() => ({
      token: sessionStorage.getItem('acp-scope/token') ?? '',
      script: document.querySelector<HTMLScriptElement>('script[src]')?.src ?? '',
    }))),
  };
  // The key is good, where it is used by our own page.
  expect(
    await scope.page.evaluate(async ({ origin, token }) => {
      const headers = { Authorization: `Bearer ${token}` };
      return (await fetch(`${origin}/api/health`, { headers })).status;
    }, held),
  ).toBe(200);

  const html = `<!doctype html><title>another</title><iframe name="sandboxed" sandbox="allow-scripts" srcdoc="<p>x"></iframe><iframe name="ours" src="${origin}/"></iframe>`;
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(html);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  writeFileSync(join(folder, 'page.html'), html);
  const context = await browser.newContext();
  try {
    for (const address of [
      `http://127.0.0.1:${port}/`,
      `http://localhost:${port}/`,
      pathToFileURL(join(folder, 'page.html')).href,
    ]) {
      const page = await context.newPage();
      await page.goto(address);
      await test.step(address, () => tries(page, held));
      await page.close();
    }
  } finally {
    await context.close();
    server.close();
  }
  // Nothing was done by any of them: the code that they sent is still good.
  await scope.comeBack(fresh);
});
