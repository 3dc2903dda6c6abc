// Opens the link in the person's browser without putting it on a command line, where every user
// of the machine could read it: the browser is given a file of ours that redirects. (`open` would put
// the link there.)
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beginProcess } from '../../relay/agents/begin-process.ts';
import { systemProgram } from '../../relay/agents/windows-command.ts';

/** How long the file may live: as long as the code in it. */
const LIFETIME_MS = 60_000;

/**
 * False where a browser of this system could not read the file (WSL), or none can be started:
 * the printed link is then the way.
 */
export function openBrowser(link: string): boolean {
  if (process.platform === 'linux' && /microsoft/i.test(release())) return false;
  if (process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY'])
    return false;
  const folder = mkdtempSync(join(tmpdir(), 'acp-scope-open-')); // 0700
  const file = join(folder, 'open.html');
  writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${link}">`, {
    mode: 0o600,
  });
  const [command, ...args] = opener(pathToFileURL(file).href);
  // If this system has no opener, the link is printed anyway.
  const how = { stdio: 'ignore', detached: true } as const;
  void beginProcess(command, args, how, (child: ChildProcess) => child.unref());
  removeLater(folder);
  return true;
}

/** A command that ends before a slow browser has read the file leaves removing it to another process. */
function removeLater(folder: string): void {
  const timer = setTimeout(() => {
    process.off('exit', handOver);
    rmSync(folder, { recursive: true, force: true });
  }, LIFETIME_MS).unref();
  const handOver = () => {
    clearTimeout(timer);
    const script = `setTimeout(() => require('node:fs').rmSync(process.argv[1], { recursive: true, force: true }), ${LIFETIME_MS})`;
    const how = { stdio: 'ignore', detached: true, windowsHide: true } as const;
    void beginProcess(process.execPath, ['-e', script, folder], how);
  };
  process.once('exit', handOver);
}

function opener(url: string): [string, ...string[]] {
  switch (process.platform) {
    case 'darwin':
      return ['open', url];
    case 'win32':
      return [systemProgram('rundll32.exe'), 'url.dll,FileProtocolHandler', url];
    default:
      return ['xdg-open', url];
  }
}
