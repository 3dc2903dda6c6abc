// On Windows, npm installs programs as `.cmd` files, which cannot be started without cmd.exe, and
// cmd.exe reads its arguments as a language. So a file made by npm is opened and the script it
// names is started with Node itself; any other batch file gets arguments that cmd.exe cannot read
// as anything but text. `cross-spawn` goes through cmd.exe for all of them, and its carets leave
// `%NAME:~-1%` to be expanded, into a quote where one likes. The quoting here is that of Rust's own
// library since CVE-2024-24576.
import { dirname, join, win32 } from 'node:path';

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
): SpawnCommand | { readonly fault: string } {
  const script = scriptOf(batch);
  if (script !== undefined)
    return { file: node, args: [join(dirname(path), ...script.split(/[\\/]/)), ...args] };
  if (args.some((argument) => /[\r\n]/.test(argument))) return { fault: broken(path) };
  const line = [path, ...args].map(quoteForBatch).join(' ');
  const options = ['/e:ON', '/v:OFF', '/d', '/s', '/c'];
  return { file: systemProgram('cmd.exe'), args: [...options, `"${line}"`], verbatim: true };
}

/** A program of Windows itself, by its whole path: a bare name is looked for in the working folder first. */
export function systemProgram(name: string): string {
  return win32.join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', name);
}

/** The script a file made by npm starts, relative to it; undefined for any other batch file. */
export function scriptOf(batch: string): string | undefined {
  const shim = /"%(?:~dp0|dp0%)\\?([^"%]+\.[cm]?js)"\s+%\*/i.exec(batch);
  const npm = /"NP[MX]_CLI_JS=%~dp0\\?([^"%]+\.[cm]?js)"/i.exec(batch);
  return (shim ?? npm)?.[1];
}

/**
 * As a C program reads its command line. For cmd.exe, which reads it once here and once more as `%*` of
 * the file, it is one quoted text: quotes are doubled, and what stands after a `%` is no variable but an
 * empty piece of the folder's name.
 */
function quoteForBatch(argument: string): string {
  const text = argument.split('"').map(doubleLast).join('""');
  return `"${text.replaceAll('%', '%%cd:~,%')}"`;
}

/** The backslashes before a quote stand for half as many. */
function doubleLast(part: string): string {
  let end = part.length;
  while (part[end - 1] === '\\') end--;
  return part + part.slice(end);
}

/** To cmd.exe the line ends there, whatever is quoted. */
function broken(path: string): string {
  return `${path} is a batch file, which can be given no argument with a line break. Start the program behind it.`;
}
