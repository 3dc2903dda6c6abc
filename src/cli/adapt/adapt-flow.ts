// Both directions of the adapter: bytes in, bytes out, in between the decisions of `drive/adapt/`.
// What belongs into a history is written before it is handed on, in one go for all lines of a
// chunk: whatever kills us, no side has seen more than is stored. Each side waits while the other
// is full.
import { createReadStream } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { AdaptStore } from './adapt-store.ts';
import { Outlet } from '../parts/outlet.ts';
import type { Adapter } from '../../drive/adapt/adapter.ts';
import { readEntry, readHead, type StoreEntry, type StoreHead } from '../../drive/adapt/entry.ts';
import { Surveyor } from '../../drive/adapt/survey.ts';
import { Teller } from '../../drive/adapt/teller.ts';
import type { AdapterAction, Actions, PendingReplay } from '../../drive/adapt/windows.ts';
import { HeldLines, type HeldLine } from '../../lib/held-lines.ts';
import { LineSplitter } from '../../lib/lines.ts';
import { decodeUtf8 } from '../../lib/utf8.ts';
import { printable } from '../../lib/print/ci-commands.ts';
import { leftBehind } from '../../relay/agents/left-programs.ts';
import { spawnProgram, type Program } from '../../relay/agents/spawn.ts';
import { endOf, handedOn, handOn, type TapEnd } from '../../relay/tap.ts';

interface FlowOptions {
  readonly store: AdaptStore;
  readonly adapter: Adapter;
  /** From and to the editor. */
  readonly input: Readable;
  readonly output: Writable;
  /** Where our own sentences go. */
  readonly errors: Writable;
}

/** Longer lines pass and are not kept, as in a recording. */
const MOST_KEPT = 128 << 20;
/** The editor's lines wait so long for their end; no restore is longer. */
const MOST_WAITING = 1 << 20;

export class Flow {
  readonly #options: FlowOptions;
  readonly #toAgent: Outlet;
  readonly #toEditor: Outlet;

  constructor(options: FlowOptions, stdin: Writable) {
    this.#options = options;
    this.#toAgent = new Outlet(stdin);
    this.#toEditor = new Outlet(options.output);
    // The editor is gone: the agent would wait for ever on a reader that does not come back.
    options.output.once('close', () => this.#toAgent.end());
  }

  /** From the editor to the agent. */
  async editor(): Promise<void> {
    const { adapter, input } = this.#options;
    const lines = new HeldLines(MOST_KEPT);
    try {
      for await (const chunk of input as AsyncIterable<Uint8Array>) {
        await this.#read(lines.push(chunk), 'editor');
        if (adapter.isOut || lines.held > MOST_WAITING)
          for (const bytes of lines.letGo()) this.#toAgent.pass(bytes);
        await this.#toAgent.drained();
      }
    } catch {
      // An input that breaks off has ended.
    }
    const rest = lines.end();
    if (rest) await this.#read([rest], 'editor');
    this.#toAgent.end();
  }

  /** From the agent to the editor, until the agent's output ends. */
  async agent(stdout: Readable): Promise<void> {
    const { adapter, store } = this.#options;
    const lines = new HeldLines(MOST_KEPT);
    try {
      for await (const chunk of stdout as AsyncIterable<Uint8Array>) {
        if (adapter.readsAgent) await this.#read(lines.push(chunk), 'agent');
        else this.#pass(lines, chunk);
        if (lines.held > MOST_KEPT) for (const bytes of lines.letGo()) this.#toEditor.pass(bytes);
        await this.#toEditor.drained();
      }
    } catch {
      // As above.
    }
    const rest = lines.end();
    if (rest) await this.#read([rest], 'agent');
    await this.#act(adapter.end(), undefined, this.#toEditor);
    store.close();
    await this.#toEditor.drained();
  }

  /** Something may have to be done: each line waited for its end. */
  async #read(lines: readonly HeldLine[], from: 'editor' | 'agent'): Promise<void> {
    const decided = lines.map((held) => ({ actions: this.#decide(held, from), rest: held.rest }));
    this.#options.store.flush();
    const onward = from === 'editor' ? this.#toAgent : this.#toEditor;
    for (const { actions, rest } of decided) await this.#act(actions, rest, onward);
  }

  /** It goes on as it came, the beginning of a line as well. What was held before goes first. */
  #pass(lines: HeldLines, chunk: Uint8Array): void {
    const before = lines.letGo();
    if (!this.#options.adapter.isOut) {
      for (const held of lines.push(chunk))
        for (const action of this.#decide(held, 'agent'))
          if (action.do === 'say') this.#say(action);
      lines.letGo();
      this.#options.store.flush();
    }
    for (const bytes of before) this.#toEditor.pass(bytes);
    this.#toEditor.pass(chunk);
  }

  #decide({ line, isGone }: HeldLine, from: 'editor' | 'agent'): Actions {
    const { adapter } = this.#options;
    const text = line && !adapter.isOut ? decodeUtf8(line) : undefined;
    if (text === undefined) return [{ do: 'pass' }];
    if (from === 'editor') return adapter.fromEditor(text, isGone);
    return adapter.fromAgent(text, isGone);
  }

  async #act(actions: Actions, rest: Uint8Array | undefined, onward: Outlet): Promise<void> {
    for (const action of actions)
      switch (action.do) {
        case 'pass':
          if (rest) onward.pass(rest);
          break;
        case 'send':
          (action.to === 'agent' ? this.#toAgent : this.#toEditor).line(action.line);
          break;
        case 'replay':
          await this.#replay(action.replay);
          break;
        case 'say':
          this.#say(action);
          break;
      }
  }

  async #replay(replay: PendingReplay): Promise<void> {
    const { store } = this.#options;
    try {
      for await (const lines of historyLines(store.pathOf(replay.session), replay)) {
        for (const line of lines) this.#toEditor.line(line);
        await this.#toEditor.drained();
      }
    } catch (error) {
      const { message } = error as Error;
      this.#say({ text: `The history of ${replay.session} cannot be read: ${message}.` });
    }
  }

  #say({ text }: Pick<AdapterAction & { readonly do: 'say' }, 'text'>): void {
    this.#options.errors.write(printable(`acp-scope adapt: ${text}\n`));
  }
}

// Reading a stored history in pieces, twice: once to survey it, once to tell it. However long it
// is, no more of it is in memory than a line.

const UNREADABLE = 'A line of the history cannot be read: it was cut off while it was written.';

/** The lines of a replay, in pieces of some. Throws where the file cannot be read. */
export async function* historyLines(path: string, replay: PendingReplay): AsyncGenerator<string[]> {
  const survey = new Surveyor();
  let head: StoreHead | undefined;
  for await (const piece of linesOf(path, replay.until))
    for (const line of piece)
      if (head === undefined) head = headOf(line);
      else survey.take(entryOf(line));
  if (head === undefined) return;
  const { acp, compactions } = replay;
  const teller = new Teller({ head, survey, acp, compactions });
  yield teller.begin();
  let isHead = true;
  for await (const piece of linesOf(path, replay.until)) {
    const entries = isHead ? piece.slice(1) : piece;
    if (piece.length > 0) isHead = false;
    yield entries.flatMap((line) => teller.tell(entryOf(line)));
  }
}

function headOf(line: string | undefined): StoreHead {
  const read = readHead(line ?? '');
  if (!read.ok) throw new Error(read.problem);
  return read.head;
}

function entryOf(line: string | undefined): StoreEntry {
  const entry = line === undefined ? undefined : readEntry(line);
  return entry ?? { type: 'gap', why: UNREADABLE };
}

/** Lines of the first so many bytes; undefined: not UTF-8. Empty ones are left out. */
async function* linesOf(path: string, until: number): AsyncGenerator<(string | undefined)[]> {
  if (until === 0) return;
  const splitter = new LineSplitter();
  for await (const chunk of createReadStream(path, { end: until - 1 }))
    yield splitter
      .push(chunk as Uint8Array)
      .filter((line) => line.length > 0)
      .map(decodeUtf8);
  const rest = splitter.end();
  if (rest) yield [decodeUtf8(rest)];
}

// The process of the adapter: the agent is started, what the two say flows through `adapt-flow.ts`,
// and signals, stderr and the agent's end are handed on as they are.

interface AdaptOptions extends FlowOptions {
  readonly program: Program;
}

/** Resolves when the agent has ended and all it said is written; the caller ends in the same way. */
export async function runAdapter(options: AdaptOptions): Promise<TapEnd> {
  const spawned = await spawnProgram(options.program);
  if (!spawned.ok) return { kind: 'problem', problem: spawned.problem };
  const { child, mark } = spawned;
  const flow = new Flow(options, child.stdin);
  const stop = handOn(child.pid);
  const ended = endOf(child);
  child.stderr.on('data', (chunk: Uint8Array) => {
    if (options.errors.write(chunk)) return;
    child.stderr.pause();
    options.errors.once('drain', () => child.stderr.resume());
  });
  options.errors.on('error', () => child.stderr.resume());
  void flow.editor();
  await Promise.all([flow.agent(child.stdout), ended]);
  const wasTold = stop();
  const left = await leftBehind(mark);
  await handedOn([options.output, options.errors], wasTold);
  return { ...(await ended), ...(left.length > 0 && { left }) };
}
