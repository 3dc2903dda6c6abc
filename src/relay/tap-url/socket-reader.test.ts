import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joined } from '../../lib/bytes.ts';
import { SocketReader, type SocketSaid } from './socket-reader.ts';

interface Part {
  readonly opcode: number;
  readonly data: Uint8Array;
  readonly isLast: boolean;
}

function bytesOf({ opcode, data, isLast }: Part, mask: readonly number[] | undefined): Uint8Array {
  const size = data.length;
  const short = size < 126 ? size : size < 65_536 ? 126 : 127;
  const long = Buffer.alloc(short === 126 ? 2 : short === 127 ? 8 : 0);
  if (short === 126) long.writeUInt16BE(size);
  if (short === 127) long.writeBigUInt64BE(BigInt(size));
  const masked = data.map((byte, at) => byte ^ (mask?.[at % 4] ?? 0));
  const first = (isLast ? 0x80 : 0) | opcode;
  return joined([
    Uint8Array.from([first, short | (mask ? 0x80 : 0)]),
    ...[long, Uint8Array.from(mask ?? []), masked],
  ]);
}

function readIn(bytes: Uint8Array, sizes: readonly number[]) {
  const reader = new SocketReader();
  const said: SocketSaid[] = [];
  for (let at = 0, nth = 0; at < bytes.length; nth++) {
    const size = Math.max(1, sizes[nth % sizes.length] ?? 1);
    said.push(...reader.push(bytes.subarray(at, at + size)));
    at += size;
  }
  return { reader, said };
}

const data = fc.uint8Array({ maxLength: 300 });
const message = fc.record({
  binary: fc.boolean(),
  parts: fc.array(data, { minLength: 1, maxLength: 4 }),
});
const masks = fc.option(fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)), {
  nil: undefined,
});
const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1 });

test('messages are read whole wherever bytes and frames are cut, with pings between them', () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 5 }), masks, sizes, (messages, mask, cuts) => {
      const ping = { opcode: 9, data: Uint8Array.from([1, 2]), isLast: true };
      const frames = messages.flatMap(({ binary, parts }) =>
        parts.flatMap((part, at): Part[] => [
          ping,
          {
            opcode: at > 0 ? 0 : binary ? 2 : 1,
            ...{ data: part, isLast: at === parts.length - 1 },
          },
        ]),
      );
      const bytes = joined(frames.map((frame) => bytesOf(frame, mask)));
      const before = Uint8Array.from(bytes);
      const { reader, said } = readIn(bytes, cuts);
      expect(said.map((one) => one.kind === 'message' && [...joined(one.pieces)])).toEqual(
        messages.map(({ parts }) => [...joined(parts)]),
      );
      expect(said.map((one) => one.kind === 'message' && one.binary)).toEqual(
        messages.map(({ binary }) => binary),
      );
      expect(reader.fault).toBeUndefined();
      // What is read is a copy: the same bytes go on.
      expect([...bytes]).toEqual([...before]);
    }),
  );
});

test('N5: a message of a great many short fragments counts for what they take, and so does one that trickles', () => {
  const [first, more] = [Buffer.from([1, 1, 0x61]), Buffer.from([0, 1, 0x61])];
  const { reader } = readIn(first, [3]);
  const many = Buffer.concat(Array.from({ length: 10_000 }, () => more));
  let fragments = 0;
  for (; reader.fault === undefined && fragments < 10e6; fragments += 10_000) reader.push(many);
  expect(fragments).toBeLessThan(3e6);
  expect(reader.fault).toMatch(/longer than 256 MiB/);
  const trickle = new SocketReader();
  trickle.push(Buffer.from([0x81, 127, 0, 0, 0, 0, 0x0f, 0xff, 0xff, 0xff]));
  let pieces = 0;
  for (const one = Buffer.from('a'); trickle.fault === undefined && pieces < 10e6; pieces++)
    trickle.push(one);
  expect(pieces).toBeLessThan(3e6);
});

test('a ping longer than any may be ends the reading', () => {
  expect(readIn(Buffer.from([0x89, 126, 0xff, 0xff]), [4]).reader.fault).toMatch(/125 bytes/);
});

test('any bytes are read, or end in one sentence', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), sizes, (bytes, cuts) => {
      const { reader } = readIn(bytes, cuts);
      reader.end();
      expect(typeof reader.fault).toMatch(/undefined|string/);
    }),
  );
});

test('a close says its code and reason, and what did not come to its end is cut', () => {
  const close = { opcode: 8, data: Buffer.from([0x03, 0xe8, 0x62, 0x79]), isLast: true };
  const cut = { opcode: 1, data: Buffer.from('{"id"'), isLast: false };
  const { reader, said } = readIn(
    joined([bytesOf(cut, undefined), bytesOf(close, [1, 2, 3, 4])]),
    [3],
  );
  expect(said).toEqual([{ kind: 'close', code: 1000, reason: 'by' }]);
  expect(reader.end()).toMatchObject({ kind: 'message', binary: false, cut: true });
});

test('a message of 70,000 bytes is read, and one that is too long ends the reading alone', () => {
  const long = { opcode: 1, data: Buffer.alloc(70_000, 'x'), isLast: true };
  const { said } = readIn(bytesOf(long, undefined), [65_536]);
  expect(said).toMatchObject([{ kind: 'message', binary: false }]);
  const head = Buffer.from([0x81, 127, 0, 0, 0, 1, 0, 0, 0, 0]);
  expect(readIn(head, [1]).reader.fault).toMatch(/longer than 256 MiB/);
});
