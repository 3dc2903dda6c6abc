// Files that another program runs, or that name what it runs, without a person naming them: an agent with
// the right to write files, and without terminals, would start programs through them.
import { lstat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * By the program that obeys them. A pattern is parts of a path, one after the other, anywhere in it; `*` is
 * any letters of one part; a pattern that begins with `/` begins at the root, with or without a drive. The
 * table is the same on every system: a folder may be shared with another one.
 */
const PATTERNS: Readonly<Record<string, string>> = {
  git: `.git git~* .gitconfig .gitmodules .config/git .githooks .husky .lefthook .lefthook.*
    lefthook.* lefthook-local.* .pre-commit-config.y*ml .overcommit.yml`,
  'another version control': `.hg .hgrc .hgsub mercurial.ini .config/hg .sl .jj .config/jj .svn .subversion .bzr
    .fossil-settings _darcs`,
  ssh: '.ssh .gnupg',
  'a shell': `.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile
    .zlogin .zlogout .zsh .oh-my-zsh .kshrc .mkshrc .cshrc .tcshrc .login .logout .inputrc .envrc .direnvrc
    .config/direnv .autoenv .autoenv.zsh mise.toml mise.*.toml .mise.toml .mise.*.toml .mise .config/mise
    .config/mise.toml .config/zsh .config/fish .config/elvish .elvish .xonshrc .config/xonsh .config/nushell
    .config/powershell profile.ps1 microsoft.*profile.ps1 documents/powershell windowspowershell
    .tmux.conf .config/tmux .screenrc`,
  'the start of a session': `library/launchagents library/launchdaemons library/startupitems
    /users/*/library/preferences start?menu/programs/startup appdata/roaming appdata/local/microsoft
    .config/autostart* .config/plasma-workspace .config/lxsession .config/openbox .config/i3 .config/sway
    .config/hypr .config/systemd .local/share/systemd .kde .kde4
    .config/environment.d .xinitrc .xprofile .xsession .xsessionrc .xserverrc .pam_environment
    /etc /private/etc /usr/local/etc /opt/homebrew/etc /var/spool /private/var/at /usr/lib/cron /lib/systemd
    /usr/lib/systemd /usr/local/lib/systemd /run/systemd /run/user/*/systemd`,
  'an editor': `.vscode .vscode-server .vscode-oss .vscodium .theia *.code-workspace *.sublime-project .idea
    .fleet .nova .zed .config/zed .vs .helix .config/helix .devcontainer .devcontainer.json .vimrc .gvimrc
    .exrc .nvimrc .nvim .nvim.lua .vim .lvimrc _vimrc _gvimrc _exrc vimfiles .config/nvim .kakrc .config/kak
    .emacs .emacs.el .emacs.d .config/emacs .dir-locals.el .dir-locals-2.el application?support/*/user
    .config/*/user`,
  'an agent': `mcp.json .mcp.json mcp?config.json mcp?settings.json .cursor/hooks* .claude.json
    .claude/settings*.json .claude/hooks .codex .gemini/settings.json .gemini/extensions .qwen/settings.json
    .kiro/settings .continue .opencode opencode.json* .crush.json crush.json .aider.conf.yml`,
  'a package manager': `.npmrc .yarnrc .yarnrc.yml .yarn/plugins .yarn/releases .pnpmfile.cjs
    .pnpmfile.mjs .config/pip .gemrc`,
  'a debugger or console': `.gdbinit .config/gdb .lldbinit .pdbrc .ipython .rprofile .irbrc .pryrc .psqlrc
    .sqliterc .ghci .iex.exs .ocamlinit`,
  'another program': '/home/*/.* /users/*/.* /root/.*',
};

/** The root, and folders in which the root of another system, or homes, may be found. */
const ROOT = '^(?:/mnt|/cygdrive|/host|/var|/export|/usr|/system/volumes/data)?(?:/[a-z]:?)?';

const GUARDED = Object.entries(PATTERNS).map(
  ([program, patterns]) =>
    [program, new RegExp(patterns.split(/\s+/).map(source).join('|'))] as const,
);

function source(pattern: string): string {
  const parts = pattern.replaceAll('.', '\\.').replaceAll('?', '.').replaceAll('*', '[^/]*');
  return `${pattern.startsWith('/') ? ROOT : '/'}${parts}/`;
}

/** The program that obeys a file of this path; undefined if none is known. */
export function obeyedBy(path: string): string | undefined {
  const parts = path.split(/[\\/]/).map(folded);
  const spellings = [parts, parts.map(asWindowsReads)].map((way) => `/${way.join('/')}/`);
  const texts = spellings.map((text) => text.replace(/\/+/g, '/'));
  return GUARDED.find(([, guarded]) => texts.some((text) => guarded.test(text)))?.[0];
}

/** One form of all spellings that some file system takes for one name. */
function folded(part: string): string {
  return part
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase();
}

/** Without the name of a stream, and without the dots and blanks that Windows drops at the end. */
function asWindowsReads(part: string): string {
  return part.replace(/(?<=.):.*$/s, '').replace(/[. ]+$/, '');
}

/** The names that make a folder a repository: git takes one with HEAD and either `commondir` or the other two. */
const PIECES = ['head', 'commondir', 'objects', 'refs'] as const;
type Piece = (typeof PIECES)[number];

/** True if a file of this path has a part that can be a piece of a repository. */
export function holdsPiece(path: string): boolean {
  return path.split(/[\\/]/).some((part) => pieceOf(part) !== undefined);
}

function pieceOf(part: string): Piece | undefined {
  const name = asWindowsReads(folded(part));
  return PIECES.find((piece) => piece === name);
}

/**
 * The folder that git would take for a repository once this file is written, whose `config` and `hooks` it
 * then obeys; undefined if there is none. Looked for from the file upwards, as git does: it stops where a
 * `.git` is.
 *
 * @param real an absolute path without links
 */
export async function repositoryAround(real: string): Promise<string | undefined> {
  for (let at = real, folder = dirname(at); folder !== at; at = folder, folder = dirname(at)) {
    const inFolder = (name: string) => isThere(join(folder, name));
    const written = pieceOf(basename(at));
    const has = async (piece: Piece, name: string) => piece === written || (await inFolder(name));
    if (await has('head', 'HEAD')) {
      const isWhole = (await has('objects', 'objects')) && (await has('refs', 'refs'));
      if (isWhole || (await has('commondir', 'commondir'))) return folder;
    }
    if (await inFolder('.git')) return undefined;
  }
  return undefined;
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
