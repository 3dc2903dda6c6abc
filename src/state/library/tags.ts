// Tags as a person types them: words with commas between them.

const MOST_TAGS = 20;
const MOST_LETTERS = 40;

type Tags =
  | { readonly tags: readonly string[]; readonly problem?: undefined }
  /** A sentence. */
  | { readonly tags?: undefined; readonly problem: string };

/** Each once, whichever its case, as it was typed first. */
export function tagsIn(text: string): Tags {
  const tags: string[] = [];
  for (const part of text.split(',')) {
    const tag = part.trim().replace(/\s+/g, ' ');
    if (tag === '' || hasTag(tags, tag)) continue;
    if (tag.length > MOST_LETTERS)
      return {
        problem: `A tag has at most ${MOST_LETTERS} letters; “${tag.slice(0, 20)}…” has ${tag.length}. Longer words belong in the note.`,
      };
    tags.push(tag);
  }
  return tags.length > MOST_TAGS
    ? { problem: `A trace has at most ${MOST_TAGS} tags; these are ${tags.length}.` }
    : { tags };
}

export function hasTag(tags: readonly string[], tag: string): boolean {
  return tags.some((one) => one.toLowerCase() === tag.toLowerCase());
}

export function tagsText(tags: readonly string[] = []): string {
  return tags.join(', ');
}

/** All there are, the most used first. */
export function tagsOf(
  traces: readonly { readonly tags?: readonly string[] }[],
): readonly string[] {
  const uses = new Map<string, number>();
  for (const { tags = [] } of traces)
    for (const tag of tags) uses.set(tag, (uses.get(tag) ?? 0) + 1);
  return [...uses].toSorted(([, a], [, b]) => b - a).map(([tag]) => tag);
}
