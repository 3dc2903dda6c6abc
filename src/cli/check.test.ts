import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { at, err, keepOutput, out } from '../test/programs/command-line.ts';
import { draw } from '../test/traces/draw.ts';
import { V1, V1_SESSION } from '../test/traces/rule-case.ts';
import { zipped } from '../test/traces/zip.ts';
import { eventLine, headerLine } from '../trace/format.ts';
import { AnyReader } from '../trace/import/sniff.ts';
import { recorderLine } from '../trace/import/recorder.ts';
import { check } from './check.ts';
import { EXIT, runCommand } from './command.ts';

keepOutput();

const HEADER = headerLine({
  format: 'acptrace',
  version: 1,
  created: '2026-01-01T00:00:00.000Z',
  tool: 'test',
  clock: 'monotonic',
});

function write(name: string, picture: string, more: readonly string[] = []): string {
  const lines = [HEADER, ...draw(picture).map(eventLine), ...more];
  const text = `${lines.join('\n')}\n`;
  writeFileSync(at(name), name.endsWith('.gz') ? gzipSync(text) : text);
  return at(name);
}

interface Document {
  files: {
    file: string;
    findings: { rule: string; known?: true; suppressed?: string }[];
    summary: { error: number };
  }[];
}
const json = () => JSON.parse(out.join('\n')) as Document;

test('a good trace ends with 0, one that breaks a rule with 1', async () => {
  expect(await runCommand(check, [write('good.acptrace.jsonl', V1_SESSION)])).toBe(EXIT.ok);
  expect(out[0]).toContain('No rule failed.');
  const bad = write('bad.acptrace.jsonl', `${V1}agent raw oops`);
  expect(await runCommand(check, [bad])).toBe(EXIT.failed);
  expect(out[1]).toContain('frame/not-json');
});

test('the severity says from where on a finding fails', async () => {
  const warned = write(
    'w.acptrace.jsonl',
    `${V1}client →1 session/list {}\nagent ←1 error -32050 Too busy`,
  );
  expect(await runCommand(check, [warned])).toBe(EXIT.ok);
  expect(await runCommand(check, [warned, '--severity', 'warning'])).toBe(EXIT.failed);
});

test('a trace whose handshake failed does not pass', async () => {
  const refused = `start agent\nclient →0 initialize {"protocolVersion":1}\nagent ←0 error -32603 No login`;
  expect(await runCommand(check, [write('r.acptrace.jsonl', refused)])).toBe(EXIT.failed);
  expect(out.join('\n')).toContain(
    'The handshake failed, so the protocol of a version was not checked',
  );
});

test.skipIf(process.platform === 'win32')(
  'a file that vanishes during the check is named, and the others are checked',
  async () => {
    const [good, gone] = [write('a.acptrace.jsonl', V1_SESSION), write('b.acptrace.jsonl', V1)];
    // The check waits for this one when it has opened the others.
    execFileSync('mkfifo', [at('c')]);
    const running = runCommand(check, [good, gone, at('c')]);
    const writer = await open(at('c'), 'w');
    await rm(gone);
    await writer.writeFile(`${HEADER}\n`);
    await writer.close();
    expect(await running).toBe(EXIT.environment);
    expect(err.join('\n')).toContain(`Cannot read ${gone}: there is no such file or folder.`);
    expect(out.join('\n')).toContain(`${good}: 4 frames`);
  },
);

test('our files, gzipped ones and the recorder format are read alike', async () => {
  const picture = `${V1}agent raw oops`;
  const recorded = draw(picture).flatMap((event) => recorderLine(event) ?? []);
  writeFileSync(at('c.ndjson'), `${recorded.join('\n')}\n`);
  const files = [
    write('a.acptrace.jsonl', picture),
    write('b.acptrace.jsonl.gz', picture),
    at('c.ndjson'),
  ];
  expect(await runCommand(check, [...files, '--format', 'json'])).toBe(EXIT.failed);
  expect(json().files.map(({ file, summary }) => [file, summary.error])).toEqual(
    files.map((file) => [file, 1]),
  );
});

test('any edition can be chosen, also against the handshake, and the report says so', async () => {
  const good = write('good.acptrace.jsonl', V1_SESSION);
  for (const profile of ['v2-2.4.0', 'v2-2026-08'])
    expect(await runCommand(check, [good, '--profile', profile])).toBe(EXIT.failed);
  expect(out[0]?.split('\n')[0]).toBe(
    `${good}: 4 frames, checked as v2 as of SDK 2.4.0 as you chose, although its handshake settles on version 1`,
  );
  expect(await runCommand(check, [good, '--profile', 'v1'])).toBe(EXIT.ok);
  expect(out[2]).toContain('4 frames, checked as v1 as of SDK 2.4.0\n');
  await runCommand(check, [good, '--profile', 'v2-2.4.0', '--format', 'json']);
  expect(out[3]).toContain('"protocolVersion": 1,\n      "profile": "v2-2.4.0"');
});

test('a baseline keeps what is known from failing', async () => {
  const bad = write('bad.acptrace.jsonl', `${V1}agent raw oops`);
  await runCommand(check, [bad, '--format', 'json']);
  writeFileSync(at('baseline.json'), out.join('\n'));
  expect(await runCommand(check, [bad, '--baseline', at('baseline.json')])).toBe(EXIT.ok);
  const worse = write('bad.acptrace.jsonl', `${V1}agent raw oops\nagent raw 42`);
  expect(await runCommand(check, [worse, '--baseline', at('baseline.json')])).toBe(EXIT.failed);
  expect(await runCommand(check, [bad, '--baseline', at('none.json')])).toBe(EXIT.environment);
  expect(err.at(-1)).toContain('Make one: acp-scope check FILE --format json');
});

test('a finding set aside in the trace, with a reason, does not count', async () => {
  const aside = { type: 'suppress', seq: 5, at: 9, rule: 'frame/not-json', reason: 'known noise' };
  const bad = write('bad.acptrace.jsonl', `${V1}agent raw oops`, [JSON.stringify(aside)]);
  expect(await runCommand(check, [bad, '--format', 'json'])).toBe(EXIT.ok);
  expect(json().files[0]).toMatchObject({
    findings: [{ rule: 'frame/not-json', suppressed: 'known noise' }],
    summary: { error: 0 },
  });
});

test('a file that is none, and an option that is none, are named with what to do', async () => {
  expect(await runCommand(check, [at('nowhere.ndjson')])).toBe(EXIT.environment);
  expect(err.at(-1)).toContain('there is no such file');
  expect(await runCommand(check, [])).toBe(EXIT.usage);
  expect(await runCommand(check, ['x', '--profile', 'v3'])).toBe(EXIT.usage);
  expect(err.at(-1)).toContain('auto, v1-2.4.0, v1-2026-11, v2-2026-08, v2-2.4.0, v2-2026-11');
});

const GONE = 'there is no such file or folder';

test('a file that cannot be read takes nothing from the others, and every format says why', async () => {
  const good = write('good.acptrace.jsonl', V1_SESSION);
  const run = (format: string) => runCommand(check, [good, at('gone'), '--format', format]);
  for (const format of ['text', 'json', 'junit', 'sarif'])
    expect(await run(format)).toBe(EXIT.environment);
  const [text, document, junit, sarif] = out;
  expect(text).toContain('No rule failed.');
  expect(text).toMatch(/gone: not checked\n.*no such file/);
  expect(JSON.parse(document ?? '')).toMatchObject({
    files: [
      { file: good },
      {
        file: at('gone'),
        frames: 0,
        unread: [{ problem: expect.stringContaining(GONE) as string }],
      },
    ],
  });
  expect(junit).toContain('errors="1"');
  expect(JSON.parse(sarif ?? '')).toMatchObject({
    runs: [{ invocations: [{ executionSuccessful: false }] }],
  });
  const bad = write('bad.acptrace.jsonl', `${V1}agent raw oops`);
  expect(await runCommand(check, [bad, at('gone')])).toBe(EXIT.failed);
});

test('of a file that is cut off, what it holds is checked, and what is missing is told', async () => {
  const whole = readFileSync(write('whole.acptrace.jsonl', `${V1}agent raw oops`));
  const zipped = gzipSync(Buffer.concat([whole, Buffer.alloc(200_000, 0x20)]), { level: 0 });
  writeFileSync(at('cut.acptrace.jsonl'), whole.subarray(0, -20));
  writeFileSync(at('cut.acptrace.jsonl.gz'), zipped.subarray(0, whole.length + 60));
  await runCommand(check, [at('cut.acptrace.jsonl'), '--format', 'json']);
  await runCommand(check, [at('cut.acptrace.jsonl.gz'), '--format', 'json']);
  const [plain, gz] = out.map((text) => (JSON.parse(text) as Document).files[0]);
  expect(plain).toMatchObject({ frames: 2, unread: [{ line: 5, problem: 'not a JSON object' }] });
  expect(gz?.findings.map(({ rule }) => rule)).toContain('frame/not-json');
  expect(gz).toMatchObject({
    unread: [
      { line: 6, problem: 'not a JSON object' },
      { problem: 'the file cannot be read further (the gzip file is cut off)' },
    ],
  });
});

test('SARIF and JUnit go to stdout, and the file stays as it was', async () => {
  const bad = write('bad.acptrace.jsonl', `${V1}agent raw oops`);
  await runCommand(check, [bad, '--format', 'sarif']);
  expect(out[0]).toContain('"ruleId": "frame/not-json"');
  await runCommand(check, [bad, '--format', 'junit']);
  expect(out[1]).toContain('<failure type="error"');
  expect(readFileSync(bad, 'utf8')).toContain('oops');
});

const fixture = (name: string) =>
  fileURLToPath(new URL(`../test/fixtures/codex-acp/0.16.0/${name}.ndjson`, import.meta.url));

test('files that do not know their time are one set in the order of what they show, however they are given', async () => {
  const files = [fixture('permission-cut-load-v1'), fixture('permission-cut-v1')];
  const rules = async (given: readonly string[]) => {
    out.length = 0;
    await runCommand(check, ['--together', '--format', 'json', ...given]);
    const found = json().files.flatMap(({ file, findings }) =>
      findings.map(({ rule }) => `${basename(file)} ${rule}`),
    );
    return found.toSorted();
  };
  const found = await rules(files);
  expect(found).toContain('permission-cut-load-v1.ndjson replay/unfaithful');
  expect(await rules(files.toReversed())).toEqual(found);
});

test('files with a session in common are read as one set, and each alone with --apart', async () => {
  const files = [fixture('permission-cut-load-v1'), fixture('permission-cut-v1')];
  const rules = async (...more: readonly string[]) => {
    out.length = 0;
    await runCommand(check, ['--format', 'json', ...more, ...files]);
    return json().files.flatMap(({ findings }) => findings.map(({ rule }) => rule));
  };
  expect(await rules()).toContain('replay/unfaithful');
  expect(await rules('--together')).toEqual(await rules());
  expect(await rules('--apart')).not.toContain('replay/unfaithful');
  expect(await runCommand(check, ['--apart', '--together', ...files])).toBe(EXIT.usage);
});

test('where nothing says which of two files is older, no order of them is an error', async () => {
  const files = ['A-1-delete', 'A-2-load'].map((name) =>
    fileURLToPath(new URL(`../test/cases/order/${name}.ndjson`, import.meta.url)),
  );
  const found = (given: readonly string[]) => {
    out.length = 0;
    return runCommand(check, ['--format', 'json', ...given]);
  };
  expect(await found(files)).toBe(EXIT.ok);
  expect(await found(files.toReversed())).toBe(EXIT.ok);
  // By whatever way a file is named twice, it is checked once.
  await found([...files, ...files]);
  expect(json().files).toHaveLength(2);
});

test('I-02 of many lines that are no events the first ten are named, and the rest is counted up to the last', async () => {
  const path = at('empty.acptrace.jsonl');
  const head = { format: 'acptrace', version: 1, created: '2026-11-21T10:41:00.000Z', tool: 't' };
  writeFileSync(path, `${JSON.stringify(head)}\n${'\n'.repeat(1000)}`);
  await runCommand(check, [path, '--format', 'json']);
  expect(err).toHaveLength(11);
  expect(err[9]).toMatch(/line 11: not a JSON object; not checked\.$/);
  expect(err[10]).toMatch(
    /: 990 more lines are not checked; line 1001, the last one: not a JSON object\.$/,
  );
  const { files } = JSON.parse(out.join('')) as { files: { unread: { line: number }[] }[] };
  expect(files[0]?.unread).toHaveLength(11);
  expect(files[0]?.unread.at(-1)?.line).toBe(1001);
});

test.each([
  [
    'ZIP archive',
    'bomb.zip',
    (blanks: Buffer) => zipped([{ name: 'a.log', data: blanks, stated: 9 }]),
  ],
  ['gzip', 'bomb.gz', (blanks: Buffer) => gzipSync(blanks)],
])(
  'I-01 a %s that unpacks to far more than its size is rejected, and the bytes held are not read',
  async (_, name, pack) => {
    writeFileSync(at(name), pack(Buffer.alloc(60 * 1024 ** 2, ' ')));
    const looked = vi.spyOn(AnyReader.prototype, 'end');
    expect(await runCommand(check, [at(name)])).toBe(EXIT.environment);
    expect(err.at(-1)).toContain('200 times its size');
    expect(looked).not.toHaveBeenCalled();
  },
);

test('files of an archive that are not read are named', async () => {
  const data = Buffer.from(
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}\n',
  );
  writeFileSync(
    at('two.zip'),
    zipped([
      { name: 'a.jsonl', data },
      { name: 'b.jsonl', data },
    ]),
  );
  await runCommand(check, [at('two.zip')]);
  expect(err.join('\n')).toContain('1 more file could be a trace (b.jsonl)');
});
