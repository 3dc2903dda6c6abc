// The generated schemas, loaded when first asked for: they are too heavy for the page's start.
import type { Version } from '../methods.ts';
import type { Shapes, Validators } from './shape.ts';

export async function loadShapes(version: Version): Promise<Shapes> {
  const made =
    version === 1
      ? await import('./generated/shapes-v1.js')
      : await import('./generated/shapes-v2.js');
  return made.shapes as Shapes;
}

export async function loadValidators(version: Version, stable: boolean): Promise<Validators> {
  const made =
    version === 1
      ? stable
        ? await import('./generated/valid-v1.js')
        : await import('./generated/valid-v1-unstable.js')
      : stable
        ? await import('./generated/valid-v2.js')
        : await import('./generated/valid-v2-unstable.js');
  return made.validators as Validators;
}
