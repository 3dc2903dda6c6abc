// Which addresses of an agent's text may be followed. All others are shown and can be copied.

const FOLLOWED: ReadonlySet<string> = new Set(['https:', 'http:', 'mailto:']);

/** The address to follow, as the browser reads it; undefined: inert text. */
export function safeHref(href: string): string | undefined {
  // Without a base, so that `//host`, paths and fragments never become links of our own page.
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  return FOLLOWED.has(url.protocol) ? url.href : undefined;
}

/** For the place of an image that is not loaded: where it lies. */
export function hostOf(href: string): string {
  if (!URL.canParse(href)) return 'no address';
  const url = new URL(href);
  return url.host === '' ? url.protocol.replace(':', '') : url.host;
}
