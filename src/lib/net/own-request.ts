// Who may ask what listens on this machine: programs, and no web page. A browser says its Origin; what
// the name of another's DNS led here says that name as Host.

/** Each header with all its values. */
interface Heads {
  readonly origin?: readonly string[] | undefined;
  readonly host?: readonly string[] | undefined;
}

/** Whether this address can be reached from this machine alone. */
export function isLoopbackHost(host: string): boolean {
  return host === '127.0.0.1' || host === '::1';
}

/** `bound`: the address that is listened on. */
export function isStranger({ origin, host = [] }: Heads, bound: string): boolean {
  const [name = ''] = host;
  // Of two names a proxy may mean the other one.
  const isOwn = host.length === 1 && /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i.test(name);
  return origin !== undefined || (isLoopbackHost(bound) && !isOwn);
}

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
