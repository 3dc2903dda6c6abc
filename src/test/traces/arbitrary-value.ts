// Values that a schema of the SDK allows, made from its plan: of a union any branch, of the optional
// fields any.
import fc from 'fast-check';
import type { Json, JsonObject } from '../../acp/message.ts';
import type { FieldPlan, Layout, Plan } from '../../acp/schema/plan.ts';

const text = fc.oneof(fc.string({ minLength: 1, maxLength: 6 }), fc.constant('/a'));

export function arbitraryOf(plan: Plan): fc.Arbitrary<Json> {
  const some = soundOf(plan);
  return plan.nullable ? fc.oneof({ weight: 4, arbitrary: some }, fc.constant(null)) : some;
}

function soundOf(plan: Plan): fc.Arbitrary<Json> {
  switch (plan.is) {
    case 'any':
      return fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'string':
      return text;
    case 'number': {
      const min = Math.max(plan.min, -(2 ** 31));
      const max = Math.min(plan.max, 2 ** 31 - 1);
      if (plan.integer) return fc.integer({ min, max });
      return fc.double({ min, max, noNaN: true }).map((number) => (number === 0 ? 0 : number));
    }
    case 'words': {
      const known = fc.constantFrom(...plan.known.keys());
      return plan.open ? fc.oneof(known, fc.constant('_own')) : known;
    }
    case 'array':
      return fc.array(arbitraryOf(plan.of), { minLength: plan.min, maxLength: 3 });
    case 'object':
      return objectOf(plan.layout());
    case 'either':
      return fc.oneof(...plan.of.map(arbitraryOf));
  }
}

function objectOf(layout: Layout, tags: JsonObject = {}): fc.Arbitrary<Json> {
  const { choice } = layout;
  if (!choice) return fieldsOf(layout, tags);
  if (choice.by === 'ways')
    return fc
      .oneof(...choice.ways.map((way) => fc.constant(way.layout())))
      .chain((next) => objectOf(next, tags));
  const { tag, known, other, untagged } = choice;
  const branches = [...known]
    .filter(([, { word }]) => !word.novel)
    .map(([value, one]) => ({ value, layout: one.layout }));
  const more = [
    ...(other ? [{ value: '_own', layout: other }] : []),
    ...(untagged ? [{ value: undefined, layout: untagged }] : []),
  ];
  return fc
    .constantFrom<{ value: string | undefined; layout: () => Layout }>(...branches, ...more)
    .chain(({ value, layout: next }) =>
      objectOf(next(), value === undefined ? tags : { ...tags, [tag.name]: value }),
    );
}

function fieldsOf({ fields, map }: Layout, tags: JsonObject): fc.Arbitrary<Json> {
  const plain = [...fields.values()].filter(({ tag }) => !tag);
  const one = ({ plan }: FieldPlan) => arbitraryOf(plan);
  const named = fc.record(Object.fromEntries(plain.map((field) => [field.name, one(field)])), {
    requiredKeys: plain.filter(({ field }) => field.required).map(({ name }) => name),
  });
  const free = map ? fc.dictionary(text, arbitraryOf(map), { maxKeys: 3 }) : fc.constant({});
  const meta = fc.constantFrom<JsonObject>({}, {}, { _meta: null }, { _meta: { 'a/b': [1] } });
  return fc.tuple(named, free, meta).map(([values, others, own]) => ({
    ...(map ? {} : own),
    ...others,
    ...values,
    ...tags,
  }));
}
