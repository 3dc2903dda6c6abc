import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { zipped } from '../../test/traces/zip.ts';
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

  const LINE = new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"method":"initialize"}\n');
  const ZEROS = new Uint8Array(30 * 1024 ** 2);
  const named = (length: number) =>
    Array.from({ length }, (_, i) => ({ name: `acp-transport.${i}.log`, data: LINE }));

  test.each([
    ['20,000 files', zipped(named(20_000)), 'holds 20,000 files; at most 10,000 are read'],
    ['a million files', zipped(named(2), { count: 0xffff }), 'ZIP64'],
    ['files that share their bytes', zipped(named(10_000), { shared: true }), 'share their bytes'],
    [
      'a file that says it is large',
      zipped([{ name: 'a.log', data: ZEROS }]),
      '200 times its size',
    ],
    [
      'a file that says it is small',
      zipped([{ name: 'a.log', data: ZEROS, stated: 100 }]),
      '200 times its size',
    ],
  ])('I-01 an archive of %s is rejected with advice', async (_, bytes, words) => {
    expect(await read(bytes)).toContain(words);
  });

  test('I-01 nothing is unpacked of an archive whose directory says that it is too much', () => {
    const logs = unpackLogs(zipped([{ name: 'a.log', data: ZEROS }]));
    expect(logs).toMatchObject({ ok: false });
  });

  test('of several files the first is read, and the others are named', async () => {
    const bytes = zipped([
      { name: 'notes.md', data: LINE },
      ...['a.jsonl', 'b.jsonl', 'c.log'].map((name) => ({ name, data: LINE })),
    ]);
    const logs = unpackLogs(bytes);
    expect(logs.ok && logs.note).toMatch(/^Only a\.jsonl .* 2 more files .*\(b\.jsonl, c\.log\)/);
    expect(await read(bytes)).toBe(new TextDecoder().decode(LINE));
    expect(unpackLogs(zipped(named(3)))).not.toHaveProperty('note');
  });
});
