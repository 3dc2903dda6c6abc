// Which paths of a launch may be of another machine, as far as their words and the tables of this one tell. To look at one is to
// reach that machine, on Windows with the person's credentials: nothing does before somebody said yes.
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { isUrl } from '../../lib/program-name.ts';
import type { Launch } from '../../link/messages.ts';
import { programPlaces } from '../agents/find-program.ts';
import { isInside } from '../host/roots.ts';
import { endsHere, MOUNTS } from '../far-disks.ts';
import { isLocal } from '../look.ts';

type Paths = Pick<Launch, 'argv' | 'cwd' | 'env' | 'roots'>;

/** Each once, without those of the person's own choice: home, our own folder, what was `allowed`. */
export async function farPaths(
  launch: Paths,
  allowed: readonly Paths[],
  platform: string = process.platform,
): Promise<readonly string[]> {
  // Of another system than this one, or of one that does not tell, the words are all there is.
  const mounts = (platform === process.platform && (await MOUNTS.read())) || [];
  const isNear = (path: string) =>
    isLocal(path, platform) && endsHere(path, mounts, (link) => isLocal(link, platform));
  const far = [...new Set(pathsOf(launch, platform))].filter((path) => !isNear(path));
  if (far.length === 0) return far;
  const own = [process.cwd(), homedir(), ...allowed.flatMap((one) => pathsOf(one, platform))];
  return far.filter((path) => !own.some((folder) => isInside(path, folder)));
}

/** What is looked at to start it. Our own PATH is not part of it. */
function pathsOf({ argv, cwd, env, roots }: Paths, platform: string): readonly string[] {
  const [name = ''] = argv;
  if (isUrl(argv)) return [cwd, ...roots];
  // From behind a link, `..` may lead to more than the words of the folder say.
  const climbs = name.includes('..') && !isAbsolute(name) && platform !== 'win32';
  const names = climbs ? [name, join('/', name)] : [name];
  return [cwd, ...roots, ...names.flatMap((one) => programPlaces(one, cwd, env, platform))];
}
