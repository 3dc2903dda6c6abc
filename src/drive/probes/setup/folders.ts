// Other spellings of a folder, for either kind of path.

function separatorOf(path: string): string {
  return path.includes('\\') ? '\\' : '/';
}

/** The same folder, with a separator at its end. */
export function withSlash(path: string): string {
  return path + separatorOf(path);
}

/** A folder in it, which need not exist. */
export function below(path: string, name: string): string {
  return withSlash(path) + name;
}

/** A folder that nobody has, on the same drive. */
export function unusedFolder(path: string, random: string): string {
  const drive = /^[A-Za-z]:/.exec(path)?.[0] ?? '';
  const separator = separatorOf(path);
  return [drive, 'acp-probe', `none-${random}`].join(separator);
}
