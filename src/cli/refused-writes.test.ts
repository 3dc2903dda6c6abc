// Whichever step of writing a file fails: the command says so, what stood there before stands there still, and
// nothing lies beside it.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import crypto from 'node:crypto';
import { beforeEach, expect, test, vi } from 'vitest';
import { at, err, folder, keepOutput } from '../test/programs/command-line.ts';
import { fullDisk, works } from '../test/programs/refusing-disk.ts';
import { SMALL_TRACE } from '../test/traces/small-trace.ts';
import { convert } from './convert.ts';
import { exporting } from './export.ts';
import { EXIT, FileError, runCommand } from './command.ts';
import { writeReport } from './parts/out-places.ts';

keepOutput();
beforeEach(() => writeFileSync(at('in.acptrace.jsonl'), SMALL_TRACE));

test.each([
  ['a trace', 'out.acptrace.jsonl', convert],
  ['a packed one', 'out.ndjson.gz', convert],
  ['a scenario', 'out.scenario.json', convert],
  ['what may leave', 'out.acptrace.jsonl', exporting],
  ['evidence', 'out.md', exporting],
] as const)('every write can fail (N1, R-21): %s, %s', async (_, name, command) => {
  for (const before of ['before', undefined])
    for (let nth = 1, left = 0; left < 1; nth++) {
      for (const file of readdirSync(folder)) if (file.startsWith('out')) fs.rmSync(at(file));
      if (before !== undefined) writeFileSync(at(name), before);
      const rest = fullDisk(nth);
      const from = at('in.acptrace.jsonl') + (name === 'out.md' ? '#1..3' : '');
      const force = before === undefined ? [] : ['--force'];
      const exit = await runCommand(command, [from, at(name), ...force]);
      left = rest();
      works();
      const text = fs.existsSync(at(name)) ? readFileSync(at(name), 'utf8') : undefined;
      if (exit === EXIT.ok) expect(text?.length).toBeGreaterThan('before'.length);
      else {
        expect([exit, text]).toEqual([EXIT.environment, before]);
        expect(err.join()).toContain('the disk is full');
      }
      expect(readdirSync(folder).filter((file) => file.endsWith('.part'))).toEqual([]);
    }
});

test('every write can fail (R-21): the report of a lab and of a replay', () => {
  let refused = 0;
  for (let nth = 1, left = 0; left < 1; nth++) {
    writeFileSync(at('out.html'), 'before');
    const rest = fullDisk(nth, { sync: ['writeFileSync', 'renameSync'] });
    let said: unknown;
    try {
      writeReport({ path: at('out.html'), replaces: true }, 'after, and more than a half');
    } catch (error) {
      said = error;
    }
    left = rest();
    works();
    const text = readFileSync(at('out.html'), 'utf8');
    if (said === undefined) expect(text).toBe('after, and more than a half');
    else {
      refused++;
      expect(said).toBeInstanceOf(FileError);
      expect([(said as Error).message, text]).toEqual([
        `The report cannot be written to ${at('out.html')} (ENOSPC).`,
        'before',
      ]);
    }
    expect(readdirSync(folder).filter((file) => file.endsWith('.part'))).toEqual([]);
  }
  expect(refused).toBe(2);
});

test.skipIf(process.platform === 'win32')(
  'L-03: where others may write, a link that is planted beside a file to come is not followed',
  async () => {
    writeFileSync(at('theirs'), 'theirs');
    const random = '00000000-0000-4000-8000-000000000000';
    vi.spyOn(crypto, 'randomUUID').mockReturnValue(random);
    syncBuiltinESMExports();
    symlinkSync(at('theirs'), at(`out.acptrace.jsonl.${random}.part`));
    const exit = await runCommand(convert, [at('in.acptrace.jsonl'), at('out.acptrace.jsonl')]);
    vi.restoreAllMocks();
    syncBuiltinESMExports();
    expect(exit).toBe(EXIT.environment);
    expect(readFileSync(at('theirs'), 'utf8')).toBe('theirs');
  },
);
