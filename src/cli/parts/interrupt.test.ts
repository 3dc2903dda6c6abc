// Commands that drive an agent, whose terminal is closed: what they recorded and started.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildBin } from '../../test/programs/built-bin.ts';
import { until } from '../../test/programs/until.ts';
import { groupLives } from '../../relay/agents/kill-tree.ts';

/** Says which process it is, and heeds nothing. */
const STUBBORN = `
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
  setInterval(() => undefined, 1e6);
  console.log(JSON.stringify({ jsonrpc: '2.0', method: '_pid', params: { pid: process.pid } }));`;

// Windows has no signals.
test.skipIf(process.platform === 'win32')(
  'R-45: record whose terminal is closed, which sends SIGHUP twice and takes its output away, ends its agent and writes its trace to the end',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'acp-scope-hangup-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
    const out = join(folder, 'out.acptrace.jsonl');
    const args = [await buildBin(), 'record', '--out', out, '--', process.execPath, '-e', STUBBORN];
    const env = { ...process.env, ACP_SCOPE_STATE: join(folder, 'state') };
    const child = spawn(process.execPath, args, { env });
    const gone = once(child, 'exit');
    const recorded = () => readFileSync(out, 'utf8');
    const said = await until(() => {
      const line = recorded()
        .split('\n')
        .find((line) => line.includes('"from":"agent"'));
      expect(line).toBeDefined();
      return line;
    });
    const group = Number(/pid[^0-9]+([0-9]+)/.exec(said ?? '')?.[1]);
    for (const stream of [child.stdout, child.stderr]) stream.destroy();
    child.kill('SIGHUP');
    child.kill('SIGHUP');
    expect(await gone).toEqual([1, null]);
    expect(groupLives(group)).toBe(false);
    const last = recorded().trimEnd().split('\n').at(-1) ?? '';
    expect(JSON.parse(last)).toMatchObject({ type: 'exit', signal: 'SIGKILL' });
  },
);
