import { tmpdir } from 'node:os';
import { isAbsolute } from 'node:path';
import { expect, test } from 'vitest';
import { stateFolder } from './state-folder.ts';

test('L-03: what must outlive us lies in the person’s own folder, and never under a known name in /tmp', () => {
  for (const env of [{}, { XDG_STATE_HOME: 'relative' }, { XDG_STATE_HOME: '' }]) {
    const folder = stateFolder(env);
    expect(isAbsolute(folder)).toBe(true);
    expect(folder.startsWith(tmpdir())).toBe(false);
  }
});
