// Decides who may use a server on this machine: programs, and no web page. A browser sends its Origin, or in
// Sec-Fetch-Site that a page asked; an old one may send neither, but nothing either that only a program can
// send. A request that another's DNS name led here has that name as Host.

/** A request as Node has it: each header with all its values. */
interface Head {
  readonly method?: string | undefined;
  readonly headersDistinct: Readonly<Record<string, readonly string[] | undefined>>;
}

/** Whether this address can be reached from this machine alone. */
export function isLoopbackHost(host: string): boolean {
  return host === '127.0.0.1' || host === '::1';
}

/** `bound`: the address that is listened on. */
export function isStranger(request: Head, bound: string): boolean {
  const { origin, host = [], 'sec-fetch-site': sites = [] } = request.headersDistinct;
  const [name = ''] = host;
  // Of two names a proxy may mean the other one.
  const isOwn = host.length === 1 && /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i.test(name);
  if (origin !== undefined || (isLoopbackHost(bound) && !isOwn)) return true;
  // `none`: a person's own act in a browser, or a program that is built on one.
  return sites.some((site) => site !== 'none') || mayAnyPageSend(request);
}

/** The types that a page may send to another site without asking it first: CORS calls that a simple request. */
const SIMPLE_TYPE =
  /^\s*(?:text\/plain|application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/** True if a web page can send such a request without Origin in a browser that knows no Sec-Fetch-Site. */
function mayAnyPageSend({ method, headersDistinct: heads }: Head): boolean {
  // A page sets `Acp-…` only after a preflight, which is rejected, and `Upgrade` never.
  if (heads['upgrade'] !== undefined || Object.keys(heads).some((name) => /^acp-/.test(name)))
    return false;
  if (method === 'GET' || method === 'HEAD') return true;
  const [type, ...more] = heads['content-type'] ?? [];
  return method === 'POST' && (type === undefined || more.length > 0 || SIMPLE_TYPE.test(type));
}

/** The words of a 403 for a stranger. */
export const STRANGER =
  'Forbidden: web pages are not served, nor other names of this machine. A program sends Acp-Connection-Id, and before it has one Content-Type: application/json.';

interface Asking {
  readonly headers: { readonly expect?: string | undefined };
}

/** Of a client that waits to be let in before it sends its body: it may, now that it is. */
export function letBodyCome(request: Asking, answer: { writeContinue(): void }): void {
  if (request.headers.expect !== undefined) answer.writeContinue();
}

interface Upgrading<R, S, H> {
  on(event: 'upgrade', listener: (request: R, socket: S, head: H) => void): unknown;
}

interface Upgraded {
  on(event: 'error', listener: () => void): unknown;
  destroy(): unknown;
  end(text: string): unknown;
}

/**
 * Who asks for a WebSocket goes on, or is refused by a status and its words. A socket that breaks off
 * closes: Node hands it over without a listener for that, and unheard it would end the process.
 */
export function hearUpgrades<R, S extends Upgraded, H, K extends number>(
  server: Upgrading<R, S, H>,
  refusals: Readonly<Record<K, string>>,
  refusalOf: (request: R) => K | undefined,
  onward: (request: R, socket: S, head: H) => void,
): void {
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const status = refusalOf(request);
    if (status === undefined) onward(request, socket, head);
    else socket.end(`HTTP/1.1 ${status} ${refusals[status]}\r\nConnection: close\r\n\r\n`);
  });
}
