// The schemas at hand are those of SDK 2.4.0, or those of an edition that is used in their place. What
// later editions made stable, or added, is laid over them here, marked with its feature: who reads a
// remark says whether the edition at hand has that.
import type { EditionId, FieldShapes, ShapeName, Values } from '../editions/edition.ts';
import type { Feature } from '../editions/feature.ts';
import { BASE, EDITION_IDS, EDITIONS, ownSchemas, revision } from '../editions/editions.ts';
import type { Version } from '../methods.ts';
import { Plans } from './plan.ts';
import type { Case, Field, ObjectShape, Shape, Shapes, Standing } from './shape.ts';

/** The schemas with what the editions of their version add; an own addition of the schemas wins. */
export function amended(version: Version, shapes: Shapes): Shapes {
  const editions = EDITION_IDS.map((id) => EDITIONS[id]).filter((one) => one.version === version);
  const defs = { ...shapes.defs };
  for (const { id: since, stable = {}, values = {} } of editions.flatMap(
    ({ features = [] }) => features,
  )) {
    for (const [name, names] of Object.entries(stable))
      change(defs, name, (def) => settled(def, since, names));
    addValues(defs, values, { since, novel: true });
  }
  for (const { fields = {}, values = {} } of editions.flatMap(({ drafts }) => drafts ?? [])) {
    for (const [name, more] of Object.entries(fields))
      change(defs, name, (def) => ({ ...def, fields: { ...draftFields(more), ...def.fields } }));
    addValues(defs, values, { unstable: true, novel: true });
  }
  return { ...shapes, defs };
}

function change(
  defs: Record<string, Shape>,
  name: string,
  by: (def: ObjectShape) => ObjectShape,
): void {
  const def = defs[name];
  if (def?.is === 'object') defs[name] = by(def);
}

function draftFields(fields: Readonly<Record<string, ShapeName>>): Record<string, Field> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, to]) => [name, { shape: named(to), unstable: true }]),
  );
}

/** What stood there as unstable and is stable since. */
function settled(def: ObjectShape, since: Feature, names: readonly string[]): ObjectShape {
  const { fields, cases } = def;
  const mark = <T extends Standing>(name: string, one: T): T => {
    if (!names.includes(name) || !one.unstable) return one;
    const { unstable: _, ...rest } = one;
    return { ...rest, since } as T;
  };
  return {
    ...def,
    ...(fields && {
      fields: Object.fromEntries(
        Object.entries(fields).map(([name, field]) => [name, mark(name, field)]),
      ),
    }),
    ...(cases && { cases: cases.map((one) => mark(one.value, one)) }),
  };
}

/** Adds values to tagged unions and to lists of words. */
function addValues(defs: Record<string, Shape>, values: Values, standing: Standing): void {
  for (const [name, cases] of Object.entries(values)) {
    const def = defs[name];
    const known = def?.is === 'object' ? def.cases : def?.is === 'words' ? def.values : undefined;
    if (known === undefined) continue;
    const more = Object.entries(cases)
      .filter(([value]) => !known.some((one) => one.value === value))
      .map(([value, fields]): Case => ({ value, ...standing, shape: shapeOf(fields) }));
    if (def?.is === 'object') defs[name] = { ...def, cases: [...(def.cases ?? []), ...more] };
    else if (def?.is === 'words') defs[name] = { ...def, values: [...def.values, ...more] };
  }
}

function shapeOf(fields: FieldShapes): ObjectShape {
  if (fields === 'any') return { is: 'object', open: true };
  return {
    is: 'object',
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, to]) => [
        name.replace('?', ''),
        { shape: named(to), ...(name.endsWith('?') ? {} : { required: true as const }) },
      ]),
    ),
  };
}

function named(to: ShapeName): Shape {
  return to === 'any' ? { is: 'any' } : { is: 'ref', to };
}

// The generated schemas, loaded when first asked for: they are too heavy for the page's start.

/** By version and by the edition whose schemas they are, as long as no edition is added or removed. */
const made = new Map<string, Promise<Plans>>();
let madeAt = revision;

/** The schemas of an edition of this version; if none is given, those that every trace is checked against. */
export function loadPlans(version: Version, edition: EditionId = BASE[version]): Promise<Plans> {
  if (madeAt !== revision) made.clear();
  madeAt = revision;
  const key = `${version} ${ownSchemas(edition) ?? ''}`;
  const plans = made.get(key) ?? load(version, edition);
  made.set(key, plans);
  return plans;
}

async function load(version: Version, edition: EditionId): Promise<Plans> {
  return new Plans(amended(version, await editionShapes(version, edition)));
}

/** The shapes of an edition of this version, without what editions add. */
export async function editionShapes(version: Version, edition: EditionId): Promise<Shapes> {
  const own = ownSchemas(edition);
  const schema = own && EDITIONS[own].schema;
  if (schema && 'shapes' in schema) return schema.shapes;
  const { shapes } =
    version === 1
      ? await import('./generated/shapes-v1.js')
      : await import('./generated/shapes-v2.js');
  return shapes as Shapes;
}

/** Descriptions by number, in Markdown. */
export async function loadDocs(version: Version): Promise<readonly string[]> {
  const { docs } =
    version === 1 ? await import('./generated/docs-v1.js') : await import('./generated/docs-v2.js');
  return docs as readonly string[];
}
