// Faults in the bytes of stdout.
import { setTimeout } from 'node:timers/promises';
import type { Hooks, Write } from '../hooks.ts';

const NOISE = [
  'bundled agent: loading…',
  '',
  'DEBUG cache miss (0 of 3)',
  '{"level":"info","text":"JSON, but no message"}',
];

/** `stdout-noise`: a line that is no message before every tenth line, and before the first. */
export function noisy(): Hooks {
  let lines = 0;
  return {
    write: async (line, write) => {
      if (lines % 10 === 0) {
        const noise = NOISE[(lines / 10) % NOISE.length] ?? '';
        await write(new TextEncoder().encode(`${noise}\n`));
      }
      lines++;
      await write(line);
    },
  };
}

/** Long enough for the pieces to arrive as two. */
const APART = 4;

/** `split-utf8`: a line in two pieces, cut behind the first byte of its last long character. */
export async function splits(line: Uint8Array, write: Write): Promise<void> {
  const lead = line.findLastIndex((byte) => byte >= 0xc0);
  const cut = lead < 0 ? line.length >> 1 : lead + 1;
  await write(line.subarray(0, cut));
  await setTimeout(APART);
  await write(line.subarray(cut));
}
