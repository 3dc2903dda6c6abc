// Canaries in this process, in place of the MCP SDK's transport that starts programs: a test of the lab
// makes some fifty of them, and that they start as programs others prove.
import { PassThrough } from 'node:stream';
import { serveCanary } from '../../cli/canary-mcp.ts';

interface Wish {
  /** `SCRIPT --note FILE --tool NAME` */
  readonly args?: readonly string[];
}

/** Stands for `StdioClientTransport`. */
export class CanaryTransport {
  onclose?: () => void;
  onmessage?: (message: unknown) => void;
  readonly #wish: Wish;
  readonly #input = new PassThrough();

  constructor(wish: Wish) {
    this.#wish = wish;
  }

  async start(): Promise<void> {
    const [, , note = '', , tool = ''] = this.#wish.args ?? [];
    const say = (line: string) => this.onmessage?.(JSON.parse(line));
    // One that fails, as where its run and its folder are over, ends as a program would.
    const close = () => this.onclose?.();
    void serveCanary(this.#input, say, note, tool).then(close, close);
  }

  async send(message: unknown): Promise<void> {
    this.#input.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.#input.end();
  }
}
