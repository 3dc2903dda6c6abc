// On Windows, npm installs programs as `.cmd` files, which cannot be started without cmd.exe, and
// cmd.exe reads its arguments as a language. So a file made by npm is opened and the script it
// names is started with Node itself; any other batch file gets arguments that cmd.exe cannot read
// as anything but text. `cross-spawn` goes through cmd.exe for all of them.
import { dirname, join } from 'node:path';

/** What to hand to `spawn`. `verbatim`: the arguments are quoted already. */
export interface SpawnCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly verbatim?: true;
}

/**
 * @param batch the text of the `.cmd` or `.bat` file at `path`
 * @param node the Node to start scripts with
 */
export function batchCommand(
  path: string,
  batch: string,
  args: readonly string[],
  node: string,
): SpawnCommand {
  const script = scriptOf(batch);
  if (script !== undefined)
    return { file: node, args: [join(dirname(path), ...script.split(/[\\/]/)), ...args] };
  const line = [escape(path), ...args.map(quoteForBatch)].join(' ');
  return { file: 'cmd.exe', args: ['/d', '/s', '/c', `"${line}"`], verbatim: true };
}

/** The script a file made by npm starts, relative to it; undefined for any other batch file. */
export function scriptOf(batch: string): string | undefined {
  const shim = /"%(?:~dp0|dp0%)\\?([^"%]+\.[cm]?js)"\s+%\*/i.exec(batch);
  const npm = /"NP[MX]_CLI_JS=%~dp0\\?([^"%]+\.[cm]?js)"/i.exec(batch);
  return (shim ?? npm)?.[1];
}

/** As a C program reads its command line, then twice for cmd.exe: it reads `%*` in the file again. */
function quoteForBatch(argument: string): string {
  const quoted = argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1');
  return escape(escape(`"${quoted}"`));
}

function escape(text: string): string {
  return text.replace(/[()[\]%!^"`<>&|;, *?]/g, '^$&');
}
