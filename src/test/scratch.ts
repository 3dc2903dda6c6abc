// One temporary folder for the whole run of the tests, removed when it ends: whatever a test or an
// agent it starts makes under os.tmpdir() goes with it.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Vitest's global set-up. The workers inherit the environment; Windows reads TEMP and TMP. */
export default function setup(): () => void {
  // The real path: where the system's folder is a link, agents would name another.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'acp-scope-test-')));
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
