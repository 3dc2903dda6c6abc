// The logs in an archive of logs, as one stream of bytes.
import { joined } from '../../lib/bytes.ts';
import { MOST_ARCHIVE, unpackLimit, unpackLogs } from '../../trace/import/archive.ts';
import { FileError } from '../command.ts';

/** Throws `FileError`. */
export async function* archivedLogs(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const held: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    size += chunk.length;
    if (size > MOST_ARCHIVE)
      throw new FileError(
        `${path}: an archive of more than 512 MiB is not unpacked here. Unpack it and give its logs.`,
      );
  }
  const logs = unpackLogs(joined(held));
  if (!logs.ok) throw new FileError(`${path}: ${logs.problem}`);
  let unpacked = 0;
  for await (const chunk of logs.bytes) {
    unpacked += chunk.length;
    const limit = unpackLimit(unpacked, size);
    if (limit !== undefined) throw new FileError(`${path}: ${limit}`);
    yield chunk;
  }
}
