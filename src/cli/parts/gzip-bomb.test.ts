// The part of a gzip file that a command unpacks before it rejects the file.
import { writeFileSync } from 'node:fs';
import type zlib from 'node:zlib';
import { gunzipSync, gzipSync, type Gunzip } from 'node:zlib';
import { beforeEach, expect, test, vi } from 'vitest';
import { at, keepOutput } from '../../test/programs/command-line.ts';
import { FORMAT, headerLine, TIMED_VERSION } from '../../trace/format.ts';
import { readTrace } from './trace-files.ts';

const opened: Gunzip[] = [];

vi.mock('node:zlib', async (original) => {
  const actual = await original<typeof zlib>();
  return {
    ...actual,
    createGunzip: () => {
      const made = actual.createGunzip();
      opened.push(made);
      return made;
    },
  };
});

const MIB = 1024 ** 2;
const HEADER = headerLine({
  ...{ format: FORMAT, version: TIMED_VERSION, created: '2026-11-22T10:00:00.000Z' },
  ...{ tool: 't', clock: 'monotonic' },
});

keepOutput();
beforeEach(() => void (opened.length = 0));

/** Reads a file with these bytes: why it is rejected, and how many of its bytes were unpacked. */
async function refused(bytes: Uint8Array) {
  const path = at('a.acptrace.jsonl.gz');
  writeFileSync(path, bytes);
  const why = await readTrace(path).then(
    () => undefined,
    (error: Error) => error.message,
  );
  return { why, unpacked: opened.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0) };
}

const bomb = gzipSync(Buffer.concat([Buffer.from(`${HEADER}\n`), Buffer.alloc(300 * MIB)]));

test('31.7 a gzip that unpacks to a thousand times its size is rejected when little of it is unpacked', async () => {
  expect(bomb.length).toBeGreaterThan(250_000);
  const { why, unpacked } = await refused(bomb);
  expect(why).toContain('200 times its size');
  expect(unpacked).toBeLessThan(100_000);
});

test('31.7 so is one whose end states another size', async () => {
  for (const size of [0, 1000, 0xffffffff]) {
    const lying = Buffer.from(bomb);
    lying.writeUInt32LE(size, lying.length - 4);
    const { why, unpacked } = await refused(lying);
    expect(why).toContain('200 times its size');
    expect(unpacked).toBeLessThan(100_000);
  }
});

test('31.7 a gzip that was cut off is read as far as it goes, whatever its last bytes state', async () => {
  const exits = Array.from({ length: 40_000 }, (_, i) => {
    const text = Buffer.from(String(Math.sin(i))).toString('base64');
    return `{"type":"stderr","seq":${i + 1},"at":${i},"line":{"text":"${text}"}}\n`;
  });
  const whole = gzipSync(`${HEADER}\n${exits.join('')}`);
  // Cut where the last four bytes, read as a size, are far beyond what the file can hold.
  let end = whole.length >> 1;
  while (whole.readUInt32LE(end - 4) < 1024 ** 3) end--;
  const cut = whole.subarray(0, end);
  expect(gunzipSync(whole).length).toBeGreaterThan(MIB);
  expect((await refused(cut)).why).toBeUndefined();
});
