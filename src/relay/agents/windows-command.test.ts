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
  expect(command.file).toBe('node.exe');
  expect(command.args.slice(1)).toEqual(args);
  expect(command.args[0]).toMatch(/node_modules.@x.agent.dist.cli\.mjs$/);
});

test('P-03 R-52: for any other batch file no character is left that cmd.exe would act on', () => {
  const { args, verbatim } = batchCommand('C:\\my tools\\x.bat', 'echo', ['a&calc', '%X%'], 'node');
  expect(verbatim).toBe(true);
  expect(args).toEqual([
    '/d',
    '/s',
    '/c',
    '"C:\\my^ tools\\x.bat ^^^"a^^^&calc^^^" ^^^"^^^%X^^^%^^^""',
  ]);
});
