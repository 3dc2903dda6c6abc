// The checker beside Ajv, which judges by the same schemas: for values made from the schemas, for
// frames of real agents, and for both when they are spoilt in one place, the two say the same.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import type { ValidateFunction } from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryOf } from '../../test/traces/arbitrary-value.ts';
import { sdkSchema, Validators } from '../../test/traces/validators.ts';
import type { Frame } from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';
import { TraceReader } from '../../trace/read.ts';
import { idKey, parseMessage } from '../message.ts';
import type { Json, Message } from '../message.ts';
import type { Role, Version } from '../methods.ts';
import { templates } from '../templates.ts';
import { frameRemarks, loadSchemaSet } from './frame-check.ts';
import type { SchemaRemark } from './frame-check.ts';
import { shapes as shapes1 } from './generated/shapes-v1.js';
import { shapes as shapes2 } from './generated/shapes-v2.js';
import type { MessagePart, Shapes } from './shape.ts';
import { Walk } from './walk.ts';

const [v1, v2] = [shapes1 as Shapes, shapes2 as Shapes];
const sets = { 1: await loadSchemaSet(1), 2: await loadSchemaSet(2) };
const stable = { 1: sdkSchema(1, true), 2: sdkSchema(2, true) };
const ajvOf = (version: Version) => ({
  stable: new Validators(stable[version]),
  unstable: new Validators(sdkSchema(version, false)),
});
const ajv = { 1: ajvOf(1), 2: ajvOf(2) };
const VERSIONS = [1, 2] as const;

/** Breaks both schemas; a `_meta` that is no object does so too, where the schema speaks of it. */
const isFault = ({ kind }: SchemaRemark) => kind === 'wrong' || kind === 'lenient';
const isMeta = ({ kind }: SchemaRemark) => kind === 'meta';
const isUnstable = ({ kind }: SchemaRemark) => kind === 'unstable';

function expectAgreement(
  remarks: readonly SchemaRemark[],
  value: Json,
  unstable: ValidateFunction,
  stable: ValidateFunction | undefined,
): void {
  const told = () => JSON.stringify({ value, remarks });
  const faulty = remarks.some(isFault);
  if (faulty || !remarks.some(isMeta)) expect(unstable(value), told()).toBe(!faulty);
  if (!stable || remarks.some(isMeta)) return;
  // What only the unstable schema has may be nothing to the stable one, or a fault.
  if (!remarks.some(isUnstable)) expect(stable(value), told()).toBe(!faulty);
}

describe.each(VERSIONS)('values made from the schemas of v%i', (version) => {
  const { plans } = sets[version];
  const walk = new Walk();
  const remarksOn = (name: string, value: Json) => walk.remarks(plans.def(name), value, 'params');
  const check = (name: string, value: Json) => {
    const inStable = name in stable[version].$defs ? ajv[version].stable.def(name) : undefined;
    expectAgreement(remarksOn(name, value), value, ajv[version].unstable.def(name), inStable);
  };
  const names = Object.keys((version === 1 ? v1 : v2).defs);

  test('there are many', () => expect(names.length).toBeGreaterThan(200));
  test.each(names)('%s: none is wrong, and spoilt ones as Ajv says', (name) => {
    const sound = arbitraryOf(plans.def(name));
    fc.assert(
      fc.property(sound, (value) => {
        expect(remarksOn(name, value).filter(isFault)).toEqual([]);
        check(name, value);
      }),
      { numRuns: 30 },
    );
    fc.assert(
      fc.property(spoilt(sound), (value) => check(name, value)),
      { numRuns: 60 },
    );
  });
});

interface Sent {
  readonly version: Version;
  readonly from: Role;
  readonly method: string;
  readonly part: MessagePart;
  readonly value: Json;
}

describe('frames', () => {
  const check = ({ version, from, method, part, value }: Sent) => {
    const judge = ajv[version].unstable.of(from, method, part);
    if (!judge) throw new Error(`no schema for ${method}`);
    const message = messageOf(method, part, value);
    const remarks = frameRemarks(sets[version], from, message, method).filter(
      ({ pointer }) => pointer !== '/method',
    );
    expectAgreement(remarks, value, judge, ajv[version].stable.of(from, method, part));
  };
  const sent = [...ours(), ...recorded()];

  test('of real agents and of templates, as they are', () => sent.forEach(check));
  test('and with one place spoilt', () => {
    const one = fc
      .constantFrom(...sent)
      .chain((target) => spoilt(fc.constant(target.value)).map((value) => ({ ...target, value })));
    fc.assert(fc.property(one, check), { numRuns: 4000 });
  });
  test('of a wrong or missing tag one thing is said: nothing follows from it', () => {
    const tags = new Set(['sessionUpdate', 'type', 'outcome', 'state', 'mode']);
    const count = (target: Sent) =>
      frameRemarks(
        sets[target.version],
        target.from,
        messageOf(target.method, target.part, target.value),
        target.method,
      ).length;
    let told = 0;
    for (const target of sent.filter((one) => count(one) === 0)) {
      placesOf(target.value).forEach(({ key, holder }, at) => {
        if (!tags.has(key) || typeof holder[key] !== 'string') return;
        const [wrong, missing] = ['set', 'drop'].map((how) =>
          count({ ...target, value: spoil(target.value, at, 'nope', how) }),
        );
        const where = JSON.stringify({ target, key });
        expect(wrong, where).toBeLessThanOrEqual(1);
        expect(missing, where).toBeLessThanOrEqual(1);
        told += wrong ?? 0;
      });
    }
    expect(told).toBeGreaterThan(100);
  });
  test('whatever comes, nothing is thrown and every pointer is one', () => {
    const any = fc.record({
      jsonrpc: fc.constant('2.0'),
      id: fc.oneof(fc.integer(), fc.string(), fc.constant(undefined)),
      method: fc.constantFrom('session/update', 'initialize', '__proto__', 'x', undefined),
      params: fc.jsonValue(),
      result: fc.option(fc.jsonValue(), { nil: undefined }),
      error: fc.option(fc.jsonValue(), { nil: undefined }),
    });
    fc.assert(
      fc.property(any, fc.constantFrom(...VERSIONS), (value, version) => {
        const message = parseMessage(JSON.stringify(value));
        const pointers = [undefined, 'initialize', 'constructor'].flatMap((method) =>
          frameRemarks(sets[version], 'agent', message, method).map(({ pointer }) => pointer),
        );
        expect(pointers.filter((pointer) => !/^(?:\/|$)/.test(pointer))).toEqual([]);
      }),
    );
  });
});

function messageOf(method: string, part: MessagePart, value: Json): Message {
  const id = { type: 'number', token: '1' } as const;
  if (part === 'result') return { kind: 'success', id, result: value };
  if (part === 'params') return { kind: 'request', id, method, params: value };
  return { kind: 'notification', method, params: value };
}

/** Sound params of every method. */
function ours(): Sent[] {
  const sides = VERSIONS.flatMap((version) => [
    { version, from: 'client' as const },
    { version, from: 'agent' as const },
  ]);
  return sides.flatMap(({ version, from }) =>
    templates(version, from).map(({ method, kind, text }) => {
      const part: MessagePart = kind === 'request' ? 'params' : 'notification';
      const { params } = JSON.parse(text) as { params: Json };
      return { version, from, method, part, value: params };
    }),
  );
}

/** What the recordings in test/fixtures sent, each answer under the method it answers. */
function recorded(): Sent[] {
  const folder = fileURLToPath(new URL('../../test/fixtures', import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.acptrace.jsonl'))
    .flatMap((name) => {
      const asked = new Map<string, string>();
      return framesOf(join(folder, name)).flatMap(({ from, line }): Sent[] => {
        const message = parseMessage(lineText(line));
        const version = /v2\./.test(name) ? 2 : 1;
        switch (message.kind) {
          case 'request':
            asked.set(`${from} ${idKey(message.id)}`, message.method);
            return [{ version, from, part: 'params', ...callOf(message) }];
          case 'notification':
            return [{ version, from, part: 'notification', ...callOf(message) }];
          case 'success': {
            const asker = from === 'client' ? 'agent' : 'client';
            const method = asked.get(`${asker} ${idKey(message.id)}`);
            return method === undefined
              ? []
              : [{ version, from, part: 'result', method, value: message.result }];
          }
          default:
            return [];
        }
      });
    })
    .filter(({ version, from, method, part }) => ajv[version].unstable.of(from, method, part));
}

function callOf({ method, params }: { readonly method: string; readonly params?: Json }) {
  return { method, value: params ?? {} };
}

function framesOf(path: string): Frame[] {
  const reader = new TraceReader();
  return [...reader.push(readFileSync(path)), ...reader.end()].flatMap((item) =>
    'event' in item && item.event.type === 'frame' ? [item.event] : [],
  );
}

/** Values with one place set to something else, renamed, dropped, or with a field beside it. */
function spoilt(sound: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  const odd = fc.oneof(
    fc.constantFrom<Json>(null, 0, -1, 1.5, '', 'x', '_x', true, [], {}, [{}], 2 ** 40),
    fc.constantFrom<Json>({ type: 'x' }, { type: 'text' }, { type: 'http', name: 'a' }, 'text'),
    fc.jsonValue() as fc.Arbitrary<Json>,
  );
  return fc
    .tuple(sound, fc.nat(), odd, fc.constantFrom('set', 'drop', 'add', 'rename'))
    .map(([value, at, to, how]) => spoil(value, at, to, how));
}

/** Changes the `at`-th place of a value. */
function spoil(value: Json, at: number, to: Json, how: string): Json {
  const copy = structuredClone(value) as Json;
  const places = placesOf(copy);
  const place = places[at % Math.max(1, places.length)];
  if (!place) return copy;
  const { holder, key } = place;
  const held = holder[key] ?? null;
  if (how === 'set') holder[key] = to;
  else if (how === 'add') holder['extra'] = to;
  else if (how === 'rename' && typeof held === 'string') holder[key] = `${held}x`;
  else if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
  return copy;
}

interface Place {
  readonly holder: Record<string, Json>;
  readonly key: string;
}

/** Every key and list place of a value, in the order of its text. */
function placesOf(value: Json): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, Json>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesOf(holder[key] ?? null)]);
}
