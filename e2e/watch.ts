// Watches the whole browser while a test runs: nothing may leave the relay's origin (S-05), no rule
// of the Content-Security-Policy may be broken, and the console stays free of errors.
import { expect, type BrowserContext, type Page } from '@playwright/test';

export class Watch {
  readonly #origin: string;
  readonly #outside: string[] = [];
  readonly #violations: string[] = [];
  readonly #errors: string[] = [];
  readonly #expected: RegExp[] = [];
  #ledTo: string | undefined;

  private constructor(origin: string) {
    this.#origin = origin;
  }

  static async over(context: BrowserContext, origin: string): Promise<Watch> {
    const watch = new Watch(origin);
    await context.exposeBinding('tellViolation', (_, what: string) => {
      watch.#violations.push(what);
    });
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        const { tellViolation } = globalThis as unknown as { tellViolation(what: string): void };
        tellViolation(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`);
      });
    });
    context.on('request', (request) => watch.#sees(request.url()));
    context.on('weberror', (event) => {
      const { stack, message } = event.error();
      watch.#errors.push(stack || message || String(event.error()));
    });
    context.on('console', (message) => {
      if (message.type() === 'error') watch.#errors.push(message.text());
    });
    context.on('page', (page) => watch.#onPage(page));
    for (const page of context.pages()) watch.#onPage(page);
    return watch;
  }

  /** Errors of this kind belong to the test. */
  expect(error: RegExp): void {
    this.#expected.push(error);
  }

  /** A person follows a link to this origin. */
  leadsTo(origin: string): void {
    this.#ledTo = `${origin}/`;
  }

  check(): void {
    expect(this.#outside, 'requests to other places than the relay (S-05)').toEqual([]);
    expect(this.#violations, 'violations of the Content-Security-Policy').toEqual([]);
    const errors = this.#errors.filter((text) => !this.#expected.some((kind) => kind.test(text)));
    expect(errors, 'errors in the console').toEqual([]);
  }

  #onPage(page: Page): void {
    page.on('websocket', (socket) => this.#sees(socket.url()));
  }

  #sees(url: string): void {
    const own = [
      `${this.#origin}/`,
      `blob:${this.#origin}/`,
      `${this.#origin}/`.replace('http', 'ws'),
    ];
    const isLed = this.#ledTo !== undefined && url.startsWith(this.#ledTo);
    if (!isLed && !own.some((start) => url.startsWith(start))) this.#outside.push(url);
  }
}
