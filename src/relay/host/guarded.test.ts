// Files that git, an editor or a login would run are not written for an agent: tried with git itself, which obeys
// files of a repository, and with every spelling of a name.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Host } from './host.ts';
import { obeyedBy } from './guarded.ts';

const posix = process.platform !== 'win32';
let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'acp-scope-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

const hostFor = (root: string) =>
  new Host({ roots: [root], cwd: root, terminals: false, closed: join(folder, 'state') });

/** Git as a person runs it, without the settings of this machine. */
function git(cwd: string, ...args: string[]): void {
  const env = {
    ...process.env,
    ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: join(folder, 'no-settings') },
    ...{ GIT_CEILING_DIRECTORIES: folder, HOME: folder },
    ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a' },
    GIT_COMMITTER_EMAIL: 'a@b',
  };
  const ran = spawnSync('git', args, { cwd, env, encoding: 'utf8' });
  // A repository that an attack has changed may be refused by git: what it ran is what counts.
  if (ran.error) throw new Error('This test needs git, and git was not found. Install git.');
}

/** A project of a person: a repository with a submodule's and a bare repository's folder, and a work tree. */
function project(name: string): string {
  const root = join(folder, name);
  mkdirSync(join(root, 'sub'), { recursive: true });
  writeFileSync(join(root, 'sub', 'a'), 'a');
  git(root, 'init', '-q');
  git(root, 'config', 'extensions.worktreeConfig', 'true');
  git(root, 'add', '.');
  git(root, 'commit', '-qm', 'one');
  git(root, 'worktree', 'add', '-q', 'tree');
  git(root, 'clone', '-q', '--separate-git-dir', 'store', root, 'parted');
  git(root, 'clone', '-q', '--bare', root, 'bare.git');
  return root;
}

interface Attack {
  /** By path in the project, in the order of writing. */
  readonly files: (root: string, config: string) => readonly (readonly [string, string])[];
  /** The folder in which the person runs git. */
  readonly at: string;
}

const REF = 'ref: refs/heads/x\n';
const workingBare = (config: string, root: string, place: string) =>
  `${config}\tbare = false\n\tworktree = ${join(root, place).replaceAll('\\', '/')}\n`;

const ATTACKS: Readonly<Record<string, Attack>> = {
  'the config of the repository': { files: (_, c) => [['.git/config', c]], at: '.' },
  'the config of its work tree': { files: (_, c) => [['.git/config.worktree', c]], at: '.' },
  'another place for its common files': {
    files: (_, config) => [
      ['tools/objects/x', ''],
      ['tools/refs/x', ''],
      ['tools/config', config],
      ['.git/commondir', '../tools\n'],
    ],
    at: '.',
  },
  'a file .git in a folder that leads to a repository beside it': {
    files: (_, config) => [
      ['tools/h/HEAD', REF],
      ['tools/h/objects/x', ''],
      ['tools/h/refs/x', ''],
      ['tools/h/config', config],
      ['sub/.git', 'gitdir: ../tools/h\n'],
    ],
    at: 'sub',
  },
  'a folder that becomes a repository piece by piece, HEAD first': {
    files: (root, config) => [
      ['sub/HEAD', REF],
      ['sub/refs/x', ''],
      ['sub/config', workingBare(config, root, 'sub')],
      ['sub/objects/x', ''],
    ],
    at: 'sub',
  },
  'the same, HEAD last': {
    files: (root, config) => [
      ['sub/config', workingBare(config, root, 'sub')],
      ['sub/objects/x', ''],
      ['sub/refs/x', ''],
      ['sub/HEAD', REF],
    ],
    at: 'sub',
  },
  'a folder with HEAD and commondir': {
    files: (root, config) => [
      ['tools/objects/x', ''],
      ['tools/refs/x', ''],
      ['tools/config', `${config}[extensions]\n\tworktreeConfig = true\n`],
      ['sub/config.worktree', workingBare('[core]\n', root, 'sub')],
      ['sub/HEAD', REF],
      ['sub/commondir', '../tools\n'],
    ],
    at: 'sub',
  },
  'the config of a work tree added to it': {
    files: (_, config) => [['.git/worktrees/tree/config.worktree', config]],
    at: 'tree',
  },
  'the config of a repository that lies elsewhere': {
    files: (_, config) => [['store/config', config]],
    at: 'parted',
  },
  'the config of a bare repository': {
    files: (root, config) => [['bare.git/config', workingBare(config, root, 'sub')]],
    at: 'bare.git',
  },
  'a repository of the agent in a bare one': {
    files: (root, config) => [
      ['bare.git/sub/HEAD', REF],
      ['bare.git/sub/objects/x', ''],
      ['bare.git/sub/refs/x', ''],
      ['bare.git/sub/config', workingBare(config, root, 'sub')],
    ],
    at: 'bare.git/sub',
  },
  ...(posix && {
    'the config behind a link': { files: (_: string, c: string) => [['link/config', c]], at: '.' },
  }),
};

/** A config whose command leaves a file, which git runs to ask what has changed; and that file. */
function canary(name: string) {
  const sung = join(folder, `${name}-sung`).replaceAll('\\', '/');
  return {
    config: `[core]\n\trepositoryformatversion = 0\n\tfsmonitor = "echo >'${sung}'; :"\n`,
    sung,
  };
}

function look(root: string, at: string): void {
  for (const place of [at, join(at, 'below')]) {
    const cwd = join(root, place);
    mkdirSync(cwd, { recursive: true });
    git(cwd, 'status');
    git(cwd, 'log', '-1');
  }
}

test.each(Object.entries(ATTACKS))(
  'P-08: git runs no command of an agent that may write files: %s',
  async (_, { files, at }) => {
    const linked = (root: string) => posix && symlinkSync('.git', join(root, 'link'));
    // Without the defence, the command runs.
    const open = { root: project('open'), ...canary('open') };
    linked(open.root);
    for (const [path, text] of files(open.root, open.config)) {
      mkdirSync(dirname(join(open.root, path)), { recursive: true });
      writeFileSync(join(open.root, path), text);
    }
    look(open.root, at);
    expect(existsSync(open.sung)).toBe(true);

    const held = { root: project('held'), ...canary('held') };
    linked(held.root);
    const host = hostFor(held.root);
    const refused: string[] = [];
    for (const [path, content] of files(held.root, held.config)) {
      const call = { op: 'fs/write_text_file', path: join(held.root, path), content } as const;
      const result = await host.call(call);
      if (!result.ok) refused.push(result.error.message);
      look(held.root, at);
    }
    expect(existsSync(held.sung)).toBe(false);
    expect(refused.length).toBeGreaterThan(0);
    for (const message of refused) expect(message).toMatch(/: git .*could run commands/);
  },
);

test('P-08: two agents that write the last two pieces of a repository at once do not complete it', async () => {
  const root = join(folder, 'w');
  mkdirSync(join(root, 'sub'), { recursive: true });
  writeFileSync(join(root, 'sub', 'HEAD'), REF);
  const results = await Promise.all(
    ['objects/x', 'refs/x'].map((name) =>
      hostFor(root).call({ op: 'fs/write_text_file', path: join(root, 'sub', name), content: '' }),
    ),
  );
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  expect(readdirSync(join(root, 'sub'))).toHaveLength(2);
});

/** One path each of what is obeyed, and by whom. */
const OBEYED = {
  git: ['.git', '.gitconfig', '.gitmodules', '.husky/pre-commit', 'lefthook.yml'],
  'another version control': ['.hg/hgrc', '.hgrc', '.jj/repo/config.toml', '.sl/config', '.svn/x'],
  ssh: ['.ssh/config', '.ssh/authorized_keys'],
  'a shell': [
    '.bashrc',
    '.zshenv',
    '.envrc',
    'mise.toml',
    '.mise.local.toml',
    '.config/direnv/direnvrc',
    '.oh-my-zsh/custom/a.zsh',
    '.config/fish/config.fish',
    '.config/tmux/tmux.conf',
    'Documents/PowerShell/Modules/a/a.psm1',
    'Microsoft.PowerShell_profile.ps1',
    'profile.ps1',
  ],
  'the start of a session': [
    'Library/LaunchAgents/a.plist',
    'Library/LaunchDaemons/a.plist',
    'AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup/a.cmd',
    'ProgramData/Microsoft/Windows/Start Menu/Programs/StartUp/a.cmd',
    '.config/autostart/a.desktop',
    '.config/systemd/user/a.service',
    '.config/hypr/hyprland.conf',
    '.kde/Autostart/a',
  ],
  'an editor': [
    ...[
      '.vscode/tasks.json',
      'a.code-workspace',
      '.idea/x',
      '.vimrc',
      '.emacs',
      '.exrc',
      '.lvimrc',
    ],
    ...[
      '.vscodium/tasks.json',
      'a.sublime-project',
      '.config/zed/tasks.json',
      '.config/Code/User/a',
    ],
  ],
  'an agent': [
    ...[
      '.mcp.json',
      '.claude/settings.local.json',
      '.cursor/mcp.json',
      '.roo/mcp.json',
      'mcp.json',
    ],
    ...['.kiro/settings/mcp.json', '.qwen/settings.json', '.copilot/mcp-config.json', 'crush.json'],
  ],
  'a package manager': ['.npmrc', '.yarnrc.yml', '.pnpmfile.cjs'],
  'a debugger or console': ['.gdbinit', '.Rprofile', '.ghci', '.iex.exs'],
};
const ABSOLUTE = {
  'the start of a session': [
    ...['/etc/cron.d/a', '/private/etc/zshrc', '/var/spool/cron/crontabs/a', '/usr/local/etc/a'],
    ...['/run/user/1000/systemd/user/a.service', '/lib/systemd/system/a.service'],
  ],
  'another program': [
    '/home/b/.a',
    '/Users/b/.a/c',
    'C:\\Users\\b\\.a',
    '/mnt/c/Users/b/.a',
    '/var/home/b/.a',
    '/cygdrive/c/Users/b/.a',
    '/System/Volumes/Data/Users/b/.a',
    '/root/.a',
  ],
};

test('P-08: what a shell, a login, an editor or git obeys is known on every system, at any depth', () => {
  const under = ['/w', '/home/me/w/x', 'C:\\w', 'C:\\Users\\me\\w'];
  for (const [program, paths] of Object.entries(OBEYED))
    for (const path of paths)
      for (const root of under) {
        const [unix, windows] = [`${root}/${path}`, `${root}\\${path.replaceAll('/', '\\')}`];
        expect([unix, obeyedBy(unix), obeyedBy(windows)]).toEqual([unix, program, program]);
      }
  for (const [program, paths] of Object.entries(ABSOLUTE))
    for (const path of paths) expect([path, obeyedBy(path)]).toEqual([path, program]);
});

test('P-08: the table in the documentation names each program, and nothing that it does not obey', () => {
  const page = readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8');
  const [, after = ''] = page.split('## Files that an agent may not write\n');
  const [section = ''] = after.split('\n## ');
  const [, , ...rows] = section.matchAll(/^\| ([^|]+?) +\| (.+) \|$/gm);
  for (const [, program, examples = ''] of rows)
    for (const [, path = ''] of examples.matchAll(/`([^`]+)`/g))
      expect([path, obeyedBy(path.startsWith('/') ? path : `/w/${path}`)]).toEqual([path, program]);
  expect(rows.map(([, program]) => program)).toEqual([...Object.keys(OBEYED), 'another program']);
});

test('P-08: no spelling of a name gets past, for Windows, macOS or git on either', () => {
  const names = Object.values(OBEYED).flat();
  const case_ = fc.infiniteStream(fc.boolean());
  const unseen = fc.constantFrom('', '\u200c', '\u200d', '\u202e', '\u206f', '\ufeff');
  const tail = fc.constantFrom('', '.', ' ', ' .. ', '::$INDEX_ALLOCATION', ':x', '. :$DATA');
  fc.assert(
    fc.property(fc.constantFrom(...names), case_, unseen, tail, (name, upper, letter, end) => {
      const spelled = name
        .split('/')
        .map((part) => {
          const letters = [...part].map((one) => (upper.next().value ? one.toUpperCase() : one));
          return letters.join(letter) + end;
        })
        .join('/');
      expect(obeyedBy(`/w/${spelled}`)).toBe(obeyedBy(`/w/${name}`));
    }),
  );
  // The short name that Windows gives to .git, and a letter whose small form is that of another.
  for (const name of ['GIT~1', 'git~2', '.\u017fsh'])
    expect([name, obeyedBy(`/w/${name}/config`)]).toEqual([name, expect.any(String)]);
});

test('P-08: files of a project that an agent changes all day are written', async () => {
  const root = join(folder, 'w');
  mkdirSync(root);
  const host = hostFor(root);
  for (const path of [
    ...['package.json', 'Makefile', 'src/config', 'src/hooks/use.ts', '.env', '.editorconfig'],
    ...[
      'src/mise/a.ts',
      'run/a',
      '.config/nextest.toml',
      'src/home/a/.b',
      'mcp.ts',
      'settings.json',
    ],
    ...[
      'lib/systemd.ts',
      'hg/a',
      'users/a/.b',
      '.svnignore',
      '.hgignore',
      '.jjignore',
      'user.json',
    ],
    ...['.gitignore', '.gitattributes', '.github/workflows/ci.yml', '.eslintrc.json', 'CLAUDE.md'],
    ...['src/objects/a.ts', 'src/refs/a.ts', 'src/index.ts', 'docs/HEAD', 'etc/a', 'git/config'],
    ...[
      '.gitlab-ci.yml',
      '.claude/commands/a.md',
      '.cursor/rules/a.mdc',
      'Dockerfile',
      'profile.ts',
    ],
  ]) {
    const call = { op: 'fs/write_text_file', path: join(root, path), content: 'x' } as const;
    expect([path, await host.call(call)]).toEqual([path, { ok: true, result: {} }]);
  }
});

test('P-08: the work trees that lie in a bare repository are written, and nothing else in there', async () => {
  const root = project('w');
  const bare = join(root, 'bare.git');
  git(bare, 'worktree', 'add', '-q', 'main');
  expect(execFileSync('git', ['status', '--porcelain'], { cwd: join(bare, 'main') }).length).toBe(
    0,
  );
  const host = hostFor(root);
  const write = (path: string) =>
    host.call({ op: 'fs/write_text_file', path: join(bare, path), content: 'x' });
  expect(await write('main/src/a')).toMatchObject({ ok: true });
  expect(await write('hooks/post-checkout')).toMatchObject({ ok: false });
  expect(await write('other/a')).toMatchObject({ ok: false });
});
