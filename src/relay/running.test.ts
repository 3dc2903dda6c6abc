import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { askForLink, noteRunning } from './running.ts';

/** What came to listen where a relay was that was killed: it has the number and the port. */
async function squatter(answer: (response: ServerResponse) => void): Promise<[string, number]> {
  const state = mkdtempSync(join(tmpdir(), 'acp-scope-'));
  const server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  noteRunning(state, { pid: process.pid, port, secret: 'secret' });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    rmSync(state, { recursive: true });
  });
  return [state, port];
}

test('L-04 R-48: another program at the port of a relay that was killed is not read without end', async () => {
  let said = 0;
  const [state, port] = await squatter((response) => {
    const more = () => {
      said += 1;
      if (!response.destroyed) response.write('x'.repeat(64 * 1024), () => setImmediate(more));
    };
    more();
  });
  expect(await askForLink(state, port)).toEqual({ ok: false, why: 'none' });
  expect(said).toBeLessThan(1000);
});

test('L-04 R-48: nor is it waited for, however slowly it answers', async () => {
  const [state, port] = await squatter((response) => {
    const more = setInterval(() => response.write(' '), 50);
    response.once('close', () => clearInterval(more));
  });
  expect(await askForLink(state, port)).toEqual({ ok: false, why: 'none' });
});
