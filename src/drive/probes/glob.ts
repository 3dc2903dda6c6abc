// `--only GLOB`: `*` is any text, also none; several globs are parted by commas.

export function globsIn(globs: string): readonly string[] {
  return globs
    .split(',')
    .map((glob) => glob.trim())
    .filter((glob) => glob !== '');
}

export function matcherOf(globs: string): (id: string) => boolean {
  const patterns = globsIn(globs).map(
    (glob) => new RegExp(`^${glob.split('*').map(escaped).join('.*')}$`),
  );
  return (id) => patterns.some((pattern) => pattern.test(id));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
