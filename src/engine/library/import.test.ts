import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { decodeUtf8, encodeUtf8 } from '../../lib/utf8.ts';
import { computed } from '../../test/traces/cost.ts';
import { draw } from '../../test/traces/draw.ts';
import { MemoryStore } from '../../storage/memory-store.ts';
import { seq } from '../../trace/event.ts';
import { eventLine, headerLine } from '../../trace/format.ts';
import { Catalog } from './catalog.ts';
import { exportFile } from './export-file.ts';
import { exportName } from '../../trace/file-name.ts';
import { importFile } from './import-file.ts';
import { Intake } from '../traces/intake.ts';
import type { OpenTrace } from '../traces/open-trace.ts';
import { loadReader } from '../engine.ts';
import { OpenTraces } from '../traces/open-traces.ts';

const HEADER = headerLine({
  format: 'acptrace',
  version: 1,
  created: '2026-11-21T10:00:00.000Z',
  tool: 'acp-scope 0.1.0',
  name: 'my agent',
  clock: 'monotonic',
});
const LINES = draw(`
  start agent
  client →0 initialize {"protocolVersion":1}
  agent bytes ff fe
  agent raw {"a":1}
  exit 0`).map(eventLine);

const log = (name: string) =>
  new File([readFileSync(new URL(`../../test/cases/logs/${name}`, import.meta.url))], name);

function engine() {
  const store = new MemoryStore(undefined);
  const ignore = () => undefined;
  const catalog = new Catalog(store, { changed: ignore, purged: ignore, problem: ignore });
  const intake = new Intake<OpenTrace>(ignore);
  const traces = new OpenTraces({ store, intake, catalog }, ignore, loadReader);
  const begun: string[] = [];
  const parts = {
    store,
    catalog,
    traces,
    intake,
    begun: (id: string) => void begun.push(id),
    givenUp: ignore,
  };
  const load = async (bytes: BlobPart, name = 'a.acptrace.jsonl') => {
    await traces.ready();
    return importFile(new File([bytes], name), parts);
  };
  return { store, catalog, traces, load, begun, parts };
}
type Engine = ReturnType<typeof engine>;

async function roundTrip({ store, catalog, traces, load }: Engine, bytes: Uint8Array<ArrayBuffer>) {
  const imported = await load(bytes);
  if (!imported.ok) throw new Error(imported.message);
  const stored = catalog.get(imported.connection);
  if (!stored) throw new Error('no trace');
  const { blob } = await exportFile(stored, undefined, store, []);
  const open = traces.get(imported.connection);
  return { imported, stored, open, bytes: Buffer.from(await blob.arrayBuffer()) };
}

describe('a file', () => {
  const whole = encodeUtf8([HEADER, ...LINES].map((line) => `${line}\n`).join(''));

  test('comes out byte for byte as it went in', async () => {
    const { bytes, stored, open, imported } = await roundTrip(engine(), whole);
    expect(bytes.equals(whole)).toBe(true);
    expect(stored).toMatchObject({ name: 'a', mode: 'file', events: 5, frames: 3 });
    expect(stored).not.toHaveProperty('reading');
    expect(open?.index.length).toBe(5);
    expect(imported).not.toHaveProperty('note');
  });

  test('R-39 of which a block cannot be read comes out without it, and says so', async () => {
    const { load, catalog, store } = engine();
    const imported = await load(whole);
    const stored = imported.ok && catalog.get(imported.connection);
    if (!stored) throw new Error('no trace');
    const blocks = await store.blocks(stored.connection, seq(0));
    const [block] = blocks.ok ? blocks.value : [];
    if (!block) throw new Error('no block');
    const damaged = { ...block, last: seq(block.first + 1), size: 1000 };
    vi.spyOn(store, 'blocks').mockImplementation((_, after) =>
      Promise.resolve({ ok: true, value: [damaged, block].filter(({ last }) => last > after) }),
    );
    const { blob, problem } = await exportFile(stored, undefined, store, []);
    expect(await blob.text()).toBe(decodeUtf8(whole));
    expect(problem?.message).toContain('other bytes than were written');
  });

  test('is called as its file, or by its own name where the file is called after that', async () => {
    const { load, catalog } = engine();
    const nameOf = async (file: string) => {
      const imported = await load(whole, file);
      return imported.ok && catalog.get(imported.connection)?.name;
    };
    expect(await nameOf('before 1.4.acptrace.jsonl')).toBe('before 1.4');
    expect(await nameOf('my-agent.acptrace.jsonl')).toBe('my agent');
  });

  test('R-57 R-59 also cut anywhere, with foreign lines, CRs, repeats and holes', async () => {
    const line = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...LINES) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('', '\r', '{}', '{"seq":9,"at":0,"type":"exit"} \r'),
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 20 }), fc.nat(), async (lines, cut) => {
        const text = [HEADER, ...lines].map((text) => `${text.replaceAll('\n', '')}\n`).join('');
        const full = encodeUtf8(text);
        const head = encodeUtf8(HEADER).length;
        const bytes = full.slice(0, head + (cut % (full.length - head + 1)));
        const result = await roundTrip(engine(), bytes);
        expect(result.bytes.equals(bytes)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test('N13 of a million frames is imported within a minute of computing: a hundred thousand in a tenth of it', async () => {
    const { load } = engine();
    const [start = '', ...rest] = LINES;
    const frames = Array.from({ length: 100_000 }, (_, at) =>
      (rest[0] ?? '').replace(/"seq":\d+/, `"seq":${at + 2}`),
    );
    const bytes = `${[HEADER, start, ...frames].join('\n')}\n`;
    expect(await computed(() => load(bytes), 2)).toBeLessThan(6000);
  });

  test('packed with gzip is unpacked, whatever its name', async () => {
    const stream = new Blob([whole]).stream().pipeThrough(new CompressionStream('gzip'));
    const packed = new Uint8Array(await new Response(stream).arrayBuffer());
    expect((await roundTrip(engine(), packed)).bytes.equals(whole)).toBe(true);
  });

  test('in the recorder format becomes a trace of ours', async () => {
    const made = engine();
    const recorded = '{"t":0,"dir":"agent-to-client","raw":"x"}\n';
    const { stored } = await roundTrip(made, encodeUtf8(recorded));
    expect(stored).toMatchObject({ events: 1, frames: 1, name: 'a' });
  });

  test('of another tool becomes a trace of ours, and says what was inferred and lost', async () => {
    const file = (name: string) =>
      new Uint8Array(readFileSync(new URL(`../../test/fixtures/imports/${name}`, import.meta.url)));
    const zed = await roundTrip(engine(), file('zed.json'));
    expect(zed.stored).toMatchObject({ events: 12, frames: 11 });
    expect(zed.imported).toMatchObject({ note: expect.stringContaining('Lost: times') });
    expect(zed.open?.index.columns.timeOf(3)).toBeNaN();
    const logs = await roundTrip(engine(), file('jetbrains-acp-logs.zip'));
    expect(logs.stored).toMatchObject({ frames: 11 });
    const conductor = await roundTrip(engine(), file('rust-conductor.jsons'));
    expect(conductor.stored).toMatchObject({ frames: 11 });
    expect(conductor.imported).toMatchObject({ note: expect.stringContaining('13 records') });
  });

  test('with lines of two processes becomes a trace of each', async () => {
    const made = engine();
    await made.traces.ready();
    const file = log('26-two-processes.log');
    const imported = [0, 1].map((process) => importFile(file, made.parts, { process }));
    const found = await Promise.all(imported);
    expect(found).toMatchObject([{ processes: 2 }, { processes: 2 }]);
    const [one, other] = found.map((each) => each.ok && made.catalog.get(each.connection));
    if (!one || !other) throw new Error('no trace');
    const names = ['10', '11'].map((pid) => `26-two-processes.log · pid ${pid}`);
    expect([one.name, other.name]).toEqual(names);
    const whole = (await file.text()).match(/"jsonrpc"/g) ?? [];
    expect(one.frames + other.frames).toBe(whole.length);
  });

  test('with one direction is one trace with the file beside it that has the other', async () => {
    const made = engine();
    await made.traces.ready();
    const [stdin, stdout, noise] = [
      log('21-stdin.log'),
      log('21-stdout.log'),
      log('20-journald.log'),
    ];
    for (const [file, beside] of [
      [stdin, [noise, stdout]],
      [stdout, [noise, stdin]],
    ] as const) {
      const imported = await importFile(file, made.parts, { beside });
      if (!imported.ok) throw new Error(imported.message);
      const { joined, report, note, connection } = imported;
      expect(joined).toBe(1);
      expect(report).toMatchObject({
        joined: beside[1].name,
        fates: { order: ['inferred', expect.any(String)] },
      });
      expect(note).toContain(`joined with \`${beside[1].name}\``);
      const stored = made.catalog.get(connection);
      const lines = [stdin, stdout].map(async (one) => (await one.text()).trimEnd().split('\n'));
      const sent = (await Promise.all(lines)).flat().length;
      expect(stored).toMatchObject({ name: `${file.name} + ${beside[1].name}`, frames: sent });
      const whole = await made.traces.whole(connection);
      expect(whole?.lines.event(0)).toMatchObject({ type: 'gap', hole: 'order' });
    }
  });

  test.each([
    ['nothing', () => []],
    ['a file that cannot be read', () => [new File(['PK\u0003\u0004'], 'a.zip')]],
    ['another of the same direction', () => [log('21-stdin.log')]],
    [
      'the other direction of another connection',
      () => [new File(['{"jsonrpc":"2.0","id":"other","result":{}}\n'.repeat(3)], 'b.log')],
    ],
  ])('with one direction beside %s is a trace of its own', async (_, beside) => {
    const made = engine();
    await made.traces.ready();
    const imported = await importFile(log('21-stdin.log'), made.parts, { beside: beside() });
    expect(imported).toMatchObject({ ok: true, note: expect.not.stringContaining('joined') });
    expect(imported).not.toHaveProperty('joined');
    expect(made.catalog.summaries()).toMatchObject([{ name: '21-stdin.log' }]);
  });

  test('I-04 is shown as soon as its header is read, and never under an id it names itself', async () => {
    const made = engine();
    const named = JSON.stringify({ ...JSON.parse(HEADER), connection: 'theirs' });
    const { imported } = await roundTrip(made, encodeUtf8(`${named}\n`));
    expect(made.begun).toEqual([imported.connection]);
    expect(imported.connection).not.toBe('theirs');
  });

  test('whose last line is cut says so, and keeps the line', async () => {
    const { imported, open } = await roundTrip(engine(), whole.slice(0, -9));
    expect(imported).toMatchObject({
      note: 'The last line is cut off. 4 events are fine; the cut line is kept as #5.',
    });
    expect(open?.lines.event(4)).toMatchObject({ type: 'gap', seq: 5 });
  });

  test('I-03 with a line that is no event names it, and goes on', async () => {
    const text = [HEADER, LINES[0], 'noise', ...LINES.slice(1)].join('\n') + '\n';
    const { imported, open } = await roundTrip(engine(), encodeUtf8(text));
    expect(imported).toMatchObject({ note: expect.stringContaining('line 3: not a JSON object') });
    expect(open?.index.length).toBe(5);
  });

  test.each([
    ['', 'This file is empty'],
    ['PK\u0003\u0004', 'This ZIP archive is cut off'],
    ['\u0089PNG', 'This file has no trace that can be read'],
    ['{"format":"acptrace","version":99}\n', 'This trace is format 99'],
  ])('that is none is refused with a sentence, and leaves nothing: %j', async (text, words) => {
    const { load, catalog } = engine();
    expect(await load(text)).toMatchObject({ ok: false, message: expect.stringContaining(words) });
    expect(catalog.summaries()).toEqual([]);
  });

  test('I-01 a gzip made to explode is stopped', async () => {
    const { load, catalog } = engine();
    const zeros = new Blob([`${HEADER}\n`, new Uint8Array(30 * 1024 * 1024)]);
    const stream = zeros.stream().pipeThrough(new CompressionStream('gzip'));
    const answer = await load(await new Response(stream).arrayBuffer(), 'bomb.gz');
    expect(answer).toMatchObject({ ok: false, message: expect.stringContaining('200 times') });
    expect(catalog.summaries()).toEqual([]);
  });

  test('attack row 12 (I-01) a gzip of megabytes is stopped when little of it is unpacked', async () => {
    let unpacked = 0;
    const Whole = DecompressionStream;
    const counted = class {
      readonly writable: WritableStream;
      readonly readable: ReadableStream;
      constructor() {
        const { readable, writable } = new Whole('gzip');
        const count = new TransformStream<Uint8Array, Uint8Array>({
          transform(chunk, controller) {
            unpacked += chunk.length;
            controller.enqueue(chunk);
          },
        });
        [this.writable, this.readable] = [writable, readable.pipeThrough(count)];
      }
    };
    vi.stubGlobal('DecompressionStream', counted);
    const zeros = new Uint8Array(1024 * 1024);
    let left = 300;
    const bomb = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        controller.enqueue(left === 300 ? encodeUtf8(`${HEADER}\n`) : zeros);
        if (--left === 0) controller.close();
      },
    });
    const packed = await new Response(
      bomb.pipeThrough(new CompressionStream('gzip')),
    ).arrayBuffer();
    expect(packed.byteLength).toBeGreaterThan(250_000);
    const answer = await engine().load(packed, 'bomb.gz');
    vi.unstubAllGlobals();
    expect(answer).toMatchObject({ ok: false, message: expect.stringContaining('200 times') });
    expect(unpacked).toBeLessThan(40 * 1024 * 1024);
  });

  test('R-58 that breaks off when much of it is stored leaves nothing that looks like a whole one', async () => {
    const { store, catalog, load, begun } = engine();
    const stored = vi.spyOn(store, 'append');
    const many = encodeUtf8(
      LINES.map((line) => `${line}\n`)
        .join('')
        .repeat(5_000),
    );
    let given = 0;
    const stream = new ReadableStream({
      pull(controller) {
        if (given === 0) controller.enqueue(encodeUtf8(`${HEADER}\n`));
        if (given++ < 20) controller.enqueue(many);
        else controller.error(new Error('the disk is gone'));
      },
    });
    vi.spyOn(File.prototype, 'stream').mockReturnValueOnce(stream);
    expect(await load(HEADER, 'half.acptrace.jsonl')).toEqual({
      ok: false,
      message: 'The file `half.acptrace.jsonl` cannot be read: the disk is gone',
    });
    expect(begun.length).toBe(1);
    expect(stored).toHaveBeenCalled();
    expect(catalog.summaries()).toEqual([]);
    // What was deleted is taken out of the database later.
    const left = await store.traces();
    expect(left.ok && left.value.filter(({ deletedAt }) => deletedAt === undefined)).toEqual([]);
  });

  test('that the page fails to take in is refused with the reason, and leaves nothing', async () => {
    const { parts, traces, catalog } = engine();
    await traces.ready();
    vi.spyOn(parts.intake, 'add').mockRejectedValue(new Error('no memory'));
    const file = new File([whole], 'a.acptrace.jsonl');
    const message = 'The file `a.acptrace.jsonl` cannot be opened: no memory';
    expect(await importFile(file, parts)).toEqual({ ok: false, message });
    expect(catalog.summaries()).toEqual([]);
  });

  test('that breaks off as a gzip is refused in the words of the browser', async () => {
    const stream = new Blob([whole]).stream().pipeThrough(new CompressionStream('gzip'));
    const packed = new Uint8Array(await new Response(stream).arrayBuffer()).slice(0, 40);
    const answer = await engine().load(packed, 'cut.gz');
    expect(answer).toMatchObject({ ok: false, message: expect.stringContaining('`cut.gz`') });
  });
});

describe('the name of an export', () => {
  test.each([
    ['My agent', 'My-agent.acptrace.jsonl'],
    ['../../.bashrc', 'bashrc.acptrace.jsonl'],
    ['CON', 'trace-CON.acptrace.jsonl'],
    ['a\u202egpj.exe', 'a-gpj.exe.acptrace.jsonl'],
    ['', 'trace.acptrace.jsonl'],
    ['日本', 'trace.acptrace.jsonl'],
    ['soak.acptrace.jsonl', 'soak.acptrace.jsonl'],
    ['soak.acptrace.jsonl.gz', 'soak.acptrace.jsonl'],
    ['codex.load.ndjson', 'codex.load.acptrace.jsonl'],
  ])('I-07 of %j is %s', (name, expected) => {
    expect(exportName(name)).toBe(expected);
  });

  test('I-07 is safe whatever the trace is called', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
        const made = exportName(name);
        expect(made).toMatch(/^[A-Za-z0-9_][A-Za-z0-9._-]*\.acptrace\.jsonl$/);
        expect(made.length).toBeLessThanOrEqual(80);
        expect(made).not.toContain('..');
      }),
    );
  });
});
