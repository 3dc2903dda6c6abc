// Writing a trace file, and what else a command makes, as a whole or not at all.
import { randomUUID } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { count } from '../../lib/format.ts';
import type { TraceEvent } from '../../trace/event.ts';
import { eventLine, headerLine, type Header } from '../../trace/format.ts';
import { recorderLine } from '../../trace/import/recorder.ts';
import { FileError } from '../command.ts';
import { onInterrupt } from './interrupt.ts';
import { isThereNow, moveInto, type OutFile } from './out-file.ts';
import { openTrace, reason } from './trace-files.ts';

/** Writes a whole trace file anew under another name, in the format of that name. */
export async function rewrite(from: string, to: OutFile): Promise<void> {
  const { header, items } = await openTrace(from);
  async function* events(): AsyncGenerator<readonly TraceEvent[]> {
    for await (const batch of items)
      yield batch.flatMap((item) => ('event' in item ? [item.event] : []));
  }
  await writeTrace(to, header, events());
}

type Batches = Iterable<readonly TraceEvent[]> | AsyncIterable<readonly TraceEvent[]>;

/**
 * Writes by the name of the file: the recorder format for `*.ndjson`, ours for all else; gzip for `*.gz`.
 * What that format has no word for is told on stderr. Gives the number of events written.
 */
export async function writeTrace(file: OutFile, header: Header, events: Batches): Promise<number> {
  const { path } = file;
  const recorder = /\.ndjson(\.gz)?$/.test(path);
  let [written, replaced, left] = [0, 0, 0];
  async function* lines(): AsyncGenerator<string> {
    if (!recorder) yield `${headerLine(header)}\n`;
    for await (const batch of events) {
      let text = '';
      for (const event of batch) {
        const line = recorder ? recorderLine(event) : eventLine(event);
        if (line === undefined) left++;
        else {
          written++;
          text += `${line}\n`;
        }
        if (recorder && 'line' in event && 'base64' in event.line) replaced++;
      }
      yield text;
    }
  }
  await wholeOrNot(file, (sink, signal) =>
    path.endsWith('.gz')
      ? pipeline(lines, createGzip(), sink, { signal })
      : pipeline(lines, sink, { signal }),
  );
  if (replaced > 0)
    console.error(`${count(replaced, 'line is', 'lines are')} not UTF-8: bad bytes became U+FFFD.`);
  if (left > 0)
    console.error(
      `${count(left, 'event is', 'events are')} neither frame nor stderr: this format has no word for that.`,
    );
  return written;
}

/** The same for what is no trace. Throws FileError. */
export async function writeText(file: OutFile, text: string): Promise<void> {
  await wholeOrNot(file, (sink, signal) => pipeline([text], sink, { signal }));
}

/**
 * Half a trace reads like a whole one: what is written stands under a name of its own until it is complete, and what
 * stood there before until then. Nobody can plant a link at that name. Throws FileError, also where the command is
 * interrupted.
 */
async function wholeOrNot(
  file: OutFile,
  write: (sink: Writable, stop: AbortSignal) => Promise<void>,
): Promise<void> {
  const { path } = file;
  const target = await realpath(path).catch(() => path);
  const before = await stat(target).catch(() => undefined);
  // A pipe that has a name is written to, not replaced.
  const isReplaced = before === undefined || before.isFile();
  const part = isReplaced ? `${target}.${randomUUID()}.part` : target;
  const mode = before === undefined ? 0o600 : before.mode & 0o777;
  const { stop, off } = onInterrupt();
  const sink = createWriteStream(part, { mode, flags: isReplaced ? 'wx' : 'w' });
  let isOurs = false;
  sink.once('open', () => (isOurs = isReplaced));
  // Whatever ends the program, as a reader of its words that leaves: half a file does not stay.
  const sweep = () => {
    if (isOurs) rmSync(part, { force: true });
  };
  process.once('exit', sweep);
  try {
    await write(sink, stop);
    if (isReplaced) await moveInto(file, part, target);
  } catch (error) {
    // Only then it is known whether there is a file. A pipe that nobody reads is not waited for.
    if (isReplaced && !sink.closed) await new Promise<void>((done) => sink.once('close', done));
    sweep();
    if (error instanceof FileError) throw error;
    if (stop.aborted) throw new FileError(`Stopped before ${path} was whole: it is not written.`);
    if (isThereNow(error))
      throw new FileError(`${path} came to be while it was written. Run the command again.`);
    throw new FileError(`Cannot write ${path}: ${reason(error)}.`);
  } finally {
    process.off('exit', sweep);
    off();
  }
}
