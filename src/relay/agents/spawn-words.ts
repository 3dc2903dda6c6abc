// Why the system does not start a program, as a sentence with what to do.
import { extname } from 'node:path';

/** Endings of files that another program runs, and how a person starts that on Windows. */
const RUNNERS: ReadonlyMap<string, string> = new Map([
  ...['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts'].map((ending) => [ending, 'node'] as const),
  ['.ps1', 'powershell -File'],
  ['.py', 'python'],
  ['.jar', 'java -jar'],
  ['.sh', 'bash'],
]);

/** How Windows starts a file that is no program itself; undefined if its ending names no such file. */
export function runnerOf(path: string): string | undefined {
  return RUNNERS.get(extname(path).toLowerCase());
}

/** The file is there, and cannot run. */
export function notExecutable(path: string, platform: string = process.platform): string {
  if (platform !== 'win32')
    return `${path} is not executable. Run chmod +x on it, or start it through its interpreter.`;
  const runner = runnerOf(path);
  return runner === undefined
    ? `Windows does not let this user start ${path}. Check the permissions of the file, and whether a virus scanner blocks it.`
    : `${path} is no program of Windows. Start it with ${runner}: ${runner} ${path}`;
}

/** Returns the sentence for the system's error when `path` was started. */
export function refusal(
  { code, message }: NodeJS.ErrnoException,
  path: string,
  platform: string = process.platform,
): string {
  const why = (text: string) => `${path} cannot be started: ${text}`;
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return notExecutable(path, platform);
    case 'ENOENT':
      return why(
        platform === 'win32'
          ? 'the file or the working folder is gone, or the path of that folder is too long. Check both.'
          : 'the interpreter in its first line was not found. Install it.',
      );
    case 'E2BIG':
      return why(
        'its arguments and environment variables are too long for this system. Shorten them, or put long text into a file.',
      );
    case 'ENAMETOOLONG':
      return why(
        'its path or its command line is too long for this system. Shorten the arguments, or move it to a shorter path.',
      );
    case 'EFTYPE':
    case 'ENOEXEC':
    case 'UNKNOWN':
      return runnerOf(path) === undefined || platform !== 'win32'
        ? why(
            `it is no program that this system can run (${code}). It may be damaged, or made for another system or processor. Install the right one.`,
          )
        : notExecutable(path, platform);
    case 'EAGAIN':
      return why(
        'this user may start no more processes. End some, or raise the limit (ulimit -u).',
      );
    case 'EMFILE':
    case 'ENFILE':
      return why('too many files are open. Close some, or raise the limit (ulimit -n).');
    case 'ENOMEM':
      return why('the system has no memory left for it. End other programs.');
    case 'ETXTBSY':
      return why('another program is writing the file. Try again when that has ended.');
    default:
      return why(`${message.replace(/\.$/, '')}. Check the command, its arguments and its folder.`);
  }
}
