import { appendFileSync, chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { until } from '../test/programs/until.ts';
import type { Interceptable } from './intercept.ts';
import { followSteering } from './steering.ts';

test.skipIf(process.platform === 'win32')(
  'L-02: a tap does nothing that a file says which others could have written, and goes on when they cannot',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'acp-scope-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const said = `${JSON.stringify({ relay: process.pid, call: { op: 'off' } })}\n`;
    /** How often the tap of this recording was told something. */
    const follow = (name: string, mode: number) => {
      const path = join(folder, name);
      writeFileSync(`${path}.steering`, said);
      chmodSync(`${path}.steering`, mode);
      const call = vi.fn(() => Promise.resolve(undefined));
      const intercepts = { call, off: () => undefined };
      const tapped = {} as Interceptable;
      onTestFinished(followSteering({ path, tapped, intercepts, refused: () => undefined }));
      return call;
    };
    const [open, own] = [follow('open', 0o620), follow('own', 0o600)];
    await until(() => expect(own).toHaveBeenCalledTimes(1));
    appendFileSync(join(folder, 'own.steering'), said);
    await until(() => expect(own).toHaveBeenCalledTimes(2));
    expect(open).not.toHaveBeenCalled();
    chmodSync(join(folder, 'open.steering'), 0o600);
    await until(() => expect(open).toHaveBeenCalledTimes(1));
  },
);
