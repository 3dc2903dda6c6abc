// A command whose words nobody reads any more, as in `2>&1 | head`: it ends there, and half a file does not stay.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { buildBin } from '../test/programs/built-bin.ts';

/** Most of its lines are told as left out. */
const CONDUCTOR = fileURLToPath(
  new URL('../test/fixtures/imports/rust-conductor.jsons', import.meta.url),
);

const TRACE = fileURLToPath(
  new URL('../test/fixtures/opencode/1.18.33/denied-v1.acptrace.jsonl', import.meta.url),
);

test.skipIf(process.platform === 'win32')(
  'a command whose output nobody reads ends quietly, with the status of SIGPIPE',
  async () => {
    const bin = await buildBin();
    for (const args of [
      ['show', `${TRACE}#5`],
      ['check', TRACE],
    ]) {
      const shell = '{ "$@"; echo "status $?" >&2; } | true';
      const { stderr } = spawnSync('/bin/sh', ['-c', shell, 'sh', process.execPath, bin, ...args], {
        encoding: 'utf8',
      });
      expect(stderr).not.toContain('fault of ACP Scope');
      expect(stderr).toMatch(/status 141\n$/);
    }
  },
);

test.skipIf(process.platform === 'win32')(
  'a conversion that ends as the reader of its words leaves has nothing lying beside what stood there',
  async () => {
    const bin = await buildBin();
    const folder = mkdtempSync(join(tmpdir(), 'acp-scope-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const out = join(folder, 'out.acptrace.jsonl');
    writeFileSync(out, 'before');
    const child = spawn(
      '/bin/sh',
      [
        '-c',
        '"$@" 2>&1 >/dev/null | head -n 1',
        'sh',
        process.execPath,
        bin,
        'convert',
        CONDUCTOR,
        out,
      ],
      { stdio: 'ignore' },
    );
    await once(child, 'exit');
    expect(readdirSync(folder)).toEqual(['out.acptrace.jsonl']);
    // Where it was done before it heard of it, all of it is there.
    expect(readFileSync(out, 'utf8')).toMatch(/^before$|\}\n$/);
  },
);
