// The agent's end of stdio: the SDK's stream, with the hooks of a misbehaviour in between, and
// each message handled as far as it goes before the next one is looked at.
import { setImmediate } from 'node:timers/promises';
import { Readable, type Writable } from 'node:stream';
import { ndJsonStream, type AnyMessage, type Stream } from '@agentclientprotocol/sdk/unstable';
import type { Hooks, Write } from './hooks.ts';

export function wire(stdin: Readable, stdout: Writable, hooks: Hooks): Stream {
  return hooked(ndJsonStream(byteSink(stdout, hooks), Readable.toWeb(stdin)), hooks);
}

/** Any stream of messages, with the hooks in between. */
export function hooked({ readable, writable }: Stream, hooks: Hooks): Stream {
  return {
    readable: readable.pipeThrough(oneByOne(hooks)),
    writable: hooks.sent ? through(writable, hooks.sent) : writable,
  };
}

/**
 * The SDK starts a handler some microtasks after its message came, and how many depends on the
 * method: a cancel could overtake its prompt. A turn of the event loop between messages keeps them
 * in order.
 */
function oneByOne(hooks: Hooks): TransformStream<AnyMessage, AnyMessage> {
  return new TransformStream({
    async transform(message, controller) {
      hooks.received?.(message);
      controller.enqueue(message);
      await setImmediate();
    },
  });
}

function through(
  writable: WritableStream<AnyMessage>,
  sent: NonNullable<Hooks['sent']>,
): WritableStream<AnyMessage> {
  const writer = writable.getWriter();
  return new WritableStream({
    write: (message) => sent(message, (other) => writer.write(other)),
    close: () => writer.close(),
    abort: (reason) => writer.abort(reason),
  });
}

/** Bytes to a stream that may be slow (waits), or closed by a client that has gone (no error). */
function byteSink(stdout: Writable, { write: hooked }: Hooks): WritableStream<Uint8Array> {
  stdout.on('error', () => undefined);
  const write: Write = async (bytes) => {
    if (stdout.writable && !stdout.write(bytes)) await room(stdout);
  };
  return new WritableStream({
    write: (line) => (hooked ? hooked(line, write) : write(line)),
  });
}

/** Waits until a stream takes more, or never will. */
async function room(stream: Writable): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('close', done);
  });
}
