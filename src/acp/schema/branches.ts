// Which branch of a union a value may be meant for, and how far it is from it.
import { isObject } from '../json.ts';
import type { Json } from '../message.ts';
import type { Layout, Plan } from './plan.ts';
import type { SchemaRemark } from './remark.ts';

/** The fields that tell a way apart. */
export function requiredNames(layout: Layout): readonly string[] {
  return layout.required.map(({ name }) => name);
}

/** Whether the schema allows what a remark is on. */
export function isAllowed({ kind }: SchemaRemark): boolean {
  return kind !== 'wrong' && kind !== 'lenient';
}

/** How far a branch is from what was meant. */
export function weight(remarks: readonly SchemaRemark[]): number {
  let sum = 0;
  for (const { kind } of remarks) sum += kind === 'wrong' ? 1000 : kind === 'lenient' ? 100 : 1;
  return sum;
}

/** Whether a value is of the kind that a branch is for. */
export function isOfType(plan: Plan, value: Json): boolean {
  switch (plan.is) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'string':
    case 'words':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'null':
      return value === null;
    case 'any':
    case 'either':
      return true;
  }
}
