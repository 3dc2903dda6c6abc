// Where a path really leads, and whether that is inside the folders a person chose. Decided
// on the real path, after every link is followed; what cannot be decided is outside.
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { CODE } from '../../acp/message.ts';
import type { HostResult } from '../../link/messages.ts';

type HostError = Extract<HostResult, { readonly ok: false }>;

export function hostError(code: number, message: string): HostError {
  return { ok: false, error: { code, message } };
}

export const OUTSIDE = hostError(CODE.invalidParams, 'path is outside the allowed roots');

type AllowedPlace =
  /** `real`: no link in it, and inside. */
  { readonly ok: true; readonly real: string; readonly exists: boolean } | HostError;

/** Real paths, all of them. */
export interface Reach {
  readonly roots: readonly string[];
  /** Inside a root or not, nothing in here is reached: it holds what lets others in. */
  readonly closed: string;
}

/** The roots as they really are, each once; ones that do not exist allow nothing. */
export async function realRoots(roots: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(roots.map((root) => realpath(root).catch(() => undefined)));
  return [...new Set(found)].filter((root) => root !== undefined);
}

/** The place a path names; if it does not exist, its deepest folder that does decides. */
export async function place(path: string, reach: Reach): Promise<AllowedPlace> {
  if (!isAbsolute(path) || path.includes('\0') || path.startsWith('\\\\')) return OUTSIDE;
  let missing = '';
  for (let at = path; ; at = dirname(at)) {
    const real = await realpath(at).catch(() => undefined);
    if (real !== undefined) {
      const whole = missing === '' ? real : join(real, missing);
      return isReached(whole, reach) ? { ok: true, real: whole, exists: missing === '' } : OUTSIDE;
    }
    // A link that leads nowhere is there, and must not be written through.
    if (await lstat(at).catch(() => undefined)) return OUTSIDE;
    if (dirname(at) === at || basename(at) === '..') return OUTSIDE;
    missing = join(basename(at), missing);
  }
}

export function isReached(real: string, { roots, closed }: Reach): boolean {
  return roots.some((root) => isInside(real, root)) && !isInside(real, closed);
}

/** `/w` holds `/w/x` and itself, and not `/w-other`. */
export function isInside(real: string, root: string): boolean {
  return real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);
}
