// Starts of the relay as a person makes them: processes, several at one port.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildBin } from '../test/programs/built-bin.ts';
import { until } from '../test/programs/until.ts';

let bin: string;
beforeAll(async () => {
  bin = await buildBin();
});

/** Something else that listens, and its port. */
async function taken() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

interface Started {
  readonly child: ChildProcess;
  /** All it has said. */
  readonly said: () => string;
}

function starts(port: number, count: number): readonly Started[] {
  const folder = mkdtempSync(join(tmpdir(), 'acp-scope-serve-'));
  const env = { ...process.env, ACP_SCOPE_STATE: join(folder, 'state') };
  const started = Array.from({ length: count }, () => {
    const child = spawn(process.execPath, [bin, '--no-open', '--port', String(port)], { env });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => (said += data.toString()));
    return { child, said: () => said };
  });
  onTestFinished(async () => {
    await Promise.all(
      started.map(async ({ child }) => {
        const isOver = child.exitCode !== null || child.signalCode !== null;
        child.kill('SIGKILL');
        if (!isOver) await once(child, 'exit');
      }),
    );
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  return started;
}

test('R-48: of twenty starts at once one has the port, and all others hand over to it', async () => {
  const { server, port } = await taken();
  server.close();
  await once(server, 'close');
  const started = starts(port, 20);
  await until(() => {
    for (const { said } of started) expect(said()).toMatch(/ Open http/);
  });
  const serving = started.filter(({ said }) => !said().includes('runs already'));
  const [{ child } = { child: undefined }] = serving;
  expect(serving).toHaveLength(1);
  for (const other of started.filter(({ child: one }) => one !== child)) {
    if (other.child.exitCode === null) await once(other.child, 'exit');
    expect(other.child.exitCode).toBe(0);
    expect(other.said()).toContain(`runs already (pid ${child?.pid})`);
  }
});

test('R-48: a port that another program has is status 3, and a sentence with the way out', async () => {
  const { server, port } = await taken();
  const [{ child, said } = { child: undefined, said: () => '' }] = starts(port, 1);
  if (child) await once(child, 'exit');
  server.close();
  expect(child?.exitCode).toBe(3);
  expect(said()).toContain(`Port ${port} is in use by another program. End it, or choose another`);
});
