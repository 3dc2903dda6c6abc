// A description of the schema as Markdown for people: without what a mark beside it says anyway, and
// without the brackets that mean something to Rust's own pages alone.

export function plainDoc(text) {
  const plain = text
    ?.replace(/\*\*UNSTABLE\*\*\s*/g, '')
    .replace(/This capability is not part of the spec yet[^\n]*(?:\n(?!\n)[^\n]*)*\n*/g, '')
    .replace(/\[(`[^`\]]*`)\](?!\()(?:\[[^\]]*\])?/g, '$1')
    .trim();
  return plain
    ? plain
        .split(/\n\s*\n/)
        .map(unwrapped)
        .join('\n\n')
    : undefined;
}

/** A paragraph without the line breaks that only keep the schema's file narrow. */
function unwrapped(paragraph) {
  if (paragraph.includes('```')) return paragraph;
  return paragraph.replace(/ *\n *(?![-*] |\d+\. | )/g, ' ');
}
