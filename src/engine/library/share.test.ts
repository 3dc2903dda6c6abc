import { expect, test } from 'vitest';
import { sharedFile } from './share.ts';

const line = JSON.stringify({
  type: 'stderr',
  seq: 1,
  at: 1,
  line: { text: 'token=abcdefgh12345' },
});
const file = { name: 'a.acptrace.jsonl', blob: new Blob([`${line}\n`.repeat(2000)]) };

test('all of a trace is the file itself: nothing is read', async () => {
  const never = () => false;
  const { blob } = await sharedFile(file, { level: 'all' }, never);
  expect(blob).toBe(file.blob);
});

test('a file that nobody waits for any more is not made to its end', async () => {
  let asked = 0;
  const once = () => ++asked <= 1;
  await expect(sharedFile(file, { level: 'no-secrets' }, once)).rejects.toThrow();
  expect(asked).toBe(2);
  const { blob } = await sharedFile(file, { level: 'no-secrets' }, () => true);
  expect(await blob.text()).not.toContain('abcdefgh12345');
});
