import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const BENCH = new URL('../../bench/', import.meta.url);
/** What a benchmark takes from the product: names, and the modules that are said to have them. */
const LOADS = /const \{([^}]*)\}\s*=\s*await load\(([^)]*)\)/g;

interface Loaded {
  readonly names: readonly string[];
  readonly modules: readonly string[];
}

function loadedBy(text: string): readonly Loaded[] {
  return [...text.matchAll(LOADS)].map(([, names = '', modules = '']) => ({
    names: names
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
    modules: [...modules.matchAll(/'([^']+)'/g)].map(([, module = '']) => module),
  }));
}

const loading = readdirSync(BENCH)
  .map((name) => ({ name, loaded: loadedBy(readFileSync(new URL(name, BENCH), 'utf8')) }))
  .filter(({ loaded }) => loaded.length > 0);

test.each(loading)('bench/$name takes what the product has', async ({ loaded }) => {
  for (const { names, modules } of loaded) {
    const found = await Promise.all(
      modules.map((module) => import(new URL(`../${module}`, import.meta.url).href)),
    );
    const known = new Set(found.flatMap((one: object) => Object.keys(one)));
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  }
});

test('the benchmarks that load modules of the product are seen', () => {
  expect(loading.length).toBeGreaterThan(7);
  expect(loadedBy("const { a, b } = await load('x/a.ts');")).toEqual([
    { names: ['a', 'b'], modules: ['x/a.ts'] },
  ]);
});
