// What a command that takes long tells of itself, and leaves behind where it is interrupted.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { at, err, folder, keepOutput } from '../test/programs/command-line.ts';
import { EXIT, runCommand } from './command.ts';
import { convert } from './convert.ts';
import { endProgress, progress } from './parts/progress.ts';

keepOutput();

const line = (t: number) => `${JSON.stringify({ t, dir: 'agent-to-client', raw: `{"n":${t}}` })}\n`;

test.each(['out.ndjson', 'out.acptrace.jsonl.gz'])(
  'interrupted while it writes %s, it leaves what stood there and no half of what was to come',
  async (name) => {
    writeFileSync(at('in.ndjson'), Array.from({ length: 60_000 }, (_, t) => line(t)).join(''));
    writeFileSync(at(name), 'as it was');
    const before = readdirSync(folder).sort();
    const running = runCommand(convert, [at('in.ndjson'), at(name), '--force']);
    while (!readdirSync(folder).some((one) => one.endsWith('.part')))
      await new Promise((resolve) => setImmediate(resolve));
    process.emit('SIGINT');
    expect(await running).toBe(EXIT.environment);
    expect(err.join('\n')).toContain('Stopped before');
    expect(readFileSync(at(name), 'utf8')).toBe('as it was');
    expect(readdirSync(folder).sort()).toEqual(before);
  },
);

test('on a terminal it says how much of a file is read, whatever that is called', async () => {
  const { isTTY, columns } = process.stderr;
  const name = `${'long '.repeat(30)}.ndjson`;
  writeFileSync(at(name), Array.from({ length: 20_000 }, (_, t) => line(t)).join(''));
  const write = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
  // A second passes with each look at the clock.
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000));
  try {
    Object.assign(process.stderr, { isTTY: true, columns: 80 });
    expect(await runCommand(convert, [at(name), at('whole.ndjson')])).toBe(EXIT.ok);
    expect(write.mock.calls.map(([text]) => String(text)).join('\n')).toMatch(/Reading \d+ % of /);
  } finally {
    Object.assign(process.stderr, { isTTY, columns });
    clock.mockRestore();
    write.mockRestore();
  }
});

test('on a terminal it tells what it is at once it takes long, and takes that away', () => {
  const { isTTY, columns } = process.stderr;
  const written: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  try {
    for (const terminal of [false, true]) {
      Object.assign(process.stderr, { isTTY: terminal, columns: 60 });
      for (const now of [5, 900, 1100, 1150, 1400]) progress(() => `at\u001b ${now}`, now);
    }
    expect(written).toEqual(['\r\u001b[Kat[ESC] 1100', '\r\u001b[Kat[ESC] 1400']);
    endProgress();
    endProgress();
    expect(written.slice(2)).toEqual(['\r\u001b[K']);
    // A window whose width nobody told, and one that is narrow: it is of one line in both.
    for (const [columns, length] of [
      [undefined, 79],
      [0, 79],
      [12, 11],
    ] as const) {
      Object.assign(process.stderr, { columns });
      for (const now of [5, 1100]) progress(() => 'x'.repeat(200), now);
      expect(written.at(-1)).toBe(`\r\u001b[K${'x'.repeat(length)}`);
      endProgress();
    }
  } finally {
    Object.assign(process.stderr, { isTTY, columns });
    write.mockRestore();
  }
});
