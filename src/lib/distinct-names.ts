// Short names for paths that stand side by side: the last part, and as many before it as it takes to
// tell them apart.

/** One name for each path, in their order. Paths that are wholly the same keep the same name. */
export function distinctNames(paths: readonly string[]): readonly string[] {
  const parts = paths.map((path) => path.split(/[\\/]/).filter((part) => part !== ''));
  return parts.map((own, at) => {
    const rivals = parts.filter((other, where) => where !== at && !isSame(other, own));
    let kept = 1;
    while (
      kept < own.length &&
      rivals.some((other) => isSame(other.slice(-kept), own.slice(-kept)))
    )
      kept++;
    return own.slice(-kept).join('/');
  });
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((part, at) => part === b[at]);
}
