// `acp-scope open FILE#SEQ`: a trace file in the page of the relay that runs, or of one that it starts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BIN, type Relay } from '../relay.ts';
import { expect, test } from '../scope.ts';

function traceIn(folder: string): string {
  const file = join(folder, 'from a command.ndjson');
  const line = (n: number) =>
    JSON.stringify({ jsonrpc: '2.0', method: '_mine/note', params: { number: n } });
  const lines = Array.from({ length: 40 }, (_, at) =>
    JSON.stringify({ t: at, dir: 'agent-to-client', raw: line(at + 1) }),
  );
  writeFileSync(file, lines.map((one) => `${one}\n`).join(''));
  return file;
}

function opened(relay: Relay, place: string) {
  return relay.run('open', place, '--no-open', '--port', String(relay.port));
}

test('A file named in a terminal opens in the page, at the frame that is named', async ({
  scope,
  folder,
}) => {
  const file = traceIn(folder);
  const { stdout, code } = await opened(scope.relay, `${file}#31`);
  expect(code).toBe(0);
  await scope.comeBack(/http:\S+/.exec(stdout)?.[0] ?? '');
  await expect(scope.row(/^31, /)).toHaveAttribute('aria-selected', 'true');
  await expect(scope.detail).toContainText(/number:\s*31/);
  await expect(scope.page).toHaveURL(/#\/trace\/[^/]+\/frame\/31/);
  expect(scope.page.url()).not.toContain('command');

  // Kept as what was dropped on the page would be: after a reload it is there, once.
  await scope.page.reload();
  const traces = scope.runsOf('from a command');
  await expect(traces).toHaveCount(1);
});

test('What cannot be opened is a sentence in the terminal, and no page', async ({
  scope,
  folder,
}) => {
  const file = traceIn(folder);
  const missing = await opened(scope.relay, `${file}#99`);
  expect(missing).toMatchObject({ code: 2, stdout: '' });
  expect(missing.stderr).toContain('has no #99: its last is #40.');
  const foreign = join(folder, 'notes.txt');
  writeFileSync(foreign, 'no trace\n');
  const refused = await opened(scope.relay, foreign);
  expect(refused).toMatchObject({ code: 3, stdout: '' });
  expect(refused.stderr).toContain('has no trace that can be read');
});

test('Where no relay runs, one is started for it', async ({ page, folder }) => {
  const args = [BIN, 'open', `${traceIn(folder)}#40`, '--no-open', '--port', '0'];
  const env = { ...process.env, ACP_SCOPE_STATE: join(folder, 'state') };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    await page.goto(/http:\S+/.exec(said.toString())?.[0] ?? '');
    const detail = page.getByRole('complementary', { name: 'Detail' });
    await expect(detail).toContainText(/number:\s*40/);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
});
