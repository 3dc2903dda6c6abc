// A client for tests of an agent on a pair of byte streams: it writes lines, keeps every line
// that crosses, and answers what it is asked as the test says.
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { Json, JsonObject } from '../../acp/message.ts';

/** A message, loosely: tests look at what they need. */
export interface Wire {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: JsonObject;
  readonly result?: JsonObject;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: JsonObject };
}
export interface Crossed {
  readonly from: 'client' | 'agent';
  readonly line: string;
  /** Absent when the line is no JSON object with `jsonrpc`. */
  readonly message?: Wire;
}

/** A value deep inside another. */
export function at(
  value: Json | undefined,
  ...path: readonly (string | number)[]
): Json | undefined {
  return path.reduce<Json | undefined>(
    (inner, key) => (inner as Record<string | number, Json> | null | undefined)?.[key],
    value,
  );
}

export class AgentClient {
  readonly crossed: Crossed[] = [];
  /** Every chunk of bytes, as it came. */
  readonly chunks: Buffer[] = [];
  /** The result to answer a request of the agent with; undefined leaves it open. */
  answering: (request: Wire) => JsonObject | undefined = () => undefined;
  /** Resolves when the agent's output ends. */
  readonly ended: Promise<unknown>;
  private readonly input: Writable;
  private nextId = 0;
  private watchers: (() => void)[] = [];

  /** `input` is the agent's stdin, `output` its stdout. */
  constructor(input: Writable, output: Readable) {
    this.input = input;
    this.ended = once(output, 'end');
    let rest = Buffer.alloc(0);
    output.on('data', (chunk: Buffer) => {
      this.chunks.push(chunk);
      rest = Buffer.concat([rest, chunk]);
      let from = 0;
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10, from)) {
        this.take(rest.subarray(from, end).toString('utf8'));
        from = end + 1;
      }
      rest = rest.subarray(from);
      for (const wake of this.watchers.splice(0)) wake();
    });
    output.on('end', () => {
      for (const wake of this.watchers.splice(0)) wake();
    });
  }

  /** How many frames crossed: a place to look from. */
  get now(): number {
    return this.crossed.length;
  }

  /** The agent's messages from a place on. */
  heard(from = 0): Wire[] {
    return this.crossed
      .slice(from)
      .flatMap(({ from: side, message }) => (side === 'agent' && message ? [message] : []));
  }

  /** The updates of session/update from a place on. */
  updates(from = 0): JsonObject[] {
    return this.heard(from).flatMap(({ params }) =>
      isObject(params?.['update']) ? [params['update']] : [],
    );
  }

  send(method: string, params: object): number {
    const id = this.nextId++;
    this.write({ jsonrpc: '2.0', id, method, params });
    return id;
  }

  notify(method: string, params: object): void {
    this.write({ jsonrpc: '2.0', method, params });
  }

  /** Answers a request of the agent by hand. */
  reply(id: Wire['id'], result: JsonObject): void {
    this.write({ jsonrpc: '2.0', id, result });
  }

  async answer(id: number): Promise<Wire> {
    return await this.until((message) => message.id === id && message.method === undefined);
  }

  /** Sends a request and gives its answer, error or not. */
  async ask(method: string, params: object): Promise<Wire> {
    return await this.answer(this.send(method, params));
  }

  /** Sends a request and gives its result; an error fails the test. */
  async call(method: string, params: object): Promise<JsonObject> {
    const { result, error } = await this.ask(method, params);
    if (result === undefined) throw new Error(`${method} was answered ${JSON.stringify(error)}`);
    return result;
  }

  /** The first message that fits, of those that came since a place, or will come. */
  async until(fits: (message: Wire) => boolean, from = 0): Promise<Wire> {
    let ended = false;
    void this.ended.then(() => (ended = true));
    for (let seen = from; ;) {
      const found = this.heard(seen).find(fits);
      if (found) return found;
      seen = this.now;
      if (ended) throw new Error('the agent ended before it sent that');
      await new Promise<void>((resolve) => this.watchers.push(resolve));
    }
  }

  async untilUpdate(fits: (update: JsonObject) => boolean, from = 0): Promise<JsonObject> {
    const of = ({ params }: Wire) => params?.['update'];
    const message = await this.until((message) => {
      const update = of(message);
      return isObject(update) && fits(update);
    }, from);
    return of(message) as JsonObject;
  }

  async end(): Promise<void> {
    this.input.end();
    await this.ended;
  }

  private write(message: object): void {
    const line = JSON.stringify(message);
    this.crossed.push({ from: 'client', line, message: message as Wire });
    this.input.write(`${line}\n`);
  }

  private take(line: string): void {
    const message = parse(line);
    this.crossed.push({ from: 'agent', line, ...(message ? { message } : {}) });
    if (message?.method === undefined || message.id === undefined) return;
    const result = this.answering(message);
    if (result) this.reply(message.id, result);
  }
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(line: string): Wire | undefined {
  try {
    const value = JSON.parse(line) as Json;
    return isObject(value) && 'jsonrpc' in value ? (value as unknown as Wire) : undefined;
  } catch {
    return undefined;
  }
}
