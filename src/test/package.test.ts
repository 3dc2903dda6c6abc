import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('S-18: what is installed needs no other package, runs nothing, and is what was built and its docs', () => {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { scripts, files, publishConfig, ...fields } = JSON.parse(text) as {
    scripts: Record<string, string>;
    files: string[];
    publishConfig: { provenance: boolean };
  };
  for (const kind of ['dependencies', 'optionalDependencies', 'peerDependencies'])
    expect(fields).not.toHaveProperty(kind);
  expect(Object.keys(scripts).filter((name) => /install|^prepare$/.test(name))).toEqual([]);
  expect(files).toEqual(['dist', 'dist-node', 'docs/*.md']);
  // Whoever installs it can ask which commit and which run it was made by.
  expect(publishConfig.provenance).toBe(true);
});
