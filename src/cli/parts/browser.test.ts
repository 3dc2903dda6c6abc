import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openBrowser } from './browser.ts';

const LINK = 'http://127.0.0.1:7717/#k=the-code';

test.runIf(process.platform === 'linux')(
  'P-05 L-03: a browser is given a private file with the link, which goes after a minute; no command line has the code',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'acp-scope-browser-'));
    const note = join(folder, 'note');
    // In the place of what opens a browser: it notes what it was given.
    const opener = `#!/bin/sh\nprintf '%s\\n' "$*" > '${note}.new' && mv '${note}.new' '${note}'\n`;
    writeFileSync(join(folder, 'xdg-open'), opener, { mode: 0o755 });
    mkdirSync(join(folder, 'tmp'));
    for (const [name, value] of [
      ['PATH', `${folder}:/usr/bin:/bin`],
      ['DISPLAY', ':0'],
      ['TMPDIR', join(folder, 'tmp')],
    ] as const)
      vi.stubEnv(name, value);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.unstubAllEnvs();
      vi.useRealTimers();
      rmSync(folder, { recursive: true, force: true });
    });
    const umask = process.umask(0);
    const isOpened = openBrowser(LINK);
    process.umask(umask);
    expect(isOpened).toBe(true);
    while (!existsSync(note)) await new Promise((resolve) => setImmediate(resolve));
    const given = readFileSync(note, 'utf8').trim();
    expect(given).toMatch(/^file:/);
    expect(given).not.toContain('the-code');
    const file = fileURLToPath(given);
    expect(readFileSync(file, 'utf8')).toContain(LINK);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    vi.advanceTimersByTime(59_000);
    expect(existsSync(file)).toBe(true);
    vi.advanceTimersByTime(1_000);
    expect(existsSync(dirname(file))).toBe(false);
  },
);
