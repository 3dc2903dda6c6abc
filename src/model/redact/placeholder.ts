// What stands where a text was left out: how long it was, and a number by which equal texts are equal.
// The number comes of a salt that is made anew for each file and written nowhere, so that nobody can
// try out what the text was.

const PLACEHOLDER = /^‹text \d+ #[0-9a-f]{8}›$/;

export function placeholder(text: string, salt: number): string {
  return `‹text ${text.length} #${hash(text, salt).toString(16).padStart(8, '0')}›`;
}

export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text);
}

function hash(text: string, salt: number): number {
  let sum = salt | 0;
  for (let at = 0; at < text.length; at++)
    sum = Math.imul(sum ^ text.charCodeAt(at) ^ (sum >>> 15), 0x9e3779b1);
  sum = Math.imul(sum ^ (sum >>> 13) ^ salt, 0x85ebca6b);
  return (sum ^ (sum >>> 16)) >>> 0;
}
