import fc from 'fast-check';
import { expect, test } from 'vitest';
import { batchCommand, scriptOf } from './windows-command.ts';

const SHIM = [
  '@ECHO off',
  'GOTO start',
  ':start',
  'SETLOCAL',
  'endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\node_modules\\@x\\agent\\dist\\cli.mjs" %*',
].join('\r\n');
const NPX = [
  'SET "NODE_EXE=%~dp0\\node.exe"',
  'SET "NPX_CLI_JS=%~dp0\\node_modules\\npm\\bin\\npx-cli.js"',
  '"%NODE_EXE%" "%NPX_CLI_JS%" %*',
].join('\r\n');

test('P-03 R-52: the script behind a file made by npm is found', () => {
  expect(scriptOf(SHIM)).toBe('node_modules\\@x\\agent\\dist\\cli.mjs');
  expect(scriptOf('"%~dp0\\node.exe"  "%~dp0\\..\\a b\\bin.js" %*')).toBe('..\\a b\\bin.js');
  expect(scriptOf(NPX)).toBe('node_modules\\npm\\bin\\npx-cli.js');
  expect(scriptOf('@echo hello %*')).toBeUndefined();
});

test('P-03 R-52: a file made by npm is started with Node and the exact arguments', () => {
  const args = ['a b', '"q"', '%PATH%', 'a&calc', 'a|b', '^', 'a"&echo pwn'];
  const command = batchCommand('/npm/agent.cmd', SHIM, args, 'node.exe');
  expect(command).toEqual({
    file: 'node.exe',
    args: [expect.stringMatching(/node_modules.@x.agent.dist.cli\.mjs$/), ...args],
  });
});

/**
 * What cmd.exe makes of a line typed to it, as far as is documented: first `%NAME%`, `%NAME:~a,b%` and
 * `%NAME:a=b%` of variables that are set, wherever they stand; then quotes, carets and what it acts on.
 */
function readByCmd(line: string, variables: Readonly<Record<string, string>>): string {
  const variable = /%([^%:]+)(?::~(-?\d*)[^,%]*(?:,(-?\d*)[^%]*)?|:[^%=]*=[^%]*)?%/y;
  let expanded = '';
  for (let at = 0; at < line.length;) {
    variable.lastIndex = at;
    const [all = '', name = '', from, length] = variable.exec(line) ?? [];
    const value = variables[name.toUpperCase()];
    const rest = value?.slice(Number(from ?? 0));
    // A `%` that begins nothing stays, and what follows it is looked at by itself.
    expanded +=
      rest?.slice(0, length === undefined ? undefined : Number(length)) ?? line.charAt(at);
    at += rest === undefined ? 1 : all.length;
  }
  let quoted = false;
  for (let at = 0; at < expanded.length; at++) {
    const char = expanded.charAt(at);
    if (char === '"') quoted = !quoted;
    else if (!quoted && /[&|<>^()\r\n]/.test(char))
      throw new Error(`it acts on ${char} of ${line}`);
  }
  return expanded;
}

/** What the start code of a C program makes of its command line. */
function argvOf(line: string): string[] {
  const argv: string[] = [];
  let word: string | undefined;
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    let slashes = 0;
    for (; line[at] === '\\'; at++) slashes++;
    const char = line[at];
    if (char === '"') {
      word = (word ?? '') + '\\'.repeat(slashes / 2);
      if (slashes % 2 === 1) word += '"';
      else if (quoted && line[at + 1] === '"') word += line[++at] ?? '';
      else quoted = !quoted;
      continue;
    }
    if (slashes > 0) word = (word ?? '') + '\\'.repeat(slashes);
    if (char === undefined) break;
    if (quoted || !/\s/.test(char)) word = (word ?? '') + char;
    else if (word !== undefined) [word] = [undefined, argv.push(word)];
  }
  return word === undefined ? argv : [...argv, word];
}

const PATH = 'C:\\my tools\\100%PATH%.bat';
const SET = { PATH: 'C:\\a & b', CMDCMDLINE: 'cmd /c "x"', CD: 'C:\\work "&calc' };

/** What the program behind `%*` of a batch file gets. */
function handedOn(args: readonly string[]): string[] {
  const command = batchCommand(PATH, 'node script.js %*', args, 'node');
  if ('fault' in command) throw new Error(command.fault);
  const [line = ''] = command.args.slice(-1);
  const read = readByCmd(line.slice(1, -1), SET);
  const [file, ...rest] = argvOf(read);
  expect(file).toBe(PATH);
  // As `%*`: put in as it stands, where nothing is expanded any more.
  readByCmd(read, {});
  return rest;
}

test('P-03 R-52: of any other batch file, cmd.exe by its whole path acts on nothing, and the program gets the exact arguments', () => {
  const command = batchCommand('C:\\x.bat', '', ['a&calc', '%X%'], 'node');
  expect(command).toEqual({
    file: 'C:\\Windows\\System32\\cmd.exe',
    args: ['/e:ON', '/v:OFF', '/d', '/s', '/c', '""C:\\x.bat" "a&calc" "%%cd:~,%X%%cd:~,%""'],
    verbatim: true,
  });
  for (const args of [
    ['a b', '"q"', '%PATH%', 'a&calc', 'a|b', '^', 'a"&echo pwn', 'a\\"&echo pwn', '', 'c:\\'],
    ['%CMDCMDLINE:~-1%&calc.exe', '%PATH:~0,1%', '%cd:~0,9%', '%%', '!PATH!', '^%PATH^%', '\\\\"'],
  ])
    expect(handedOn(args)).toEqual(args);
  const piece = fc.constantFrom(...'"\\%^&|<>()! ~,:=-1a', 'PATH', 'cd', 'CMDCMDLINE', '%cd:~,%');
  const word = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(fc.array(word, { maxLength: 4 }), (args) => {
      expect(handedOn(args)).toEqual(args);
    }),
    { numRuns: 2000 },
  );
});

test('P-03: an argument with a line break, where cmd.exe would end its line, is refused for a batch file alone', () => {
  for (const text of ['a\nb', 'a\rb']) {
    expect(batchCommand('x.bat', '', [text], 'node')).toMatchObject({
      fault: expect.stringMatching(/^x\.bat is a batch file.*line break/) as string,
    });
    expect(batchCommand('/npm/x.cmd', SHIM, [text], 'node')).toMatchObject({ file: 'node' });
  }
});
