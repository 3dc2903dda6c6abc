// What decides what runs, taken apart: the file, its arguments, its folder, each variable, each folder
// it may read and write, and whether it may run commands; of a URL, that and each header. A launch is
// approved if all of it is.
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { isUrl } from '../../lib/program-name.ts';
import type { Variable } from '../../lib/variables.ts';
import type { Launch, Problem } from '../../link/messages.ts';
import { realRoots } from '../host/roots.ts';
import { locateProgram } from '../agents/spawn.ts';
import type { Target } from '../agents/target.ts';
import { addressOf } from '../transports/address.ts';

/** A launch as this machine understands it: every path is a real one. */
export interface SettledLaunch {
  readonly target: Target;
  readonly roots: readonly string[];
  readonly terminals: boolean;
}

export type Facet =
  | { readonly kind: 'file'; readonly file: string; readonly real: string }
  | { readonly kind: 'argv'; readonly argv: readonly string[] }
  | { readonly kind: 'cwd'; readonly cwd: string }
  | { readonly kind: 'env' | 'header'; readonly name: string; readonly value: string }
  | { readonly kind: 'root'; readonly root: string }
  | { readonly kind: 'terminals' }
  | FarFacet;

/** A path that may be of another machine, as a page wrote it: what may be looked at, and no more. */
export interface FarFacet {
  readonly kind: 'far';
  readonly path: string;
}

/** Facets as keys. What runs must be the same; what it may besides may be less. */
export interface Approved {
  readonly same: readonly string[];
  readonly most: readonly string[];
}

export type Settling =
  | { readonly ok: true; readonly settled: SettledLaunch }
  | { readonly ok: false; readonly problem: Problem };

/** A launch as a page wrote it, its folders as absolute paths; `~` is the person's own. */
export function withFolders(launch: Launch): Launch {
  const at = (path: string) =>
    resolve(/^~(?=$|[\\/])/.test(path) ? homedir() + path.slice(1) : path);
  return { ...launch, cwd: at(launch.cwd), roots: launch.roots.map(at) };
}

/** Folders to touch that do not exist are left out: they are neither asked about nor given. */
export async function settle({ roots, terminals, ...launch }: Launch): Promise<Settling> {
  const [found, real] = await Promise.all([targetOf(launch), realRoots(roots)]);
  if (!found.ok) return found;
  const { target } = found;
  return { ok: true, settled: { target, roots: real, terminals: terminals === true } };
}

/** Nothing is asked of the network: a host that is not approved is not even looked up. */
async function targetOf({
  argv,
  cwd,
  env,
  headers,
}: Pick<Launch, 'argv' | 'cwd' | 'env' | 'headers'>): Promise<
  { readonly ok: true; readonly target: Target } | { readonly ok: false; readonly problem: Problem }
> {
  if (!isUrl(argv)) {
    const locating = await locateProgram({ argv, cwd, env });
    return locating.ok ? { ok: true, target: locating.located } : locating;
  }
  const read = addressOf(argv[0] ?? '', named(headers));
  if (!read.ok) return { ok: false, problem: { code: 'not_found', message: read.message } };
  const realCwd = await realpath(cwd).catch(() => cwd);
  return { ok: true, target: { argv, cwd, realCwd, address: read.address } };
}

export function facetsOf({ target, roots, terminals }: SettledLaunch): readonly Facet[] {
  const { argv, realCwd: cwd } = target;
  const may = { roots, terminals };
  if ('address' in target) return urlFacets(argv, target.address.headers, may);
  const { file, realFile: real, env } = target;
  return [{ kind: 'file', file, real }, ...wordFacets({ argv, cwd, env, ...may })];
}

interface May {
  readonly roots: readonly string[];
  readonly terminals: boolean;
}

/** The same without the file, which these words find. All folders are real ones. */
export function wordFacets({
  argv,
  cwd,
  env,
  headers,
  ...may
}: Omit<Launch, 'name' | 'terminals'> & May): readonly Facet[] {
  if (isUrl(argv)) return urlFacets(argv, named(headers), may);
  return [
    { kind: 'argv', argv },
    { kind: 'cwd', cwd },
    ...variables(env).map((variable) => ({ kind: 'env', ...variable }) as const),
    ...mayFacets(may),
  ];
}

/** Wherever the relay runs, a URL leads to the same place. */
function urlFacets(argv: readonly string[], headers: readonly Variable[], may: May): Facet[] {
  return [
    { kind: 'argv', argv },
    ...headers.map(({ name, value }) => ({ kind: 'header', name, value }) as const),
    ...mayFacets(may),
  ];
}

function mayFacets({ roots, terminals }: May): Facet[] {
  return [
    ...roots.map((root) => ({ kind: 'root', root }) as const),
    ...(terminals ? [{ kind: 'terminals' } as const] : []),
  ];
}

/** Whether a facet is part of what runs; the others say what it may besides. */
function decides({ kind }: Facet): boolean {
  return kind !== 'root' && kind !== 'terminals';
}

export function approvedOf(facets: readonly Facet[], keyOf: (facet: Facet) => string): Approved {
  return {
    same: facets.filter(decides).map(keyOf),
    most: facets.filter((facet) => !decides(facet)).map(keyOf),
  };
}

export function isSame(a: Launch, b: Launch | undefined): boolean {
  return b !== undefined && a.cwd === b.cwd && JSON.stringify(a.argv) === JSON.stringify(b.argv);
}

/** Whether the launch of these facets is approved by that. */
export function isApprovedBy(approved: Approved, launch: Approved): boolean {
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
  return named(env).filter(({ name, value }) => !(HARMLESS.test(name) && PLAIN.test(value)));
}

function named(values: Readonly<Record<string, string>> = {}): readonly Variable[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}
