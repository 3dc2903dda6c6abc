import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unpackLimit, unpackLogs } from './archive.ts';
import { isZip, zipEntries } from './zip.ts';

const ZIP = new Uint8Array(
  readFileSync(new URL('../../test/fixtures/imports/jetbrains-acp-logs.zip', import.meta.url)),
);

async function read(bytes: Uint8Array): Promise<string> {
  const logs = unpackLogs(bytes);
  if (!logs.ok) return logs.problem;
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of logs.bytes) chunks.push(chunk);
  } catch (error) {
    return (error as Error).message;
  }
  return Buffer.concat(chunks).toString();
}

describe('an archive of logs', () => {
  test('its files stand in its order, by name', () => {
    expect(isZip(ZIP)).toBe(true);
    const entries = zipEntries(ZIP);
    expect('problem' in entries || entries.map(({ name }) => name)).toEqual([
      'acp/acp.log',
      'acp/acp-transport.log',
      'acp/acp-transport.1.log',
    ]);
  });

  test('of the logs of a JetBrains IDE those of the transport, the oldest first', async () => {
    const text = await read(ZIP);
    expect(text).toMatch(/^2026-02-14 20:22:25,895 .* OUT: .*"initialize"/);
    expect(text).not.toContain('Creating session');
  });

  test('I-06 however it is damaged or cut off, it says so and does not throw', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(ZIP.length),
        fc.nat(ZIP.length),
        fc.uint8Array({ maxLength: 30 }),
        async (a, b, junk) => {
          const [from, to] = [Math.min(a, b), Math.max(a, b)];
          const bytes = Buffer.concat([ZIP.subarray(0, from), junk, ZIP.subarray(to)]);
          expect(await read(new Uint8Array(bytes))).toBeTypeOf('string');
        },
      ),
      { numRuns: 200 },
    );
  });

  test('I-06 any bytes at all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        expect(await read(bytes)).toBeTypeOf('string');
      }),
    );
  });

  test('I-01 what unpacks to far more than it is, or to more than a disk should hold, is stopped', () => {
    expect(unpackLimit(500_000, 100)).toBeUndefined();
    expect(unpackLimit(30 * 1024 ** 2, 1024)).toContain('200 times');
    expect(unpackLimit(2 * 1024 ** 3 + 1, 1024 ** 3)).toContain('2 GiB');
  });
});
