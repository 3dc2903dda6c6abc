// A tap that cannot record passes on what crosses, says so, and goes on recording when it can.
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  ECHO,
  folder,
  keepStateIn,
  keepTaps,
  state,
  tap,
  whole,
} from '../test/programs/tap-process.ts';
import { until } from '../test/programs/until.ts';

keepTaps();

describe('attack row 16 (R-63): recording is hindered, traffic is not,', () => {
  test.each([
    [
      'others may enter the state folder',
      () => (mkdirSync(state), chmodSync(state, 0o755)),
      'writing there is not permitted (EACCES)',
    ],
    [
      'it cannot be made',
      () => (writeFileSync(join(folder, 'file'), ''), keepStateIn('file/state')),
      // What Windows has for that is ENOENT.
      process.platform === 'win32' ? '(ENOENT)' : 'a file stands where its folder should be',
    ],
  ] as const)('where %s', async (_, prepare, why) => {
    prepare();
    const child = tap(ECHO);
    child.stdin.end('{"a":1}\nlast');
    const { out, err, code } = await whole(child);
    if (process.platform === 'win32' && existsSync(join(state, 'spool'))) return;
    expect([out, code]).toEqual(['{"a":1}\nlast', 7]);
    expect(err).toMatch(/^acp-scope tap: .*state.* Not recorded meanwhile\.$/m);
    expect(/events are not in .*/.exec(err)?.[0]).toContain(why);
    expect(existsSync(join(state, 'spool'))).toBe(false);
  });

  test('and goes on by itself when it can', async () => {
    writeFileSync(state, '');
    const child = tap(ECHO);
    child.stdin.write('one\n');
    await once(child.stdout, 'data');
    rmSync(state);
    const spool = join(state, 'spool');
    const recorded = () => readFileSync(join(spool, readdirSync(spool)[0] ?? ''), 'utf8');
    await until(() => expect(recorded()).toContain('"one"'));
    child.stdin.end();
    const { err, code } = await whole(child);
    expect(code).toBe(7);
    expect(err).not.toContain('events are not in');
  });
});
