// Where an agent is reached: a URL, and the headers that go with every request. Both may hold
// secrets; what is shown and recorded holds none.
import type { Variable } from '../../lib/variables.ts';

export interface Address {
  readonly url: URL;
  /** As given, secrets included: never shown, never recorded. */
  readonly headers: readonly Variable[];
  /** The URL for a person and for the record: values of its query are masked. */
  readonly shown: string;
}

export type Addressed =
  | { readonly ok: true; readonly address: Address }
  /** A sentence that names cause and fix, without the secret. */
  | { readonly ok: false; readonly message: string };

export const MASK = '…';
const MOST_HEADERS = 32;
const MOST_HEADER = 8192;

/** Names that a transport writes itself. */
const OURS =
  /^(?:host|connection|upgrade|content-(?:length|type)|transfer-encoding|accept|last-event-id|acp-.*|sec-websocket-.*)$/i;

/** Whether the words of a command line are a URL instead of a program. */
export function isUrl(argv: readonly string[]): boolean {
  return argv.length === 1 && /^(?:wss?|https?):\/\//i.test(argv[0] ?? '');
}

/** `headers`: `Name: value`, where `${NAME}` is a variable of `env`. */
export function addressOf(
  text: string,
  headers: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Addressed {
  const url = urlOf(text);
  if (!url) return failed(`${shownText(text)} is no URL. Give one like ws://127.0.0.1:9000/acp.`);
  if (!/^(?:ws|http)s?:$/.test(url.protocol))
    return failed(`${shownUrl(url)} is neither ws:// nor http://. Give one of those.`);
  if (url.username !== '' || url.password !== '')
    return failed(
      "The URL holds a name or a password, which would be recorded. Take it out, and give --header 'Authorization: Basic …'.",
    );
  url.hash = '';
  if (headers.length > MOST_HEADERS)
    return failed(`${headers.length} headers are too many: at most ${MOST_HEADERS}.`);
  const given: Variable[] = [];
  for (const [at, header] of headers.entries()) {
    const read = headerOf(header, env);
    if ('fault' in read) return failed(`Header ${at + 1} ${read.fault}`);
    given.push(read);
  }
  if (given.length > 0 && !isEncrypted(url) && !isLoopback(url))
    return failed(
      `${url.protocol}// sends headers in the clear, and ${url.host} is another machine. Use ${url.protocol === 'ws:' ? 'wss' : 'https'}://, or reach it by a tunnel to 127.0.0.1.`,
    );
  return { ok: true, address: { url, headers: given, shown: shownUrl(url) } };
}

/** Undefined: it is none. */
export function urlOf(text: string, base?: URL): URL | undefined {
  return URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
}

/** Names of this machine that no other can be reached by. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/i.test(hostname);
}

/** Without the values of its query. */
export function shownUrl(url: URL): string {
  const shown = new URL(url);
  const names = [...shown.searchParams.keys()];
  shown.username = '';
  shown.password = '';
  shown.search = '';
  const query = names.map((name) => `${encodeURIComponent(name)}=${MASK}`).join('&');
  return query === '' ? shown.href : `${shown.href}?${query}`;
}

function isEncrypted({ protocol }: URL): boolean {
  return protocol === 'wss:' || protocol === 'https:';
}

function headerOf(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): Variable | { readonly fault: string } {
  const at = text.indexOf(':');
  const name = text.slice(0, Math.max(at, 0)).trim();
  if (!/^[!#$%&'*+.^`|~\w-]+$/.test(name)) return { fault: "has no name. Give 'Name: value'." };
  if (OURS.test(name))
    return { fault: `is ${name}, which the transport sets itself. Leave it out.` };
  const missing: string[] = [];
  const value = text
    .slice(at + 1)
    .trim()
    .replace(/\$\{(\w+)\}/g, (_, variable: string) => {
      const found = env[variable];
      if (found === undefined) missing.push(variable);
      return found ?? '';
    });
  if (missing.length > 0)
    return { fault: `(${name}) names the variable ${missing.join(', ')}, which is not set.` };
  if (value.length > MOST_HEADER)
    return { fault: `(${name}) is longer than ${MOST_HEADER} bytes.` };
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
    return { fault: `(${name}) holds a character that no header may.` };
  return { name, value };
}

function shownText(text: string): string {
  return text.replace(/\?.*$/s, `?${MASK}`).replace(/\/\/[^/]*@/, `//${MASK}@`);
}

function failed(message: string): Addressed {
  return { ok: false, message };
}
