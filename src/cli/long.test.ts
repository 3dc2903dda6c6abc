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
    const running = runCommand(convert, [at('in.ndjson'), at(name)]);
    while (!readdirSync(folder).some((one) => one.endsWith('.part')))
      await new Promise((resolve) => setImmediate(resolve));
    process.emit('SIGINT');
    expect(await running).toBe(EXIT.environment);
    expect(err.join('\n')).toContain('Stopped before');
    expect(readFileSync(at(name), 'utf8')).toBe('as it was');
    expect(readdirSync(folder).sort()).toEqual(before);
  },
);

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
  } finally {
    Object.assign(process.stderr, { isTTY, columns });
    write.mockRestore();
  }
});
