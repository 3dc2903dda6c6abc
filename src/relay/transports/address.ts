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

type Addressed =
  | { readonly ok: true; readonly address: Address }
  /** A sentence that names cause and fix, without the secret. */
  | { readonly ok: false; readonly message: string };

export const MASK = '…';
const MOST_HEADERS = 32;
const MOST_HEADER = 8192;

/** Names that a transport writes itself. */
const OURS =
  /^(?:host|connection|upgrade|content-(?:length|type)|transfer-encoding|accept|last-event-id|acp-.*|sec-websocket-.*)$/i;

/** `headers`: as they are to be sent. */
export function addressOf(text: string, headers: readonly Variable[]): Addressed {
  const url = urlOf(text);
  if (!url) return failed(`${shownText(text)} is no URL. Give one like ws://127.0.0.1:9000/acp.`);
  if (!/^(?:ws|http)s?:$/.test(url.protocol))
    return failed(`${shownUrl(url)} is neither ws:// nor http://. Give one of those.`);
  if (url.username !== '' || url.password !== '')
    return failed(
      'The URL holds a name or a password, which would be recorded. Take it out, and give the header Authorization: Basic … instead.',
    );
  if ([...url.searchParams.values()].includes(MASK))
    return failed(
      `${shownUrl(url)} comes from a record, which keeps no values of a query. Type them.`,
    );
  url.hash = '';
  if (headers.length > MOST_HEADERS)
    return failed(`${headers.length} headers are too many: at most ${MOST_HEADERS}.`);
  for (const [at, header] of headers.entries()) {
    const fault = headerFault(header);
    if (fault !== undefined) return failed(`Header ${at + 1} ${fault}`);
  }
  if (headers.length > 0 && !isEncrypted(url) && !isLoopback(url))
    return failed(
      `${url.protocol}// sends headers in the clear, and ${url.host} is another machine. Use ${url.protocol === 'ws:' ? 'wss' : 'https'}://, or reach it by a tunnel to 127.0.0.1.`,
    );
  return { ok: true, address: { url, headers, shown: shownUrl(url) } };
}

/** Undefined: it is none. */
export function urlOf(text: string, base?: URL): URL | undefined {
  return URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
}

/** Names of this machine that no other can be reached by. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/i.test(hostname);
}

/** Without those values of its query that are to be hidden: all, if nothing is said. */
export function shownUrl(url: URL, hides: (parameter: Variable) => boolean = () => true): string {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  shown.search = '';
  const query = [...url.searchParams]
    .map(([name, value]) => {
      const said = hides({ name, value }) ? MASK : encodeURIComponent(value);
      return `${encodeURIComponent(name)}=${said}`;
    })
    .join('&');
  return query === '' ? shown.href : `${shown.href}?${query}`;
}

function isEncrypted({ protocol }: URL): boolean {
  return protocol === 'wss:' || protocol === 'https:';
}

/** What is said of a header behind its name or number; undefined: it can be sent. */
function headerFault({ name, value }: Variable): string | undefined {
  if (!/^[!#$%&'*+.^`|~\w-]+$/.test(name)) return "has no name. Give 'Name: value'.";
  if (OURS.test(name)) return `is ${name}, which the transport sets itself. Leave it out.`;
  if (value.length > MOST_HEADER) return `(${name}) is longer than ${MOST_HEADER} bytes.`;
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
    return `(${name}) holds a character that no header may.`;
  return undefined;
}

function shownText(text: string): string {
  return text.replace(/\?.*$/s, `?${MASK}`).replace(/\/\/[^/]*@/, `//${MASK}@`);
}

function failed(message: string): Addressed {
  return { ok: false, message };
}
