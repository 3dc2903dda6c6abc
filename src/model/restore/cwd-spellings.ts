// The spellings of a working directory to restore a session with: agents find sessions by it, and
// each spelling tells something else about how.
import { isAbsolutePath } from '../../lib/absolute-path.ts';

type CwdSpelling = 'exact' | 'slash' | 'relative' | 'other' | 'missing';

interface CwdChoice {
  readonly id: CwdSpelling;
  readonly name: string;
  readonly cwd: string;
  /** What the protocol makes of it, in a few words. */
  readonly due: string;
}

/** `cwd`: the session's own. None where it is not absolute: there is nothing to vary. */
export function cwdChoices(cwd: string | undefined): readonly CwdChoice[] {
  if (cwd === undefined || !isAbsolutePath(cwd)) return [];
  const slash = !cwd.includes('/') && cwd.includes('\\') ? '\\' : '/';
  const bare = cwd.endsWith(slash) && cwd.length > 1 ? cwd.slice(0, -1) : cwd;
  const cut = bare.lastIndexOf(slash);
  const name = bare.slice(cut + 1);
  const parent = bare.slice(0, cut) || slash;
  return [
    { id: 'exact', name: 'exact', cwd, due: 'the session’s own' },
    {
      id: 'slash',
      name: cwd === bare ? 'trailing slash' : 'no trailing slash',
      cwd: cwd === bare ? `${bare}${slash}` : bare,
      due: 'the same folder: restored alike',
    },
    {
      id: 'relative',
      name: 'relative',
      cwd: name === '' ? '.' : name,
      due: 'must be absolute: −32602',
    },
    { id: 'other', name: 'other', cwd: parent, due: 'another folder: may be rejected, −32602' },
    {
      id: 'missing',
      name: 'deleted',
      cwd: `${bare === slash ? '' : bare}${bare.endsWith(slash) ? '' : '-'}deleted`,
      due: 'a folder that is not there: may be rejected',
    },
  ];
}

/** Which spelling of the session's cwd this is; undefined: another folder altogether. */
export function spellingOf(cwd: string, own: string | undefined): CwdChoice | undefined {
  return cwdChoices(own).find((choice) => choice.cwd === cwd);
}
