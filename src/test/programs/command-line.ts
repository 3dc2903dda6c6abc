// Commands run in this process: what they print is kept, and each test has a folder of its own.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, vi } from 'vitest';

/** Of the test that runs. */
export let folder: string;
/** What was printed on stdout and on stderr, a text each. */
export let out: string[];
export let err: string[];

/** For a file of tests, at its head. */
export function keepOutput(): void {
  beforeEach(() => {
    folder = mkdtempSync(join(realpathSync(tmpdir()), 'acp-scope-cli-'));
    [out, err] = [[], []];
    vi.spyOn(console, 'log').mockImplementation((text: string) => void out.push(text));
    vi.spyOn(console, 'error').mockImplementation((text: string) => void err.push(text));
    vi.stubEnv('ACP_SCOPE_STATE', join(folder, 'state'));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
}

export const at = (name: string) => join(folder, name);
