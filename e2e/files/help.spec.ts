// The command line explains itself, however it is asked.
import { execFile } from 'node:child_process';
import { BIN } from '../relay.ts';
import { expect, test } from '../scope.ts';

interface Said {
  readonly code: number;
  readonly out: string;
  readonly told: string;
}

function run(...args: readonly string[]): Promise<Said> {
  return new Promise((resolve) =>
    execFile(process.execPath, [BIN, ...args], (error, out, told) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, told }),
    ),
  );
}

test('acp-scope help lists every command, and each explains itself by help and by --help', async () => {
  const list = await run('help');
  expect(list).toEqual(await run('--help'));
  expect(list).toMatchObject({ code: 0, told: '' });
  const names = [...list.out.matchAll(/^ {2}acp-scope ([a-z]+)/gm)].map(([, name = '']) => name);
  expect(names).toContain('tap');
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) {
    const [help, same] = await Promise.all([run('help', name), run(name, '--help')]);
    expect(same).toEqual(help);
    expect(help).toMatchObject({ code: 0, told: '' });
    expect(help.out).toMatch(new RegExp(`^Usage: acp-scope ${name}\\b`));
  }
  expect(await run('help', '--help')).toEqual(list);
  expect((await run('--no-open', '--help')).out).toMatch(/^Usage: acp-scope \[/);
});

test('A command that is none ends with 2, and the nearest name is said', async () => {
  for (const args of [['recrod'], ['help', 'recrod']])
    expect(await run(...args)).toEqual({
      ...{ code: 2, out: '' },
      told: 'acp-scope has no command recrod. Did you mean record? Run acp-scope --help for those it has.\n',
    });
  expect((await run('help', 'constructor')).code).toBe(2);
  expect((await run('constructor')).code).toBe(2);
});
