// The trace of the Rust conductor (`.jsons`): one logical message a line, of every hop of a chain of
// proxies. A trace of ours is one connection: the hop of the client. What other hops said, and MCP that
// travels inside, is told and kept as bytes.
import { readRecord, type JsonRecord } from '../json-record.ts';
import { frame, odd, type LineFormat, type ImportedPiece } from '../format.ts';
import { rpcLine } from './rpc.ts';

const TYPES: readonly (string | undefined)[] = ['request', 'response', 'notification'];

export const RUST_CONDUCTOR: LineFormat = {
  reads: 'lines',
  word: 'conductor',
  name: 'a trace of the Rust conductor',
  clock: 'relative',
  fates: {
    time: ['given', 'since the conductor began; the wall clock is lost'],
    sender: ['given', 'of the hop that the client is an end of'],
    line: ['inferred', 'made again from the parts of the message'],
    order: ['given', ''],
    stderr: ['lost', ''],
    process: ['lost', ''],
  },
  fits(line) {
    const record = readRecord(line);
    return (
      record !== undefined &&
      TYPES.includes(record.text('type')) &&
      record.number('ts') !== undefined &&
      record.has('from', 'to')
    );
  },
  begin() {
    /** Requests of MCP that wait: an answer does not say what it is. */
    const mcp = new Set<string>();
    return { take: (line) => (line.trim() === '' ? [] : [pieceOf(line, mcp)]) };
  },
};

function pieceOf(line: string, mcp: Set<string>): ImportedPiece {
  const record = readRecord(line);
  const [from, to] = [record?.text('from'), record?.text('to')];
  const type = record?.text('type');
  if (!record || from === undefined || to === undefined || !TYPES.includes(type))
    return odd('no record of the Rust conductor');
  const isClients = [from, to].some(isClient);
  if (!isClients) return odd(`of another hop, ${from} to ${to}`);
  const id = record.json('id');
  const key = (asker: string, other: string) => `${asker} ${other} ${id}`;
  if (type === 'response' ? mcp.delete(key(to, from)) : record.text('protocol') === 'mcp') {
    if (type === 'request') mcp.add(key(from, to));
    return odd('a message of MCP, not of ACP');
  }
  const ts = record.number('ts');
  const at = ts === undefined ? undefined : ts * 1000;
  return frame(isClient(from) ? 'client' : 'agent', lineOf(record, type, id), at, 'line');
}

function isClient(name: string): boolean {
  return name.toLowerCase() === 'client';
}

function lineOf(record: JsonRecord, type: string | undefined, id: string | undefined): string {
  if (type !== 'response')
    return rpcLine({
      id: type === 'request' ? (id ?? 'null') : undefined,
      method: record.text('method'),
      params: record.json('params'),
    });
  const payload = record.json('payload') ?? 'null';
  const isError = record.json('is_error') === 'true';
  return rpcLine({ id: id ?? 'null', ...(isError ? { error: payload } : { result: payload }) });
}
