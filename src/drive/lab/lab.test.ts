import { expect, test } from 'vitest';
import { complaints, lab } from '../../test/lab-ground.ts';

test.each([1, 2] as const)(
  'v%i: the bundled agent does all that is due',
  async (protocol) => {
    const report = await lab({ protocol, cursors: true });
    expect(complaints(report)).toEqual([]);
    expect(report.cursors?.why).toEqual(protocol === 2 ? 'All laws of cursors hold.' : undefined);
  },
  60_000,
);
