import fc from 'fast-check';
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshStore } from '../test/programs/bundled-agent.ts';
import { History, type HistoryChange } from './history.ts';
import { readLines, openSessionStore, SessionStore } from './store.ts';

const silent = () => undefined;

const text = fc.string({ unit: 'grapheme' });
const id = fc.constantFrom('a', 'b', 'c');
const change: fc.Arbitrary<HistoryChange> = fc.oneof(
  fc.record({ change: fc.constant('say'), id, as: fc.constantFrom('agent', 'thought'), text }),
  fc.record({
    change: fc.constant('user'),
    id,
    content: fc.constant([{ type: 'text', text: 'x' }]),
  }),
  fc.record({ change: fc.constant('terminal'), id, command: text, cwd: text }),
  fc.record({ change: fc.constant('output'), id, text }),
  fc.record({ change: fc.constant('title'), title: text }),
  fc.record({ change: fc.constant('end'), reason: fc.constant('end_turn') }),
) as fc.Arbitrary<HistoryChange>;

function folded(changes: readonly HistoryChange[]): History {
  const history = new History();
  for (const one of changes) history.apply(one);
  return history;
}

test('what was appended is read back, in every order of changes', () => {
  const store = new SessionStore(freshStore(), undefined, silent);
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const file = store.create('/work');
      for (const one of changes) file.append(one);
      file.close();
      expect(store.open(file.id)?.history).toEqual(folded(changes));
      store.remove(file.id);
    }),
    { numRuns: 50 },
  );
});

test('a file cut anywhere loses its last change at most, and takes new ones', () => {
  const folder = freshStore();
  const store = new SessionStore(folder, undefined, silent);
  fc.assert(
    fc.property(fc.array(change, { minLength: 1 }), fc.nat(), change, (changes, at, later) => {
      const file = store.create('/work');
      const path = join(folder, `${file.id}.jsonl`);
      const head = statSync(path).size;
      for (const one of changes) file.append(one);
      file.close();
      const bytes = readFileSync(path);
      const cut = bytes.subarray(0, head + (at % (bytes.length - head + 1)));
      writeFileSync(path, cut);
      const whole = cut.toString('utf8').split('\n').length - 2;
      const opened = store.open(file.id);
      // A line cut just before its end is whole as JSON, and is kept.
      const kept = readLines(cut.toString('utf8'))?.changes.length ?? 0;
      expect(kept - whole === 0 || kept - whole === 1).toBe(true);
      opened?.append(later);
      opened?.close();
      const again = store.open(file.id);
      expect(again?.history).toEqual(folded([...changes.slice(0, kept), later]));
      again?.close();
      store.remove(file.id);
    }),
    { numRuns: 50 },
  );
});

test('lines that cannot be read are passed over, and the log says how many', () => {
  const folder = freshStore();
  const log: string[] = [];
  const store = new SessionStore(folder, undefined, (line) => log.push(line));
  const file = store.create('/work');
  file.append({ change: 'title', title: 'kept' });
  file.close();
  appendFileSync(join(folder, `${file.id}.jsonl`), 'no json\n[1]\n{"change":5}\nnull\n');
  expect(store.open(file.id)?.history.title).toBe('kept');
  expect(log).toEqual([`${file.id}: passed over 4 line(s) that cannot be read`]);
});

test('a file that is no session is no session', () => {
  const folder = freshStore();
  const store = new SessionStore(folder, undefined, silent);
  const name = 'sess_0123456789abcdef';
  writeFileSync(join(folder, `${name}.jsonl`), 'hello\n');
  writeFileSync(join(folder, 'notes.jsonl'), '{"session":"notes","version":1,"cwd":"/"}\n');
  expect(store.open(name)).toBeUndefined();
  expect(store.open('notes')).toBeUndefined();
  expect(store.list()).toEqual([]);
});

test('no id that a client sends reaches outside of the store', () => {
  const store = new SessionStore(freshStore(), undefined, silent);
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.constantFrom('../x', '/etc/passwd', 'a\0b')), (any) => {
      expect(store.open(any)).toBeUndefined();
      store.remove(any);
    }),
  );
});

test.skipIf(process.platform === 'win32')('session files are for their owner alone', () => {
  const folder = freshStore();
  const opened = openSessionStore(join(folder, 'deep', 'down'), 5, silent);
  if (opened.ok) opened.store.create('/work').close();
  for (const name of readdirSync(join(folder, 'deep', 'down')))
    expect(statSync(join(folder, 'deep', 'down', name)).mode & 0o077).toBe(0);
});

test('a store that cannot be made is told in a sentence', () => {
  const file = join(freshStore(), 'file');
  writeFileSync(file, '');
  expect(openSessionStore(join(file, 'store'), undefined, silent)).toEqual({
    ok: false,
    message: expect.stringMatching(/^Cannot make the folder of the sessions \(.*\)\. Give another/),
  });
});
