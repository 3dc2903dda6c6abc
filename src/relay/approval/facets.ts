// What decides what runs, taken apart: the file, its arguments, its folder, each variable, each folder
// it may read and write, and whether it may run commands. A launch is approved if all of it is.
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { Variable } from '../../lib/variables.ts';
import type { Launch, Problem } from '../../link/messages.ts';
import { realRoots } from '../host/roots.ts';
import { locate, type Located } from '../agents/spawn.ts';

/** A launch as this machine understands it: every path is a real one. */
export interface Settled {
  readonly located: Located;
  readonly roots: readonly string[];
  readonly terminals: boolean;
}

export type Facet =
  | { readonly kind: 'file'; readonly file: string; readonly real: string }
  | { readonly kind: 'argv'; readonly argv: readonly string[] }
  | { readonly kind: 'cwd'; readonly cwd: string }
  | { readonly kind: 'env'; readonly name: string; readonly value: string }
  | { readonly kind: 'root'; readonly root: string }
  | { readonly kind: 'terminals' };

/** Facets as keys. What runs must be the same; what it may besides may be less. */
export interface Approved {
  readonly same: readonly string[];
  readonly most: readonly string[];
}

export type Settling =
  | { readonly ok: true; readonly settled: Settled }
  | { readonly ok: false; readonly problem: Problem };

/** A launch as a page wrote it, its folders as absolute paths; `~` is the person's own. */
export function withFolders(launch: Launch): Launch {
  const at = (path: string) =>
    resolve(/^~(?=$|[\\/])/.test(path) ? homedir() + path.slice(1) : path);
  return { ...launch, cwd: at(launch.cwd), roots: launch.roots.map(at) };
}

/** Folders to touch that do not exist are left out: they are neither asked about nor given. */
export async function settle({ argv, cwd, env, roots, terminals }: Launch): Promise<Settling> {
  const [locating, real] = await Promise.all([locate({ argv, cwd, env }), realRoots(roots)]);
  if (!locating.ok) return locating;
  const { located } = locating;
  return { ok: true, settled: { located, roots: real, terminals: terminals === true } };
}

export function facetsOf({ located, roots, terminals }: Settled): readonly Facet[] {
  const { argv, env, file, realFile: real, realCwd: cwd } = located;
  return [{ kind: 'file', file, real }, ...wordFacets({ argv, cwd, env, roots, terminals })];
}

/** The same without the file, which these words find. All folders are real ones. */
export function wordFacets({
  argv,
  cwd,
  env,
  roots,
  terminals,
}: Omit<Launch, 'name' | 'terminals'> & { readonly terminals: boolean }): readonly Facet[] {
  return [
    { kind: 'argv', argv },
    { kind: 'cwd', cwd },
    ...variables(env).map((variable) => ({ kind: 'env', ...variable }) as const),
    ...roots.map((root) => ({ kind: 'root', root }) as const),
    ...(terminals ? [{ kind: 'terminals' } as const] : []),
  ];
}

/** Whether a facet is part of what runs; the others say what it may besides. */
export function decides({ kind }: Facet): boolean {
  return kind !== 'root' && kind !== 'terminals';
}

export function approvedOf(facets: readonly Facet[], keyOf: (facet: Facet) => string): Approved {
  return {
    same: facets.filter(decides).map(keyOf),
    most: facets.filter((facet) => !decides(facet)).map(keyOf),
  };
}

/** Whether the launch of these facets is approved by that. */
export function covers(approved: Approved, launch: Approved): boolean {
  const [same, most] = [new Set(approved.same), new Set(approved.most)];
  return (
    same.size === new Set(launch.same).size &&
    launch.same.every((key) => same.has(key)) &&
    launch.most.every((key) => most.has(key))
  );
}

// Words and colours of the output. What is in the value could name a file or a command nowhere.
const HARMLESS =
  /^(?:LANG|LANGUAGE|LC_[A-Z]+|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|COLUMNS|LINES)$/;
const PLAIN = /^[\w.@-]*$/;

/** Those that can change what runs. */
export function variables(env: Launch['env']): readonly Variable[] {
  return Object.entries(env)
    .map(([name, value]) => ({ name, value }))
    .filter(({ name, value }) => !(HARMLESS.test(name) && PLAIN.test(value)));
}
