// The change of one file as a git patch with one hunk around all that differs. Not `diff`: it does not
// quote names as Git does, and the command would carry one more dependency for forty lines.

const CONTEXT = 3;

/** ACP names the file by its absolute path, without the prefixes that git writes itself. */
export function gitPatch(path: string, before: string, after: string): string {
  const name = quoted(path);
  const [old, now] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  const most = Math.min(old.length, now.length) - head;
  while (tail < most && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;

  const from = Math.max(0, head - CONTEXT);
  const kept = Math.min(tail, CONTEXT);
  const size = (lines: readonly string[]) => lines.length - tail + kept - from;
  return [
    `diff --git ${name} ${name}`,
    `--- ${name}`,
    `+++ ${name}`,
    `@@ -${range(from, size(old))} +${range(from, size(now))} @@`,
    ...old.slice(from, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail, old.length - tail + kept).map((line) => ` ${line}`),
    '',
  ].join('\n');
}

/** Git quotes a path with a backslash or a quote in it, such as one of Windows. */
function quoted(path: string): string {
  return /["\\]/.test(path) ? `"${path.replace(/["\\]/g, '\\$&')}"` : path;
}

function range(from: number, size: number): string {
  return `${String(size === 0 ? from : from + 1)},${String(size)}`;
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
