// Reading a file costs work in proportion to its length: a run of anything that is four times as long may cost four times as much. Work is
// counted (blocks, and what built-in functions read), never timed. What patterns do inside is counted in patterns.test.ts.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { DEAR, long } from '../../test/traces/dear.ts';
import type { senders } from '../../model/senders.ts';
import { WorkCounter } from '../../test/traces/work.ts';
import { FORMATS, type AnyReader } from './sniff.ts';

const SIZE = 1000;
const TIMES = 4;
/** Bytes of a chunk: a beginning of many chunks is read again and again. */
const CHUNK = 61;

const FIXTURES = new URL('../../test/fixtures/', import.meta.url);
const fixture = (name: string) => readFileSync(new URL(name, FIXTURES), 'utf8');
const SAID = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n';

/** A good file of each reader by its word; `none`: the bare sniffing. */
const FILES: Readonly<Record<string, string>> = {
  acptrace: fixture('format/version-2.jsonl'),
  recorder: '{"t":0,"dir":"client-to-agent","raw":"{}"}\n{"t":1,"dir":"stderr","raw":"x"}\n',
  plain: `${SAID}2026-11-29T10:00:00Z [INFO] -> ${SAID}`,
  none: '',
  'acp-devtools': fixture('imports/acp-devtools.json'),
  'acp-devtools, in lines': fixture('imports/acp-devtools-inspect.jsonl'),
  conductor: fixture('imports/rust-conductor.jsons'),
  'acp-inspector': fixture('imports/acp-inspector.jsonl'),
  zed: fixture('imports/zed.json'),
  jetbrains: fixture('imports/acp-transport.log'),
  'agent-shell': fixture('imports/agent-shell.traffic'),
  acpdbg: fixture('imports/acpdbg.jsonl'),
  venikman: fixture('imports/venikman.jsonl'),
  wrapped: fixture('../cases/logs/16-wrapped-objects.jsonl'),
  'plain, over several lines': fixture('../cases/logs/10-issue-markdown.md'),
  'plain, as tables of Lua': 'x { id = 1, jsonrpc = "2.0", method = "x", params = { a = "b" } }\n',
  'mcp-inspector': fixture('imports/mcp-inspector.json'),
  har: fixture('imports/websocket.har'),
  'har-http': fixture('imports/http.har'),
};

const wordOf = (name: string) => name.replace(/,.*/, '');

/** Places of a run in a file: around and between its lines, or within a text of it. */
const PLACES: Readonly<Record<string, (file: string, run: string) => string>> = {
  'around and between its lines': (file, run) =>
    `${run}${file.replace('\n', `\n${run}\n`)}${run}\n${run}{"method":"x"}${run}`,
  'in its last text': (file, run) => insertedAt(file, file.lastIndexOf('"'), run),
};

/** Values of JSON, and one that Emacs writes, of about so many pieces. */
const VALUES: Readonly<Record<string, (size: number) => string>> = {
  'nested lists': (size) => '['.repeat(size) + ']'.repeat(size),
  'nested objects': (size) => `${'{"a":'.repeat(size)}1${'}'.repeat(size)}`,
  'a long list': (size) => `[${'0,'.repeat(size)}0]`,
  'a list of objects': (size) => `[${'{"a":{}},'.repeat(size)}0]`,
  'an object of many keys': (size) =>
    `{${Array.from({ length: size }, (_, i) => `"a${i}":${i}`).join()}}`,
  'an object of one key': (size) => `{${'"a":1,'.repeat(size)}"a":1}`,
  escapes: (size) => `"${'\\u0041'.repeat(size)}"`,
  backslashes: (size) => `"${'\\\\'.repeat(size)}"`,
  'labels of Emacs': (size) =>
    Array.from({ length: size }, (_, i) => `#${i}=(#${i - 1}#)`).join(' '),
};

function insertedAt(file: string, at: number, run: string): string {
  return file.slice(0, at) + run + file.slice(at);
}

/** The file with another value in the place of the last text that is one. */
function withValue(file: string, value: string): string {
  const last = [...file.matchAll(/"[^"\\{}]*"(?=\s*[,})\]])/g)].at(-1);
  return last ? file.slice(0, last.index) + value + file.slice(last.index + last[0].length) : value;
}

/** The file with its records so many times. */
function repeated(file: string, times: number): string {
  const again = <T>(list: readonly T[]) => Array.from({ length: times }, () => list).flat();
  if (file.startsWith('(')) return `(${file.trim().slice(1, -1).repeat(times)})`;
  let json: unknown;
  try {
    json = JSON.parse(file);
  } catch {
    return file.repeat(times);
  }
  if (Array.isArray(json)) return JSON.stringify(again(json));
  const lists = file.includes('_webSocketMessages')
    ? /^_webSocketMessages$/
    : /^(messages|entries)$/;
  return JSON.stringify(json, (key, value: unknown) =>
    Array.isArray(value) && lists.test(key) ? again(value) : value,
  );
}

let counter: WorkCounter;
/** `read` below, of modules that were loaded after the counter was made. */
let readers: { readonly AnyReader: typeof AnyReader; readonly senders: typeof senders };

beforeAll(async () => {
  counter = new WorkCounter((url) => /\/src\/(acp|lib|model|trace)\//.test(url));
  vi.resetModules();
  const [sniff, made] = await Promise.all([import('./sniff.ts'), import('../../model/senders.ts')]);
  readers = { ...sniff, ...made };
  counter.count(() => read(''));
});
afterAll(() => counter.end());

function read(text: string, size = Infinity): string {
  const reader = new readers.AnyReader(readers.senders);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
  reader.end();
  return reader.format;
}

/** Returns a line about a text that costs more than its length; none if it does not. */
function dearer(what: string, text: (size: number) => string): readonly string[] {
  const [work = 0, more = 0] = [SIZE, TIMES * SIZE].map((size) => {
    const file = text(size);
    return counter.count(() => read(file));
  });
  const isDear = work === 0 || more > 1.25 * TIMES * work;
  return isDear ? [`${JSON.stringify(what)}: ${work}, and ${more} for ${TIMES} times as much`] : [];
}

test('each reader has a file here', () => {
  const words = Object.keys(FILES).map(wordOf);
  expect(words).toEqual(expect.arrayContaining(FORMATS.map(({ word }) => word)));
  for (const [name, file] of Object.entries(FILES))
    if (name !== 'none') expect(read(file), name).toBe(wordOf(name));
});

describe.each(Object.entries(FILES))('I-02 a file of %s', (_, file) => {
  test.each(Object.entries(PLACES))('with a long run %s costs what it is long', (_, placed) => {
    const dear = DEAR.flatMap((unit) => dearer(unit, (size) => placed(file, long(unit, size))));
    expect(dear).toEqual([]);
  });

  test('with a large value costs what that is long', () => {
    const dear = [...Object.entries(VALUES)].flatMap(([what, value]) =>
      dearer(what, (size) => withValue(file, value(size))),
    );
    expect(dear).toEqual([]);
  });

  test('with many records costs what they are', () => {
    expect(dearer('records', (size) => repeated(file, size / 50))).toEqual([]);
  });

  test('whose beginning comes in many chunks costs what it is long', () => {
    const [work = 0, more = 0] = [SIZE, 4 * TIMES * SIZE].map((size) =>
      counter.count(() => read(`x\n${long('1', size)}${file}`, CHUNK)),
    );
    // Looks come at twice the size each: one more or one less is half of all.
    expect(more).toBeLessThan(8 * TIMES * work);
  });
});
