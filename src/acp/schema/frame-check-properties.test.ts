// The checker beside Ajv, which judges by the same schemas: for sound messages, for messages spoilt
// in one place, and for values made from the schemas themselves, both say the same.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Validators } from '../../test/validators.ts';
import type { Json } from '../message.ts';
import type { Role, Version } from '../methods.ts';
import { templates } from '../templates.ts';
import { frameRemarks, loadSchemaSet } from './frame-check.ts';
import type { SchemaRemark } from './frame-check.ts';
import type { Part } from './shape.ts';

const sets = { 1: await loadSchemaSet(1), 2: await loadSchemaSet(2) };
const oracles = {
  1: { stable: new Validators(1, true), unstable: new Validators(1, false) },
  2: { stable: new Validators(2, true), unstable: new Validators(2, false) },
};

interface Target {
  readonly version: Version;
  readonly from: Role;
  readonly method: string;
  readonly part: Part;
  readonly value: Json;
}

function remarksOn({ version, from, method, part, value }: Target): readonly SchemaRemark[] {
  const id = { type: 'number', token: '1' } as const;
  if (part === 'result')
    return frameRemarks(sets[version], from, { kind: 'success', id, result: value }, method);
  if (part === 'params')
    return frameRemarks(sets[version], from, { kind: 'request', id, method, params: value });
  return frameRemarks(sets[version], from, { kind: 'notification', method, params: value });
}

const isFault = ({ kind }: SchemaRemark) => kind === 'wrong' || kind === 'lenient';
/** Breaks only the stable schema, if any. */
const mayBreakStable = (remark: SchemaRemark) => isFault(remark) || remark.kind === 'unstable';
const isMeta = ({ kind }: SchemaRemark) => kind === 'meta';

function expectAgreement(target: Target): void {
  const { version, from, method, part, value } = target;
  const remarks = remarksOn(target);
  const unstable = oracles[version].unstable.of(from, method, part);
  if (!unstable) throw new Error(`no schema for ${method}`);
  const told = JSON.stringify({ target, remarks });
  if (remarks.some(isFault)) expect(unstable(value), told).toBe(false);
  else if (!remarks.some(isMeta)) expect(unstable(value), told).toBe(true);
  const stable = oracles[version].stable.of(from, method, part);
  if (!stable || remarks.some(isMeta)) return;
  if (!remarks.some(mayBreakStable)) expect(stable(value), told).toBe(true);
  if (remarks.some(isFault) && !remarks.some(({ kind }) => kind === 'unstable'))
    expect(stable(value), told).toBe(false);
}

/** Sound params of every method. */
const sound: readonly Target[] = ([1, 2] as const).flatMap((version) =>
  (['client', 'agent'] as const).flatMap((from) =>
    templates(version, from).map(({ method, kind, text }) => {
      const part: Part = kind === 'request' ? 'params' : 'notification';
      const { params } = JSON.parse(text) as { params: Json };
      return { version, from, method, part, value: params };
    }),
  ),
);

const odd = fc.oneof(
  fc.constantFrom<Json>(null, 0, -1, 1.5, '', 'x', '_x', true, [], {}, [{}], 2 ** 40),
  fc.constantFrom<Json>({ type: 'x' }, { type: 'text' }, { type: 'http', name: 'a' }, 'text'),
  fc.jsonValue() as fc.Arbitrary<Json>,
);
const spoilt = fc
  .tuple(fc.constantFrom(...sound), fc.nat(), odd, fc.constantFrom('set', 'drop', 'add'))
  .map(([target, at, to, how]) => ({ ...target, value: spoil(target.value, at, to, how) }));

describe('the checker and Ajv', () => {
  test('agree on sound messages', () => {
    for (const target of sound) expectAgreement(target);
  });
  test('agree on a message with one place spoilt', () => {
    fc.assert(fc.property(spoilt, expectAgreement), { numRuns: 3000 });
  });
});

/** Changes the `at`-th place of a value: sets it, drops it, or puts a new field beside it. */
function spoil(value: Json, at: number, to: Json, how: string): Json {
  const copy = structuredClone(value) as Json;
  const places: (() => void)[] = [];
  const walk = (inner: Json): void => {
    if (typeof inner !== 'object' || inner === null) return;
    const holder = inner as Record<string, Json>;
    for (const key of Object.keys(holder)) {
      places.push(() => {
        if (how === 'set') holder[key] = to;
        else if (how === 'add') holder['extra'] = to;
        else if (Array.isArray(holder)) holder.splice(Number(key), 1);
        else delete holder[key];
      });
      walk(holder[key] ?? null);
    }
  };
  walk(copy);
  places[at % Math.max(1, places.length)]?.();
  return copy;
}
