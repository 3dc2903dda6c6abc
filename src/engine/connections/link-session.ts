// What the relay says, handed to whom it concerns; and the state of the link as the page shows it.
import { assertNever } from '../../lib/assert-never.ts';
import type { LinkHandlers, LinkStatus } from '../../link/client.ts';
import type { GivenFile } from '../../link/entry.ts';
import type { EventsMessage } from '../../link/events.ts';
import type { Launch, RelayEvent } from '../../link/messages.ts';
import { seq } from '../../trace/event.ts';
import type { connectionsApi } from './api-connections.ts';
import { lastSettings } from './launches.ts';
import type { LinkState, TerminalQuestion } from '../messages.ts';
import type { Parts } from '../parts.ts';

type Start = ReturnType<typeof connectionsApi>['start'];
type Welcome = Extract<RelayEvent, { readonly type: 'welcome' }>;

export class LinkSession implements LinkHandlers {
  readonly #parts: Parts;
  readonly #start: Start;
  #state: LinkState = { status: 'connecting' };
  /** Between a welcome and the loss of the link. */
  isOpen = false;
  /** What the relay's terminal asks about, the oldest first. */
  readonly #asked = new Map<number, TerminalQuestion>();

  constructor(parts: Parts, start: Start) {
    this.#parts = parts;
    this.#start = start;
  }

  onStatus(status: LinkStatus): void {
    if (status.status === 'open') return; // told at the welcome, which says more
    if (this.isOpen) {
      this.isOpen = false;
      if (status.status === 'lost' && status.why !== undefined)
        this.#parts.notices.news('error', `The relay closed the link: ${status.why}.`);
      this.#parts.linked(false);
      this.#parts.calls.lost();
      this.#asked.clear();
      this.#tellAsked();
      this.#parts.live.lost();
    }
    // Another relay, or none: what this one had is over.
    if (status.status === 'refused') this.#parts.live.over();
    this.#tell(status);
  }

  onToken(token: string | undefined): void {
    this.#parts.notices.tell({ type: 'token', token });
  }

  onGiven({ name, frame }: GivenFile, bytes: Blob | { readonly message: string }): void {
    const { notices } = this.#parts;
    if (!(bytes instanceof Blob)) return notices.news('error', `${name}: ${bytes.message}`);
    const file = new File([bytes], name);
    notices.tell({ type: 'given', file, ...(frame !== undefined && { frame: seq(frame) }) });
  }

  onEvents(message: EventsMessage): void {
    this.#parts.live.events(message);
  }

  onEvent(event: RelayEvent): void {
    const { live, calls } = this.#parts;
    if ('request' in event && event.type !== 'confirming') this.#answered(event.request);
    switch (event.type) {
      case 'welcome':
        return this.#welcome(event);
      case 'connection':
        void live.connection(event.info);
        return;
      case 'gone':
        return live.gone(event.connection);
      case 'started':
      case 'presets':
      case 'looked':
      case 'left':
      case 'host':
      case 'folder':
      case 'lent':
      case 'intercepted':
        calls.hear(event);
        return;
      case 'problem':
        if (calls.hear(event) || this.#isOfRun(event)) return;
        return this.#parts.notices.news('error', event.problem.message);
      case 'confirming': {
        const { request, type: _, ...asked } = event;
        this.#asked.set(request, asked);
        return this.#tellAsked();
      }
      case 'pong':
        return;
      default:
        return assertNever(event);
    }
  }

  /** A run hears of the end of its agent itself; who stops it is at no fault. */
  #isOfRun({ connection, problem }: Extract<RelayEvent, { readonly type: 'problem' }>): boolean {
    return (
      problem.code === 'ended' &&
      connection !== undefined &&
      this.#parts.catalog.groupOf(connection) !== undefined
    );
  }

  #welcome(event: Welcome): void {
    const { version, home, cwd, command, connections, startNow } = event;
    this.isOpen = true;
    this.#parts.linked(true);
    this.#tell({ status: 'open', version, home, cwd, command });
    this.#parts.driving.name(version);
    void this.#parts.live.welcome(version, connections);
    if (startNow) void this.#startNow(startNow);
  }

  async #startNow(launch: Launch): Promise<void> {
    const answer = await this.#start(launch, await lastSettings(this.#parts, launch));
    if (answer.ok) this.#parts.notices.tell({ type: 'start-now', connection: answer.connection });
    else this.#parts.notices.news('error', answer.problem.message);
  }

  #answered(request: number | undefined): void {
    if (request !== undefined && this.#asked.delete(request)) this.#tellAsked();
  }

  #tellAsked(): void {
    const [asked] = this.#asked.values();
    this.#parts.notices.tell({ type: 'confirming', asked });
  }

  #tell(state: LinkState): void {
    this.#state = state;
    this.#parts.notices.soon('link', () => ({ type: 'link', state: this.#state }));
  }
}
