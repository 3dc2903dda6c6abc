// Sockets of a server that ask nothing: of them the one that was silent longest makes room for the next, so
// that whoever opens sockets, and says little or nothing, keeps nobody else out.

interface Closing {
  once(event: 'close', listener: () => void): unknown;
  readonly destroyed: boolean;
  destroy(): unknown;
}

interface Accepting<S> {
  on(event: 'connection', listener: (socket: S) => void): unknown;
}

export class IdleSockets<S extends Closing> {
  readonly #idle = new Set<S>();
  readonly #busy = new Set<S>();

  constructor(server: Accepting<S>, most: number) {
    server.on('connection', (socket) => {
      this.#idle.add(socket);
      socket.once('close', () => {
        this.#idle.delete(socket);
        this.#busy.delete(socket);
      });
      const [silent] = this.#idle;
      if (this.#idle.size > most) silent?.destroy();
    });
  }

  /** Sockets that were let in and are at work. */
  get busy(): number {
    return this.#busy.size;
  }

  /** It asks for something, until `answer` is over; without one, as long as it is open. */
  letIn(socket: S, answer?: Pick<Closing, 'once'>): void {
    this.#idle.delete(socket);
    this.#busy.add(socket);
    answer?.once('close', () => {
      this.#busy.delete(socket);
      if (!socket.destroyed) this.#idle.add(socket);
    });
  }
}
