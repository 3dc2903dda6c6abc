import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { until } from '../test/programs/until.ts';
import type { Interceptable } from './intercept.ts';
import { allowSteering, followSteering, isOpenToPages, steer } from './steering.ts';

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
      const none = () => undefined;
      const told = { unreadable: none, notAllowed: none };
      onTestFinished(followSteering({ path, tapped, intercepts, isOpen: true, ...told }));
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

test.skipIf(process.platform === 'win32')(
  'P-15: a tap is open to pages if it said so itself, before anything was said to it, where nobody else writes',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'acp-scope-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const at = (name: string) => join(folder, name);
    expect(await isOpenToPages(at('none'))).toBe(false);
    expect(allowSteering(at('mine'))).toBeUndefined();
    expect(steer(at('mine'), { op: 'off' })).toBeUndefined();
    expect(await isOpenToPages(at('mine'))).toBe(true);
    // A page chooses what is in a call.
    const said = readFileSync(at('mine.steering'), 'utf8').split('\n', 1)[0] ?? '';
    expect(steer(at('late'), { op: 'on', rules: `\n${said}\n` })).toBeUndefined();
    expect(allowSteering(at('late'))).toBeUndefined();
    expect(await isOpenToPages(at('late'))).toBe(false);
    symlinkSync(at('mine.steering'), at('linked.steering'));
    expect(await isOpenToPages(at('linked'))).toBe(false);
    chmodSync(at('mine.steering'), 0o620);
    expect(await isOpenToPages(at('mine'))).toBe(false);
  },
);
