import { expect, test } from 'vitest';
import { loadPlans } from '../schema/load.ts';
import { shutGate } from '../gate.ts';
import { methodNames, methodsNamed } from '../methods.ts';
import type { Edition, EditionId } from './edition.ts';
import { addEdition, EDITION_IDS, editionNamed, EDITIONS, removeEdition } from './editions.ts';
import { schemaChanges, makeEdition } from './make-edition.ts';
import { readEdition } from './read-edition.ts';

const NEW = {
  id: 'v1-9.9.9',
  version: 1,
  date: '2027-01-01',
  source: 'https://example.org',
} as const;
const WEATHER = { name: 'session/weather', from: 'client', kind: 'request', stable: true };
const SHAPES = { defs: {}, methods: {}, about: {} };
const text = (more: object) => JSON.stringify({ ...makeEdition(NEW, SHAPES, new Set()), ...more });

const shapes = (defs: object) => text({ schema: { shapes: { ...SHAPES, defs } } });

test('every built-in edition is a document that can be read, under an id of its own', () => {
  for (const id of EDITION_IDS.filter((one) => EDITIONS[one].on)) {
    const copy = { ...EDITIONS[id], id: `${id}-copy` };
    expect(readEdition(JSON.stringify(copy))).toEqual(copy);
    expect(readEdition(JSON.stringify(EDITIONS[id]))).toContain('of a built-in edition');
  }
});

test('an edition that is read again may not come to change itself', () => {
  const first = readEdition(text({ id: 'v1-one' }));
  const second = { ...EDITIONS['v1-2026-11'], id: 'v1-two', on: 'v1-one' };
  addEdition(first as Edition);
  addEdition(readEdition(JSON.stringify(second)) as Edition);
  expect(readEdition(text({ id: 'v1-one', on: 'v1-two' }))).toContain('itself changes "v1-one"');
  for (const id of ['v1-two', 'v1-one']) removeEdition(id as EditionId);
});

test('an edition says what must be advertised for a method, also for one that is known', () => {
  const gate = { by: 'agent', paths: ['sessionCapabilities.weather'] };
  const fork = { name: 'session/fork', from: 'client', kind: 'request', stable: true };
  const close = { ...fork, name: 'session/close', gate };
  const added = readEdition(text({ methods: [{ ...WEATHER, gate }, fork, close] })) as Edition;
  const offered = { clientCapabilities: {}, agentCapabilities: {}, authMethods: [] };
  const shut = (name: string) => shutGate(name, 'client', 1, offered)?.words;
  addEdition(added);
  expect(shut('session/weather')).toBe('sessionCapabilities.weather');
  expect(shut('session/close')).toBe('sessionCapabilities.weather');
  // The document does not state the gate of `session/fork`.
  expect(shut('session/fork')).toBe('sessionCapabilities.fork');
  expect(methodsNamed('session/fork')[0]?.v1?.stable).toBe(true);
  removeEdition(added.id);
  expect(shut('session/close')).toBe('sessionCapabilities.close');
  expect(shut('session/weather')).toBeUndefined();
  expect(methodsNamed('session/fork')[0]?.v1?.stable).toBe(false);
});

test('an edition that is removed leaves no name behind', async () => {
  const { name } = WEATHER;
  const added = text({ methods: [WEATHER] });
  const before = await loadPlans(1);
  addEdition(readEdition(added) as Edition);
  expect(methodNames()).toContain(name);
  expect(await loadPlans(1)).not.toBe(before);
  removeEdition(NEW.id as EditionId);
  expect(methodNames()).not.toContain(name);
  expect(editionNamed(NEW.id)).toBeUndefined();
  removeEdition('v1-2.4.0');
  expect(editionNamed('v1-2.4.0')).toBe('v1-2.4.0');
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
  [text({ id: 'v2-9.9.9' }), '`id` does not begin with `v1-`'],
  [text({ on: 'v2-2026-11' }), '`on` is not a known edition of v1: "v2-2026-11"'],
  [text({ on: undefined, schema: undefined }), '`on` or `schema.shapes` is missing'],
  [shapes({ A: { is: 'odd' } }), '`schema.shapes.defs.A` is not a shape'],
  [shapes({ A: { is: 'words' } }), '`schema.shapes.defs.A` is not a shape'],
  [shapes({ A: { is: 'string', pattern: '(' } }), '`schema.shapes.defs.A` is not a shape'],
  [shapes({ A: { is: 'object', fields: { b: {} } } }), '`schema.shapes.defs.A.fields.b` is not a'],
  [shapes({ A: { is: 'array', of: { is: 'ref', to: 'A' } } }), '`schema.shapes.defs.A` refers to'],
  [text({ schema: { shapes: { ...SHAPES, methods: { 'agent x': 1 } } } }), 'methods["agent x"]`'],
  [text({ schema: { shapes: { defs: {} } } }), '`schema.shapes.methods` is not an object'],
  [text({ counts: { 'a/b': 'fatal' } }), '`counts` is not an object of "error", "warning"'],
  [text({ gates: { a: 1 } }), '`gates` is not an object of strings'],
  [text({ features: [{}] }), '`features` is not a list of objects with `id` and `words`'],
  [text({ features: [{ id: 'a', words: 'a', stable: { A: 'b' } }] }), '`features[0].stable` is'],
  [text({ features: [{ id: 'a', words: 'a', values: { A: { b: 1 } } }] }), '`features[0].values`'],
  [text({ drafts: { fields: { A: 'any' } } }), '`drafts.fields` has a definition'],
  [text({ drafts: { values: { A: 5 } } }), '`drafts.values` has a definition'],
  [
    text({ methods: [{ ...WEATHER, gate: { by: 'agent', paths: [] } }] }),
    '`methods` is not a list',
  ],
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
