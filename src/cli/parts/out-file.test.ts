import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { at, folder, keepOutput } from '../../test/programs/command-line.ts';
import { FileError, UsageError } from '../command.ts';
import { claimFree, moveInto, moveIntoNow, nameWith, outFiles } from './out-file.ts';

keepOutput();

const terms = { option: 'OUT', force: false, terminal: 'none' } as const;

/** A terminal at which a person types this. */
function typed(text: string) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  input.end(text);
  let shown = '';
  output.on('data', (data: Buffer) => (shown += data.toString()));
  return { terminal: { input, output }, shown: () => shown };
}

test.each([
  ['y\n', true],
  ['YES\r\n', true],
  ['\n', false],
  ['n\n', false],
  ['yy\n', false],
  ['', false],
])('R-68: in a terminal a person is asked, and %j is %s', async (text, agrees) => {
  writeFileSync(at('out'), 'before');
  for (const name of ['named', 'beside'] as const) {
    const { terminal, shown } = typed(text);
    const files = outFiles({ ...terms, terminal });
    const asked = files[name](at('out'), at('x')).catch((error: unknown) => error);
    if (agrees) expect(await asked).toEqual({ path: at('out'), replaces: true });
    else expect(await asked).toBeInstanceOf(FileError);
    expect(shown()).toBe(`${at('out')} exists. Overwrite? [y/N] `);
  }
});

test('R-68: a free name, a device and a folder are no question; a link that leads nowhere is taken', async () => {
  const { terminal, shown } = typed('n\n');
  const files = outFiles({ ...terms, terminal });
  expect(await files.named(at('free'))).toEqual({ path: at('free'), replaces: false });
  expect(await files.named(folder)).toEqual({ path: folder, replaces: true });
  expect(shown()).toBe('');
  symlinkSync(at('nowhere'), at('link'));
  await expect(files.named(at('link'))).rejects.toThrow('is not overwritten');
});

test('R-68: --force is for the file that is named, and never for one that is read', async () => {
  for (const name of ['a', 'b', 'in']) writeFileSync(at(name), 'before');
  symlinkSync(at('in'), at('way'));
  const files = outFiles({ ...terms, force: true, reads: [at('in')] });
  expect(await files.named(at('a'))).toEqual({ path: at('a'), replaces: true });
  await expect(files.beside(at('b'), at('a'))).rejects.toThrow(FileError);
  for (const name of ['in', 'way']) await expect(files.named(at(name))).rejects.toThrow(UsageError);
});

test('R-68: a file that comes to be while another is written is not replaced', async () => {
  for (const move of [moveInto, moveIntoNow]) {
    writeFileSync(at('part'), 'ours');
    writeFileSync(at('out'), 'theirs');
    const file = { path: at('out'), replaces: false };
    const moved = (async () => move(file, at('part'), at('out')))();
    await expect(moved).rejects.toMatchObject({ code: 'EEXIST' });
    expect(readFileSync(at('out'), 'utf8')).toBe('theirs');
    await move({ ...file, replaces: true }, at('part'), at('out'));
    expect(readFileSync(at('out'), 'utf8')).toBe('ours');
    expect(readdirSync(folder).filter((name) => name !== 'state')).toEqual(['out']);
  }
});

test('R-68: a name that nobody expects is the first that is free, made at once', () => {
  const name = (nth: number) => at(`t${nth > 1 ? `-${nth}` : ''}`);
  expect([claimFree(name), claimFree(name), claimFree(name)]).toEqual([1, 2, 3].map(name));
  // A file that cannot be made is reported by the code that writes it.
  expect(claimFree(() => at('no/such/folder'))).toBe(at('no/such/folder'));
  expect(claimFree(() => folder)).toBe(folder);
});

test('a name gets its number before the ending of a trace', () => {
  expect(
    ['a.acptrace.jsonl', 'a.b.ndjson.gz', 'a.jsonl', 'a', 'a.log'].map((one) =>
      nameWith(one, '-2'),
    ),
  ).toEqual(['a-2.acptrace.jsonl', 'a.b-2.ndjson.gz', 'a-2.jsonl', 'a-2', 'a.log-2']);
});
