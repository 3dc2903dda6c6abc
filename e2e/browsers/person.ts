// What a person does in any browser: looks for words, and clicks and types where they stand.
import { expect } from '@playwright/test';
import type { Driver } from './drivers.ts';

const CLICKED = 'button, summary, label, input, textarea, [role]:is([role=tab], [role=radio])';
const SETTLED = 300;

export class Person {
  readonly #driver: Driver;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  /** What is on the page, by its text. */
  async reads(): Promise<string> {
    return String(await this.#driver.evaluate('document.body.innerText'));
  }
  async sees(words: RegExp): Promise<void> {
    await expect.poll(() => this.reads(), { timeout: 60_000 }).toMatch(words);
  }

  /** The first that is called so, by its label or its text. */
  async click(name: RegExp, within = 'body'): Promise<void> {
    let at: unknown;
    const find = async () => (at = await this.#driver.evaluate(placeOf(name, within)));
    await expect.poll(find, { timeout: 60_000, message: String(name) }).not.toBeNull();
    // What moves it is over: it is where it was.
    await expect
      .poll(async () => JSON.stringify(at) === JSON.stringify(await find()), {
        intervals: [SETTLED],
      })
      .toBe(true);
    const { x, y } = at as { readonly x: number; readonly y: number };
    await this.#driver.act([
      {
        ...{ type: 'pointer', id: 'mouse' },
        actions: [
          { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      },
    ]);
  }

  /** Clicks, once more where it moved away under the pointer, until these words are there. */
  async clickUntil(name: RegExp, words: RegExp): Promise<void> {
    const seen = () => expect.poll(() => this.reads(), { timeout: 5000 }).toMatch(words);
    await expect(() => this.click(name).then(seen)).toPass({ timeout: 60_000 });
  }

  async types(text: string): Promise<void> {
    const actions = [...text].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await this.#driver.act([{ type: 'key', id: 'keys', actions }]);
  }
}

/** An expression: the middle of what is called so and can be clicked, or null. */
function placeOf(name: RegExp, within: string): string {
  return `(() => {
    const called = (one) =>
      (one.getAttribute('aria-label') ?? one.innerText ?? '').replace(/\\s+/g, ' ').trim();
    for (const one of document.querySelectorAll(${JSON.stringify(`${within} :is(${CLICKED})`)})) {
      if (one.disabled || !${name}.test(called(one))) continue;
      one.scrollIntoView({ block: 'nearest' });
      const { x, y, width, height } = one.getBoundingClientRect();
      if (width > 0 && height > 0) return { x: x + width / 2, y: y + height / 2 };
    }
    return null;
  })()`;
}
