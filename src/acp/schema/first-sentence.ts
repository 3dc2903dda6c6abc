// What stands beside a field where there is room for one line.

const LONGEST = 160;

/** The first sentence of a description, without links and line breaks, cut where it is long. */
export function firstSentence(text: string): string {
  const plain = (text.split(/\n\s*\n/)[0] ?? '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
  const first = /^.*?\.(?=\s)(?<!e\.g\.|i\.e\.)/.exec(plain)?.[0] ?? plain;
  const short = first.replace(/[.:]$/, '');
  if (short.length <= LONGEST) return short;
  return `${short.slice(0, LONGEST).replace(/\s+\S*$/, '')}…`;
}
