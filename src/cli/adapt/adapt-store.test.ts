import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { StoreEntry } from '../../drive/adapt/entry.ts';
import { takeLock } from './adapt-store.ts';
import { historyLines } from './adapt-flow.ts';
import { AdaptStore } from './adapt-store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'adapt-store-'));
});

function store(agent = 'a', say: (text: string) => void = () => undefined): AdaptStore {
  return new AdaptStore({ folder, agent, tool: 't', say });
}

const said = (text: string): StoreEntry => ({
  type: 'update',
  line: `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"${text}"}}}}`,
});

async function told(of: AdaptStore): Promise<string[]> {
  of.claim('s1');
  const replay = { session: 's1', until: of.position('s1'), acp: 1, compactions: true } as const;
  const lines: string[] = [];
  for await (const piece of historyLines(of.pathOf('s1'), replay)) lines.push(...piece);
  of.close();
  return lines.map((line) => /"text":"((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? '');
}

function written(...entries: StoreEntry[]): string {
  const first = store();
  first.claim('s1');
  first.begin('s1', 'new', 1);
  for (const entry of entries) first.add('s1', entry);
  first.close();
  return first.pathOf('s1');
}

describe('the files', () => {
  test('what was recorded is told by the next process', async () => {
    written(said('one'), said('two'));
    expect(await told(store())).toEqual(['one', 'two']);
  });

  test('P-07 T-14 nothing of a session’s id becomes part of a path', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.constantFrom('../../x', '/etc/passwd', 'NUL', 'a\0b', '..')),
        (session) => {
          const one = store();
          expect(one.pathOf(session).slice(folder.length + 1)).toMatch(/^[0-9a-f]{40}\.jsonl$/);
        },
      ),
    );
  });

  test('two agents with the same ids have histories of their own', () => {
    expect(store('a').pathOf('s1')).not.toBe(store('b').pathOf('s1'));
  });

  test.skipIf(process.platform === 'win32')('L-02 they are their owner’s alone', () => {
    const path = written(said('secret'));
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test.skipIf(process.platform === 'win32')('L-02 a link in their place is not followed', () => {
    const [one, elsewhere] = [store(), join(folder, 'elsewhere')];
    writeFileSync(elsewhere, 'untouched');
    symlinkSync(elsewhere, one.pathOf('s1'));
    expect(one.claim('s1')).toMatchObject({ kind: 'refused' });
    expect(readFileSync(elsewhere, 'utf8')).toBe('untouched');
    expect(readdirSync(folder).filter((name) => name.endsWith('.lock'))).toEqual([]);
  });

  test('R-44 a torn last line costs that line alone, and the history says so', async () => {
    const path = written(said('one'), said('two'));
    truncateSync(path, statSync(path).size - 30);
    const second = store();
    second.claim('s1');
    second.begin('s1', 'middle', 1);
    second.add('s1', said('three'));
    second.close();
    const [one, gap, three] = await told(store());
    expect([one, three]).toEqual(['one', 'three']);
    expect(gap).toMatch(/A line of the history cannot be read/);
  });

  test('R-44 cut at any byte, a history still opens and takes more', async () => {
    const whole = readFileSync(written(said('日本'), said('two')));
    const path = store().pathOf('s1');
    for (let size = 0; size <= whole.length; size += 7) {
      writeFileSync(path, whole.subarray(0, size));
      const next = store();
      expect(next.claim('s1').kind).toBe('ours');
      next.begin('s1', 'middle', 1);
      next.add('s1', said('more'));
      next.close();
      expect((await told(store())).at(-1)).toBe('more');
    }
  });

  test('one that a newer acp-scope wrote is left as it is, with both versions named', () => {
    const path = written();
    const text = readFileSync(path, 'utf8').replace('"version":1', '"version":9');
    writeFileSync(path, text);
    expect(store().claim('s1')).toMatchObject({
      kind: 'refused',
      why: expect.stringMatching(/version 9.*up to 1/) as string,
    });
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  test('R-21 a disk that takes nothing costs the record and not the session', () => {
    const path = store().pathOf('s1');
    const sentences: string[] = [];
    const one = store('a', (text) => sentences.push(text));
    one.claim('s1');
    appendFileSync(path, 'somebody else’s');
    one.begin('s1', 'new', 1);
    one.add('s1', said('one'));
    one.close();
    expect(sentences.join()).toMatch(/cannot be written: .*The session goes on\./);
    expect(readFileSync(path, 'utf8')).toBe('somebody else’s');
  });

  test('a removed session leaves no file behind', () => {
    written(said('one'));
    const one = store();
    one.remove('s1');
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('one writer a session', () => {
  /** A process that does nothing, and whether it runs. */
  async function other() {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)']);
    await once(child, 'spawn');
    return child;
  }
  const lockOf = (pid: number | undefined, host = hostname()) => JSON.stringify({ pid, host });

  test('a living process keeps what it has; a dead one does not', async () => {
    const lock = join(folder, 'x.lock');
    const holder = await other();
    writeFileSync(lock, lockOf(holder.pid));
    expect(takeLock(lock)).toEqual({ ok: false, holder: `process ${holder.pid}` });
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    const taken = takeLock(lock);
    expect(taken.ok).toBe(true);
    if (taken.ok) taken.release();
    expect(existsSync(lock)).toBe(false);
  });

  test('of another machine nothing is known, so its lock holds', () => {
    const lock = join(folder, 'x.lock');
    writeFileSync(lock, lockOf(1, 'elsewhere'));
    expect(takeLock(lock)).toEqual({ ok: false, holder: 'process 1 on elsewhere' });
  });

  test('a lock that cannot be read holds too', () => {
    const lock = join(folder, 'x.lock');
    writeFileSync(lock, '{"pid"');
    expect(takeLock(lock)).toEqual({ ok: false, holder: 'another process' });
  });

  test('a takeover under way is not disturbed', () => {
    const lock = join(folder, 'x.lock');
    writeFileSync(lock, lockOf(process.pid));
    writeFileSync(`${lock}.takeover`, lockOf(1, 'elsewhere'));
    expect(takeLock(lock)).toEqual({ ok: false, holder: 'another process' });
    expect(readFileSync(lock, 'utf8')).toBe(lockOf(process.pid));
  });

  test('the sentence names who has it, and the file', async () => {
    const holder = await other();
    const one = store();
    writeFileSync(`${one.pathOf('s1')}.lock`, lockOf(holder.pid));
    const claim = one.claim('s1');
    holder.kill('SIGKILL');
    expect(claim).toMatchObject({
      why: expect.stringMatching(new RegExp(`process ${holder.pid} .*\\.jsonl\\.lock`)) as string,
    });
  });
});
