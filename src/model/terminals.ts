// The terminals of a connection. v2: owned by the agent, told in updates as base64 bytes. v1: the
// client's, seen through the requests of the agent and the client's answers.
import { get, isObject, num, obj, str } from '../acp/json.ts';
import { idKey, type Json, type JsonObject, type Message, type Request } from '../acp/message.ts';
import { updateOf, type SessionUpdate } from '../acp/update.ts';
import { encodeUtf8, fromBase64 } from '../lib/utf8.ts';
import type { Frame, Seq } from '../trace/event.ts';
import type { TerminalView } from './conversation-view.ts';
import { jsonText } from './pins.ts';
import { TailBytes } from './tail-bytes.ts';

/** What TerminalView says "the last 1 MiB" of. */
const CAP = 1024 * 1024;

interface Terminal {
  readonly terminalId: string;
  readonly session: string | undefined;
  readonly output: TailBytes;
  command: string | undefined;
  cwd: string | undefined;
  exit: string | undefined;
  last: Seq;
}

export class TerminalsFold {
  /** By session and terminal id: v2 ids are unique in a session only. */
  readonly #terminals = new Map<string, Terminal>();
  /** Requests of the agent about terminals that wait for the client's answer. */
  readonly #open = new Map<string, Request>();

  /** The next frame of the connection; what is not about terminals is passed over. */
  append(frame: Frame, message: Message): void {
    switch (message.kind) {
      case 'notification': {
        const found = message.method === 'session/update' ? updateOf(message.params) : undefined;
        if (found) this.#update(found, frame.seq);
        return;
      }
      case 'request':
        if (frame.from === 'agent' && message.method.startsWith('terminal/'))
          this.#open.set(idKey(message.id), message);
        return;
      case 'success':
      case 'failure': {
        const key = idKey(message.id);
        const request = frame.from === 'client' ? this.#open.get(key) : undefined;
        if (!request) return;
        this.#open.delete(key);
        if (message.kind === 'success') this.#answered(request, message.result, frame.seq);
        return;
      }
      case 'invalid':
        return;
    }
  }

  /** In the order they first appeared. */
  views(): TerminalView[] {
    return [...this.#terminals.values()].map((terminal) => {
      const { terminalId, session, command, cwd, exit, last } = terminal;
      return {
        terminalId,
        ...(session === undefined ? {} : { session }),
        ...(command === undefined ? {} : { command }),
        ...(cwd === undefined ? {} : { cwd }),
        ...(exit === undefined ? {} : { exit }),
        output: terminal.output.bytes(),
        last,
      };
    });
  }

  #of(session: string | undefined, terminalId: string, seq: Seq): Terminal {
    const key = JSON.stringify([session, terminalId]);
    const known = this.#terminals.get(key);
    if (known) {
      known.last = seq;
      return known;
    }
    const terminal: Terminal = {
      terminalId,
      session,
      output: new TailBytes(CAP),
      command: undefined,
      cwd: undefined,
      exit: undefined,
      last: seq,
    };
    this.#terminals.set(key, terminal);
    return terminal;
  }

  #update({ sessionId, variant, update }: SessionUpdate, seq: Seq): void {
    if (variant !== 'terminal_update' && variant !== 'terminal_output_chunk') return;
    const terminalId = str(update, 'terminalId');
    if (terminalId === undefined) return;
    const terminal = this.#of(sessionId, terminalId, seq);
    if (variant === 'terminal_update') patch(terminal, update);
    else terminal.output.push(fromBase64(str(update, 'data') ?? '') ?? new Uint8Array());
  }

  #answered({ method, params }: Request, result: Json, seq: Seq): void {
    const session = str(params, 'sessionId');
    const made = method === 'terminal/create';
    const terminalId = str(made ? result : params, 'terminalId');
    if (terminalId === undefined) return;
    const terminal = this.#of(session, terminalId, seq);
    switch (method) {
      case 'terminal/create':
        terminal.command = commandLine(params);
        terminal.cwd = str(params, 'cwd');
        return;
      case 'terminal/output': {
        const output = str(result, 'output');
        if (output !== undefined) terminal.output.reset(encodeUtf8(output));
        terminal.exit = exitWords(obj(result, 'exitStatus')) ?? terminal.exit;
        return;
      }
      case 'terminal/wait_for_exit':
        terminal.exit = exitWords(result);
        return;
    }
  }
}

/** v2: omitted is unchanged, null clears, a value replaces; `output` is the whole of it. */
function patch(terminal: Terminal, update: JsonObject): void {
  if (get(update, 'command') !== undefined) terminal.command = str(update, 'command');
  if (get(update, 'cwd') !== undefined) terminal.cwd = str(update, 'cwd');
  if (get(update, 'exitStatus') !== undefined) terminal.exit = exitWords(obj(update, 'exitStatus'));
  if (get(update, 'output') !== undefined)
    terminal.output.reset(fromBase64(str(obj(update, 'output'), 'data') ?? '') ?? new Uint8Array());
}

/** `exit 1`, `signal SIGTERM`; undefined while it runs. */
function exitWords(status: Json | undefined): string | undefined {
  if (!isObject(status)) return undefined;
  const signal = str(status, 'signal');
  const code = num(status, 'exitCode');
  if (signal !== undefined) return `signal ${signal}`;
  return code === undefined ? 'exited' : `exit ${code}`;
}

/** As a person reads it; not to be given to a shell. */
function commandLine(params: Json | undefined): string | undefined {
  const command = str(params, 'command');
  const args = get(params, 'args');
  if (command === undefined || !Array.isArray(args)) return command;
  return [command, ...args.map((arg) => (typeof arg === 'string' ? arg : jsonText(arg)))].join(' ');
}
