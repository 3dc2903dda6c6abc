import { expect, test } from 'vitest';
import { arr, get, str } from '../../../acp/json.ts';
import type { Json } from '../../../acp/message.ts';
import { shapes as v1 } from '../../../acp/schema/generated/shapes-v1.js';
import { shapes as v2 } from '../../../acp/schema/generated/shapes-v2.js';
import { UPDATE_NAMES } from './query-names.ts';

test('every update that a schema of either version names may be asked for', () => {
  const told = [v1, v2].flatMap((shapes) =>
    arr(get(get(shapes as Json, 'defs'), 'SessionUpdate'), 'cases').map((one) => str(one, 'value')),
  );
  expect(told.length).toBeGreaterThan(30);
  expect(told.filter((name) => name !== undefined && !UPDATE_NAMES.includes(name))).toEqual([]);
});
