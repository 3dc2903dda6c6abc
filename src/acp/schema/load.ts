// The schemas at hand are those of SDK 2.4.0. What later editions made stable, or added, is laid over
// them here, marked with its feature: who reads a remark says whether the edition at hand has that.
import {
  EDITION_IDS,
  type Addition,
  type Feature,
  type RequiredFields,
} from '../editions/edition.ts';
import { EDITIONS } from '../editions/editions.ts';
import type { Version } from '../methods.ts';
import { Plans } from './plan.ts';
import type { Case, ObjectShape, Shape, Shapes, Standing } from './shape.ts';

function amended(version: Version, shapes: Shapes): Shapes {
  const editions = EDITION_IDS.map((id) => EDITIONS[id]).filter((one) => one.version === version);
  const defs = { ...shapes.defs };
  for (const { feature, stable = {}, values = {} } of editions.flatMap(({ adds = [] }) => adds)) {
    for (const [name, names] of Object.entries(stable))
      change(defs, name, (def) => settled(def, feature, names));
    for (const [name, cases] of Object.entries(values))
      change(defs, name, (def) => grown(def, feature, cases));
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

/** What stood there as unstable and is stable since. */
function settled(def: ObjectShape, since: Feature, names: readonly string[]): ObjectShape {
  const { fields, cases } = def;
  const mark = <T extends Standing>(name: string, one: T): T => {
    if (!names.includes(name)) return one;
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

function grown(
  def: ObjectShape,
  since: Feature,
  values: Required<Addition>['values'][string],
): ObjectShape {
  const more = Object.entries(values).map(([value, fields]): Case => ({
    value,
    since,
    novel: true,
    shape: shapeOf(fields),
  }));
  return { ...def, cases: [...(def.cases ?? []), ...more] };
}

function shapeOf(fields: RequiredFields): ObjectShape {
  if (fields === 'any') return { is: 'object', open: true };
  return {
    is: 'object',
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, to]) => [
        name,
        { shape: { is: 'ref', to }, required: true },
      ]),
    ),
  };
}

// The generated schemas, loaded when first asked for: they are too heavy for the page's start.

const made: Partial<Record<Version, Promise<Plans>>> = {};

export function loadPlans(version: Version): Promise<Plans> {
  return (made[version] ??= load(version));
}

async function load(version: Version): Promise<Plans> {
  const { shapes } =
    version === 1
      ? await import('./generated/shapes-v1.js')
      : await import('./generated/shapes-v2.js');
  return new Plans(amended(version, shapes as Shapes));
}

/** Descriptions by number, in Markdown. */
export async function loadDocs(version: Version): Promise<readonly string[]> {
  const { docs } =
    version === 1 ? await import('./generated/docs-v1.js') : await import('./generated/docs-v2.js');
  return docs as readonly string[];
}
