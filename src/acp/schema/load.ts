// The generated schemas, loaded when first asked for: they are too heavy for the page's start.
import type { Version } from '../methods.ts';
import { amended } from './amend.ts';
import { Plans } from './plan.ts';
import type { Shapes } from './shape.ts';

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
