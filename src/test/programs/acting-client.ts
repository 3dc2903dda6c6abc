// An acting client whose peer is an array: what it sends comes back as a frame at once, or when it is flushed.
import { parseMessage, type Json, type Message } from '../../acp/message.ts';
import { ActingClient } from '../../drive/client.ts';
import type { Peer } from '../../drive/peer.ts';
import { DEFAULT_SETTINGS, type ClientSettings } from '../../drive/settings.ts';
import { millis } from '../../lib/time.ts';
import { seq, type Frame, type Origin, type Side } from '../../trace/event.ts';

type HostAnswer =
  | { ok: true; result: Record<string, unknown> }
  | { ok: false; error: { code: number; message: string } };

/** A peer that is an array: what is sent comes back as a frame at once, or when `flush`ed. */
export class ArrayPeer implements Peer {
  readonly lines: { readonly line: string; readonly origin: Origin }[] = [];
  readonly #listeners: ((frame: Frame, message: Message) => void)[] = [];
  #seq = 0;
  holding = false;
  #held: string[] = [];

  send(line: string, origin: Origin): void {
    this.lines.push({ line, origin });
    if (this.holding) this.#held.push(line);
    else this.frame('client', line);
  }
  receive(listener: (frame: Frame, message: Message) => void) {
    this.#listeners.push(listener);
    return () => undefined;
  }
  end(): void {
    return;
  }
  frame(from: Side, text: string) {
    const frame: Frame = {
      type: 'frame',
      seq: seq(++this.#seq),
      at: millis(this.#seq),
      from,
      line: { text },
      origin: 'peer',
    };
    for (const listener of this.#listeners) listener(frame, parseMessage(text));
    return frame.seq;
  }
  flush(): void {
    this.holding = false;
    for (const line of this.#held.splice(0)) this.frame('client', line);
  }
  get sent(): Json[] {
    return this.lines.map(({ line }) => JSON.parse(line) as Json);
  }
}

export const QUIET: ClientSettings = { ...DEFAULT_SETTINGS, handshake: false };
export const rpc = (id: string, method: string, params: Json = {}) =>
  `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${JSON.stringify(params)}}`;
export const permission = (id: string, sessionId = 's') =>
  rpc(id, 'session/request_permission', {
    sessionId,
    toolCall: { toolCallId: 't' },
    options: [
      { optionId: 'always', name: 'Always', kind: 'allow_always' },
      { optionId: 'once', name: 'Once', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ],
  });

export function client(settings: Partial<ClientSettings> = {}) {
  const peer = new ArrayPeer();
  const notes: string[] = [];
  const calls: string[] = [];
  let finish: (answer: HostAnswer) => void = () => undefined;
  const acting = new ActingClient(
    peer,
    { ...QUIET, ...settings },
    {
      name: { name: 'test', version: '1' },
      host: (method) => {
        calls.push(method);
        return new Promise((resolve) => (finish = resolve));
      },
      note: (text) => notes.push(text),
    },
  );
  const done = async (answer: HostAnswer) => {
    finish(answer);
    await Promise.resolve();
  };
  return { peer, acting, notes, calls, done };
}
/** A client whose handshake is done: version 1, all capabilities advertised. */
export function settled(settings: Partial<ClientSettings> = {}, version = 1) {
  const all = { ...QUIET.advertise, readFiles: true, writeFiles: true, terminals: true };
  const made = client({ advertise: all, ask: 1, ...settings, handshake: true });
  made.acting.act();
  made.peer.frame('agent', `{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":${version}}}`);
  made.peer.lines.length = 0;
  return made;
}
