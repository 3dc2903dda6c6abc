// What commands say beside their output quotes agents, their servers, files and names.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildBin, printedBy, type Printed } from '../test/programs/built-bin.ts';
import { listen } from '../test/programs/remote.ts';

let bin: string;
beforeAll(async () => {
  bin = await buildBin();
});

/** A title for the terminal, a screen that is cleared, and text that turns round. */
const ACTS = '\u001b]0;pwned\u0007\u001b[2J\u202e';
// Without line feeds and tabs.
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

function run(...args: readonly string[]): Promise<Printed> {
  return printedBy(bin, mkdtempSync(join(tmpdir(), 'acp-scope-quoted-')), args);
}

test('S-10: what the server of an agent answers is quoted, and no terminal obeys it', async () => {
  const server = createServer((_, answer) => answer.writeHead(500).end(`${ACTS}no`));
  const url = `http://127.0.0.1:${await listen(server)}/acp`;
  for (const command of ['record', 'probe', 'lab']) {
    const { out, err } = await run(
      command,
      ...(command === 'record' ? ['--out', 'a.jsonl'] : []),
      '--',
      url,
    );
    expect(err).toContain('[ESC]]0;pwned[BEL]');
    expect([command, OBEYED.test(out + err)]).toEqual([command, false]);
  }
});

test('S-10 S-11: nor what an agent says as it ends, nor what a file is called or holds', async () => {
  const says = `console.error(${JSON.stringify(ACTS)}); console.log(${JSON.stringify(ACTS)}); process.exit(3)`;
  const name = join(
    mkdtempSync(join(tmpdir(), 'acp-scope-quoted-')),
    `a${ACTS.replace('/', '')}.acptrace.jsonl`,
  );
  writeFileSync(name, `${ACTS}\n`);
  const agent = ['--', process.execPath, '-e', says];
  for (const args of [
    ['record', '--out', 'a.acptrace.jsonl', ...agent],
    ['probe', ...agent],
    ['lab', ...agent],
    ['record', '--out', 'b.jsonl', '--', `none${ACTS}`],
    ...['check', 'query', 'show', 'stats', 'fidelity', 'export', 'minimise'].map((it) => [
      it,
      name,
    ]),
    ['diff', name, name],
    ['convert', name, 'c.ndjson'],
    ['replay', name, '--as', 'agent'],
    ['open', name],
    [`none${ACTS}`],
    ['check', `--none${ACTS}`],
  ]) {
    const { out, err } = await run(...args);
    expect([args, OBEYED.exec(out + err)?.index]).toEqual([args, undefined]);
  }
}, 120_000);

test('of an argument of thousands of letters the ends are quoted', async () => {
  const long = `first${'x'.repeat(5000)}last`;
  for (const args of [
    [long],
    ['check', long],
    ['fidelity', `--${long}`],
    ['record', '--out', 'a.jsonl', '--', long],
  ]) {
    const { err } = await run(...args);
    expect(err).toMatch(/first(x)+….*last/);
    expect([args[0], err.length < 2400]).toEqual([args[0], true]);
  }
});
