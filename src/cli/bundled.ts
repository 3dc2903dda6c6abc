// Of other people's packages, which stand in what is built: a CycloneDX list beside it, with the text of each
// licence, since who installs the package gets their code and no package of them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Where a package lies, by a module of it. */
const PACKAGE = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** The folders of packages that these modules are of, each once. `ids` are those of a bundler. */
export function packagesOf(ids: Iterable<string>): readonly string[] {
  const folders = [...ids].flatMap((id) => PACKAGE.exec(id.replace(/^\0/, ''))?.[0] ?? []);
  return [...new Set(folders)].sort();
}

/** A component of CycloneDX 1.6, read from the folder of a package. */
export function componentOf(folder: string) {
  const text = readFileSync(join(folder, 'package.json'), 'utf8');
  const { name, version, license = 'as its text says' } = JSON.parse(text) as Manifest;
  const by = /^[\w.+-]+$/.test(license) ? { id: license } : { name: license };
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(?:\.\w+)?$/i.test(entry));
  const content = file && readFileSync(join(folder, file), 'utf8');
  return {
    ...{ type: 'library', name, version },
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [{ license: { ...by, ...(content && { text: { content } }) } }],
  };
}

/**
 * Two plugins: of the workers of a build, which tells what they hold, and of the build itself, which
 * writes `sbom.cdx.json` of both.
 */
export function bundledPackages(): { readonly inWorker: () => Plugin; readonly all: Plugin } {
  const ids = new Set<string>();
  const collect = (
    bundle: Readonly<Record<string, { readonly moduleIds?: readonly string[] }>>,
  ) => {
    for (const { moduleIds = [] } of Object.values(bundle)) for (const id of moduleIds) ids.add(id);
  };
  return {
    inWorker: () => ({
      name: 'bundled-packages-in-worker',
      generateBundle: (_, bundle) => collect(bundle as Parameters<typeof collect>[0]),
    }),
    all: {
      name: 'bundled-packages',
      generateBundle(_, bundle) {
        collect(bundle as Parameters<typeof collect>[0]);
        const components = packagesOf(ids).map(componentOf);
        const sbom = { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, components };
        const source = `${JSON.stringify(sbom, undefined, 2)}\n`;
        this.emitFile({ type: 'asset', fileName: 'sbom.cdx.json', source });
      },
    },
  };
}
