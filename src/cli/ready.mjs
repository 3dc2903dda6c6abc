// Makes a fresh clone ready with Node alone: installs what the lockfile names, builds what is
// missing or older than its sources. Plain JavaScript, no imports from packages: it runs before
// there are any.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = ['src', 'public', 'index.html', 'vite.config.ts', 'package.json'];

/** Runs a program in the clone, its output shown. Ends this process with its status if it fails. */
function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', ...options });
  if (error) console.error(error.message);
  if (status !== 0) process.exit(status ?? 1);
}

/** The words before npm's own: it is a script of this Node, as Windows starts no `npm.cmd` without a shell. */
export function npm() {
  const script =
    process.env.npm_execpath ??
    [
      join(dirname(process.execPath), 'node_modules/npm/bin/npm-cli.js'),
      join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js'),
    ].find((path) => existsSync(path));
  return script ? [process.execPath, script] : ['npm'];
}

export function ensureNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if ((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22) return;
  console.error(
    `ACP Scope needs Node 20.19 or newer, or 22.12 or newer; this is ${process.versions.node}. Install a current Node and run the command again.`,
  );
  process.exit(3);
}

export function ensureInstalled() {
  const installed = join(ROOT, 'node_modules/.package-lock.json');
  if (existsSync(installed) && changed(installed) >= changed(join(ROOT, 'package-lock.json')))
    return;
  console.error('Installing the packages that package-lock.json names …');
  const [program, ...before] = npm();
  run(program, [...before, 'ci', '--no-audit', '--no-fund', '--loglevel', 'error']);
}

export function ensureBuilt() {
  const built = ['dist/index.html', 'dist/viewer.html', 'dist-node/acp-scope.js'].map((path) =>
    join(ROOT, path),
  );
  const oldest = Math.min(...built.map((path) => (existsSync(path) ? changed(path) : 0)));
  if (oldest >= Math.max(...SOURCES.map((path) => newest(join(ROOT, path))))) return;
  console.error('Building the page and the command …');
  const node = (args) => run(process.execPath, args);
  const vite = ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'error'];
  node(['src/acp/schema/generate.mjs']);
  node(vite);
  node([...vite, '--config', 'src/viewer/vite.config.ts']);
  node([...vite, '--config', 'src/cli/vite.config.ts']);
}

function changed(path) {
  return statSync(path).mtimeMs;
}

function newest(path) {
  if (!statSync(path).isDirectory()) return changed(path);
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('generated'))
    .filter((entry) => !/\.test\.ts$|\.md$/.test(entry.name))
    .reduce((latest, entry) => Math.max(latest, changed(join(entry.parentPath, entry.name))), 0);
}
