import { expect, test } from 'vitest';
import { isAbsolutePath } from './absolute-path.ts';

test('absolute paths of POSIX and Windows', () => {
  expect(
    ['/a', 'C:\\a', 'c:/a', '\\\\host\\share', 'a', './a', '', 'C:a'].map(isAbsolutePath),
  ).toEqual([true, true, true, true, false, false, false, false]);
});
