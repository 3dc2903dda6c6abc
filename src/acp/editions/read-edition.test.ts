import { expect, test } from 'vitest';
import { loadPlans } from '../schema/load.ts';
import { EDITION_IDS, EDITIONS } from './editions.ts';
import { schemaChanges, makeEdition } from './make-edition.ts';
import { readEdition } from './read-edition.ts';

const NEW = {
  id: 'v1-9.9.9',
  version: 1,
  date: '2027-01-01',
  source: 'https://example.org',
} as const;
const SHAPES = { defs: {}, methods: {}, about: {} };
const text = (more: object) => JSON.stringify({ ...makeEdition(NEW, SHAPES, new Set()), ...more });

test('every built-in edition is a document that can be read', () => {
  for (const id of EDITION_IDS.filter((one) => EDITIONS[one].on))
    expect(readEdition(JSON.stringify(EDITIONS[id]))).toEqual(EDITIONS[id]);
});

test('a made edition can be read', () => {
  expect(readEdition(text({}))).toMatchObject({ id: 'v1-9.9.9', on: 'v1-2026-11' });
});

test.each<readonly [document: string, why: string]>([
  ['[', 'it is not a JSON object'],
  ['{}', '`format` is not "acp-edition"'],
  [text({ formatVersion: 2 }), '`formatVersion` is 2; this version of ACP Scope reads 1'],
  [text({ words: 5 }), '`words` is not a string'],
  [text({ date: 'today' }), '`date` is not YYYY-MM-DD'],
  [text({ version: 3 }), '`version` is neither 1 nor 2'],
  [text({ on: 'v2-2026-11' }), '`on` is not a known edition of v1: "v2-2026-11"'],
  [text({ on: undefined, schema: undefined }), '`on` or `schema.shapes` is missing'],
  [text({ schema: { shapes: { defs: {} } } }), '`schema.shapes.methods` is not an object'],
  [text({ counts: { 'a/b': 'fatal' } }), '`counts` is not an object of "error", "warning"'],
  [text({ gates: { a: 1 } }), '`gates` is not an object of strings'],
  [text({ features: [{}] }), '`features` is not a list of objects with `id` and `words`'],
  [text({ methods: [{ name: 'x' }] }), '`methods` is not a list of objects'],
])('%s is no edition, and a sentence says why', (document, why) => {
  expect(readEdition(document)).toContain(why);
});

test('the changes of a schema are named against the newest edition', async () => {
  await loadPlans(1);
  const shapes = {
    defs: { NewSessionRequest: { is: 'object', fields: { budget: { shape: { is: 'any' } } } } },
    methods: { 'agent session/weather': { params: 'NewSessionRequest' } },
    about: {},
  } as const;
  const changes = await schemaChanges(1, shapes);
  expect(changes).toContainEqual({ sign: '+', name: 'session/weather' });
  expect(changes).toContainEqual({ sign: '+', name: 'NewSessionRequest.budget' });
  expect(changes).toContainEqual({ sign: '-', name: 'NewSessionRequest.cwd' });
  expect(makeEdition(NEW, shapes, new Set()).methods).toEqual([
    { name: 'session/weather', from: 'client', kind: 'request', stable: false },
  ]);
});
