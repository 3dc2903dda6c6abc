// Cookies of one server: what it sets is given back to it, as ACP asks for, and to nobody else. A
// Domain is not looked at, because no other host is ever asked.

interface Cookie {
  readonly value: string;
  readonly path: string;
  readonly isSecure: boolean;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

const MOST_COOKIES = 64;
const MOST_COOKIE = 4096;

export class CookieJar {
  readonly #cookies = new Map<string, Cookie>();

  /** `set`: the values of Set-Cookie. */
  take(set: readonly string[], { pathname }: URL, now = Date.now()): void {
    for (const text of set) {
      const [pair = '', ...rest] = text.split(';');
      const at = pair.indexOf('=');
      const name = pair.slice(0, Math.max(at, 0)).trim();
      const value = pair.slice(at + 1).trim();
      if (name === '' || text.length > MOST_COOKIE || !/^[\x20-\x7e]*$/.test(pair)) continue;
      const said = new Map(
        rest.map((part) => {
          const [key = '', ...more] = part.split('=');
          return [key.trim().toLowerCase(), more.join('=').trim()];
        }),
      );
      const given = said.get('path');
      const path = given?.startsWith('/') ? given : pathname.replace(/\/[^/]*$/, '') || '/';
      const expires = expiryOf(said.get('max-age'), said.get('expires'), now);
      this.#cookies.delete(name);
      if (expires > now && this.#cookies.size < MOST_COOKIES)
        this.#cookies.set(name, { value, path, isSecure: said.has('secure'), expires });
    }
  }

  /** The header Cookie for this URL; undefined: there is none. */
  header({ pathname, protocol }: URL, now = Date.now()): string | undefined {
    const fit = [...this.#cookies].filter(
      ([, { path, isSecure, expires }]) =>
        expires > now &&
        (!isSecure || protocol === 'https:') &&
        (pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)),
    );
    if (fit.length === 0) return undefined;
    return fit.map(([name, { value }]) => `${name}=${value}`).join('; ');
  }
}

function expiryOf(maxAge: string | undefined, expires: string | undefined, now: number): number {
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return now + Number(maxAge) * 1000;
  const date = expires === undefined ? NaN : Date.parse(expires);
  return Number.isNaN(date) ? Infinity : date;
}
