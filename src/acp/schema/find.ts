// Finds the plan of a place in a message: for words beside a field, for completion, and to see
// whether the other version knows what this one does not.
import { get, type JsonPath } from '../json.ts';
import { valueAt } from '../json-pointer.ts';
import type { Json } from '../message.ts';
import type { FieldPlan, Layout, Plan } from './plan.ts';

/** A place that the schema knows; `field` where it is the field of an object. */
export interface FoundField {
  readonly plan: Plan;
  readonly field?: FieldPlan;
}

/**
 * @param value of the root, to tell which variant is meant; where it says nothing, any will do
 * @param path from the root on
 */
export function findPlan(
  root: Plan,
  value: Json | undefined,
  path: JsonPath,
): FoundField | undefined {
  let found: FoundField = { plan: root };
  let here = value;
  for (const step of path) {
    const next = below(found.plan, here, String(step));
    if (!next) return undefined;
    found = next;
    here = valueAt(here, [step]);
  }
  return found;
}

function below(plan: Plan, value: Json | undefined, step: string): FoundField | undefined {
  switch (plan.is) {
    case 'array':
      return { plan: plan.of };
    case 'object':
      for (const layout of layoutsOf(plan.layout(), value, true)) {
        const field = layout.fields.get(step);
        if (field) return { plan: field.plan, field };
        if (layout.map) return { plan: layout.map };
      }
      return undefined;
    case 'either':
      for (const branch of plan.of) {
        const found = below(branch, value, step);
        if (found) return found;
      }
      return undefined;
    default:
      return undefined;
  }
}

/** The layouts of an object, or of the objects among the branches of a union. */
export function objectLayouts(
  plan: Plan,
  value: Json | undefined,
  wide: boolean,
): readonly Layout[] {
  if (plan.is === 'object') return layoutsOf(plan.layout(), value, wide);
  if (plan.is !== 'either') return [];
  return plan.of.flatMap((branch) => objectLayouts(branch, value, wide));
}

/** Where a value has chosen, one layout; else the one before the choice, or (`wide`) all behind it. */
function layoutsOf(layout: Layout, value: Json | undefined, wide: boolean): readonly Layout[] {
  const next = nextLayouts(layout, value, wide);
  return next.length === 0 ? [layout] : next.flatMap((one) => layoutsOf(one, value, wide));
}

function nextLayouts(
  { choice }: Layout,
  value: Json | undefined,
  wide: boolean,
): readonly Layout[] {
  if (!choice) return [];
  if (choice.by === 'ways') {
    const has = (way: (typeof choice.ways)[number]) =>
      way.alone().required.every(({ name }) => get(value, name) !== undefined);
    const fitting = choice.ways.find(has);
    if (fitting) return [fitting.layout()];
    return wide ? choice.ways.map((way) => way.layout()) : [choice.every()];
  }
  const said = get(value, choice.tag.name);
  const known = typeof said === 'string' ? choice.known.get(said) : undefined;
  if (known) return [known.layout()];
  const { untagged, other } = choice;
  if (wide && said === undefined) {
    const all = [...choice.known.values()].map((one) => one.layout());
    return untagged ? [untagged(), ...all] : all;
  }
  const rest = typeof said === 'string' ? (other ?? untagged) : untagged;
  return rest ? [rest()] : [];
}
