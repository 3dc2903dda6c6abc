// The database: bytes as they were on the wire, whatever they are, and a quota that runs out.
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { program } from '../relay.ts';
import { expect, test, type Scope } from '../scope.ts';
import { bytesFrom, isWhole, readEvents, sha256 } from '../trace-file.ts';

const player = [process.execPath, program('raw.mjs'), 'play'];
const drip = [process.execPath, program('raw.mjs'), 'drip'];
test.use({ relayOptions: { allow: [player, drip] } });

/** `{"jsonrpc":"2.0","method":"_note","params":{"text":…}}` */
const note = (text: string) =>
  JSON.stringify({ jsonrpc: '2.0', method: '_note', params: { text } });

/** Writes of an agent that a careless reader would spoil. */
function hardWrites(): readonly Buffer[] {
  const wide = Buffer.from(note('日本語 🦜 é') + '\n');
  const long = Buffer.from(note('x'.repeat(20 * 1024 * 1024)) + '\n');
  return [
    Buffer.from(note('ends in CRLF') + '\r\n'),
    Buffer.from('\n\r\n\ufeff{"jsonrpc":"2.0","method":"_bom"}\n'),
    Buffer.from([0x7b, 0xff, 0xfe, 0x7d, 0x0a]),
    Buffer.from([0x00, 0x1b, 0x5b, 0x33, 0x31, 0x6d, 0x0d, 0x41, 0x0a]),
    Buffer.from([1, 2, 3, 4].map((n) => note(`one of four in one write: ${n}`) + '\n').join('')),
    ...[...wide].map((byte) => Buffer.of(byte)),
    Buffer.from('{"id":9007199254740993,"id":1.0,"jsonrpc":"2.0","result":1e400}\n'),
    long.subarray(0, 1_000_003),
    long.subarray(1_000_003),
    Buffer.from(note('the last line has no end')),
  ];
}

test('Hard bytes are stored and exported as they were on the wire', async ({ scope, folder }) => {
  const writes = hardWrites();
  writes.forEach((bytes, i) =>
    writeFileSync(join(folder, `${String(i).padStart(3, '0')}.bytes`), bytes),
  );
  await scope.tryCommand(player, { cwd: folder });
  await expect(scope.row(/20(\.\d)? MB|21(\.\d)? MB/)).toBeVisible();
  await scope.stopAgent('Close stdin');
  await expect(scope.row(/exit/).last()).toBeVisible();

  const file = await scope.export('raw');
  expect(isWhole(file)).toBe(true);
  expect(sha256(bytesFrom('agent', file))).toBe(sha256(Buffer.concat(writes)));
  expect(sha256(bytesFrom('client', file))).toBe(sha256(readFileSync(join(folder, 'wire.client'))));
  expect(readEvents(file).filter(({ cut }) => cut)).toHaveLength(1);

  await test.step('and imported again they make the same file', async () => {
    await (await scope.menuOf('raw')).getByRole('menuitem', { name: /Delete/ }).click();
    await scope.import('hard.acptrace.jsonl', file);
    await expect(scope.row(/20(\.\d)? MB|21(\.\d)? MB/)).toBeVisible();
    expect(sha256(await scope.export('hard'))).toBe(sha256(file));
  });
});

test('R-33: a full database is said, nothing is lost, and storing goes on when there is room', async ({
  scope,
  folder,
}) => {
  const { origin } = scope.relay;
  const lines = Array.from({ length: 8 }, () => note(randomBytes(500_000).toString('base64')));
  lines.forEach((line, i) => writeFileSync(join(folder, `${i}.bytes`), `${line}\n`));
  const browser = await scope.page.context().newCDPSession(scope.page);
  await browser.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1_000_000 });
  await scope.tryCommand(player, { cwd: folder });
  const banner = scope.page.getByRole('alert').filter({ hasText: 'no more storage' });
  await expect(banner).toContainText('Delete or export old traces');

  await browser.send('Storage.overrideQuotaForOrigin', { origin });
  await expect(banner).toBeHidden();
  await scope.kill();
  const file = await scope.export('raw');
  expect(isWhole(file)).toBe(true);
  const agent = sha256(Buffer.from(lines.map((line) => `${line}\n`).join('')));
  expect(sha256(bytesFrom('agent', file))).toBe(agent);
});

test('R-36: a database that is taken away under the page is opened again, and what was stored is stored again', async ({
  scope,
  folder,
}) => {
  const { origin } = scope.relay;
  await scope.tryCommand(drip, { cwd: folder });
  await expect(scope.row(/a{40}/).nth(5)).toBeVisible();
  const browser = await scope.page.context().newCDPSession(scope.page);
  await browser.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
  const before = await frameCount(scope);
  await expect.poll(() => frameCount(scope)).toBeGreaterThan(before + 20);
  await scope.kill();
  await expect(scope.footer).toContainText('all saved');
  const whole = await scope.export('raw');
  expect(isWhole(whole)).toBe(true);
  await scope.page.reload();
  await expect(scope.row(/a{40}/).first()).toBeVisible();
  expect(sha256(bytesFrom('agent', await scope.export('raw')))).toBe(
    sha256(bytesFrom('agent', whole)),
  );
});

test('R-37 R-38: an old tab lets a newer one have the database and says so; what is newer is read as it is', async ({
  scope,
  folder,
}) => {
  writeFileSync(join(folder, '0.bytes'), `${note('before the update')}\n`);
  await scope.tryCommand(player, { cwd: folder });
  await expect(scope.row(/before the update/)).toBeVisible();
  await scope.kill();
  await expect(scope.footer).toContainText('all saved');
  // The page of a newer version opens the database as its own; a picture has none of ours in its way.
  scope.watch.expect(/404/);
  const newer = await scope.page.context().newPage();
  await newer.goto(`${scope.relay.origin}/icon.svg`);
  const version = await newer.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('acp-scope', 999);
        opening.onsuccess = () => {
          resolve(opening.result.version);
          opening.result.close();
        };
        opening.onerror = () => reject(new Error(String(opening.error)));
      }),
  );
  expect(version).toBe(999);
  const banner = scope.page.getByRole('alert').filter({ hasText: 'ACP Scope' });
  await expect(banner).toContainText('updated in another tab. Reload this page');
  await newer.close();

  await scope.page.reload();
  await expect(banner).toContainText('They can be read and exported');
  await expect(scope.row(/before the update/)).toBeVisible();
  expect(isWhole(await scope.export('raw'))).toBe(true);
});

/** A trace as version 5 of the database kept it: a block is bytes, or a Blob of them. Runs in the page. */
async function writeVersion5(lines: readonly string[]): Promise<void> {
  const waited = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(new Error(String(request.error)));
    });
  await waited(indexedDB.deleteDatabase('acp-scope'));
  const opening = indexedDB.open('acp-scope', 5);
  opening.onupgradeneeded = () => {
    const keys = {
      ...{ traces: 'connection', blocks: ['connection', 'first'], recents: 'key' },
      ...{ drives: 'connection', drafts: 'key', annotations: ['connection', 'key'] },
      ...{ runs: 'id', reports: 'id', indexes: ['connection', 'part'] },
    };
    for (const [name, keyPath] of Object.entries(keys))
      opening.result.createObjectStore(name, { keyPath });
    opening.result.createObjectStore('sent', { autoIncrement: true });
  };
  const database = await waited(opening);
  const writing = database.transaction(['traces', 'blocks', 'annotations'], 'readwrite');
  const connection = 'from-before';
  const utf8 = new TextEncoder();
  let size = 0;
  for (let from = 0; from < lines.length; from += 1000) {
    const part = lines.slice(from, from + 1000);
    const lying = utf8.encode(part.map((line) => `${line}\n`).join(''));
    size += lying.length;
    // Before that version none was a Blob.
    const bytes = from === 1000 ? new Blob([lying]) : lying;
    const [first, last] = [from + 1, from + part.length];
    writing.objectStore('blocks').put({ connection, first, last, count: part.length, bytes });
  }
  const header = utf8.encode(
    '{"format":"acptrace","version":1,"created":"2026-11-01T10:00:00.000Z","tool":"acp-scope 0.1.0"}',
  );
  const count = { events: lines.length, frames: lines.length, bytes: size, last: lines.length };
  const named = { connection, number: 1, name: 'from before', mode: 'file' };
  const startedAt = '2026-11-01T10:00:00.000Z';
  writing.objectStore('traces').put({ ...named, startedAt, header, ...count, file: 'b.jsonl' });
  const said = { kind: 'mark', target: 2, label: 'marked before' };
  writing.objectStore('annotations').put({ connection, key: 'mark 2', said });
  await new Promise((resolve, reject) => {
    writing.oncomplete = resolve;
    writing.onabort = reject;
  });
  database.close();
}

test('R-38: a database of the version before is opened with every frame, and again from what is kept of it', async ({
  scope,
}) => {
  const lines = Array.from({ length: 2500 }, (_, at) => {
    const text = note(`before ${at + 1}`);
    const frame = { type: 'frame', seq: at + 1, at, from: 'agent', line: { text }, origin: 'peer' };
    return JSON.stringify(frame);
  });
  scope.watch.expect(/404/);
  const older = await scope.page.context().newPage();
  await older.goto(`${scope.relay.origin}/icon.svg`);
  await older.evaluate(writeVersion5, lines);
  await older.close();
  const seen = async () => {
    await scope.rail.getByText('from before').click();
    await expect(scope.recording).toContainText('2,500 frames');
    await scope.query('"before 2417"');
    await expect(scope.row(/before 2417/)).toBeVisible();
    await scope.query('is:marked');
    await expect(scope.row(/marked before/)).toBeVisible();
    await scope.query('');
    const file = String(await scope.export('from before'));
    expect(file.split('\n').slice(1, 2501)).toEqual(lines);
  };
  await scope.page.reload();
  await seen();
  const PARTS = ['columns', 'facts', 'first', 'head'];
  const kept = (without?: string) => () => scope.page.evaluate(keptParts, without);
  await test.step('what is kept of it is in the database', () =>
    expect.poll(kept()).toEqual(PARTS));
  await scope.page.reload();
  await seen();
  await test.step('it is made again where a part of it is gone', async () => {
    await kept('columns')();
    expect(await kept()()).not.toContain('columns');
    await scope.page.reload();
    await seen();
    await expect.poll(kept()).toEqual(PARTS);
  });
});

const DRIVES = 2000;
const SECRET = 'sk-live-0123456789';

/** Version 3 of the database, with so many agents that a page started with a secret. Runs in the page. */
async function writeVersion3([drives, secret]: readonly [number, string]): Promise<void> {
  const waited = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(new Error(String(request.error)));
    });
  await waited(indexedDB.deleteDatabase('acp-scope'));
  const opening = indexedDB.open('acp-scope', 3);
  opening.onupgradeneeded = () => {
    const keys = {
      ...{ traces: 'connection', blocks: ['connection', 'first'], recents: 'key' },
      ...{ drives: 'connection', drafts: 'key', annotations: ['connection', 'key'] },
      ...{ runs: 'id', reports: 'id' },
    };
    for (const [name, keyPath] of Object.entries(keys))
      opening.result.createObjectStore(name, { keyPath });
    opening.result.createObjectStore('sent', { autoIncrement: true });
  };
  const database = await waited(opening);
  const writing = database.transaction('drives', 'readwrite');
  const launch = { argv: ['agent'], cwd: '/', env: { API_KEY: secret }, requestMs: 30_000 };
  for (let at = 0; at < drives; at++)
    writing.objectStore('drives').put({ connection: `c${at}`, launch });
  await new Promise((resolve, reject) => {
    writing.oncomplete = resolve;
    writing.onabort = reject;
  });
  database.close();
}

/** The version of the database, its agents, and how many keep their secret. Runs in the page. */
async function drivesKept(secret: string): Promise<readonly [number, number, number]> {
  const opening = indexedDB.open('acp-scope');
  return new Promise((resolve, reject) => {
    opening.onerror = () => reject(new Error(String(opening.error)));
    opening.onsuccess = () => {
      const database = opening.result;
      const all = database.transaction('drives').objectStore('drives').getAll();
      all.onsuccess = () => {
        const told = all.result.map((drive) => JSON.stringify(drive));
        resolve([database.version, told.length, told.filter((it) => it.includes(secret)).length]);
        database.close();
      };
    };
  });
}

test('R-38: a page killed while it upgrades the database leaves the old one whole, or the new one', async ({
  scope,
}) => {
  scope.watch.expect(/404/);
  const context = scope.page.context();
  const older = await context.newPage();
  await older.goto(`${scope.relay.origin}/icon.svg`);
  await older.evaluate(writeVersion3, [DRIVES, SECRET] as const);
  const seen: (readonly [number, number, number])[] = [];
  // Later each time, until one is done before it is killed.
  for (let delay = 0; delay < 20_000; delay = delay * 1.3 + 100) {
    const page = await context.newPage();
    await page.goto(scope.relay.origin, { waitUntil: 'commit' });
    await page.waitForTimeout(delay);
    const crashed = page.waitForEvent('crash');
    void (await context.newCDPSession(page)).send('Page.crash').catch(() => undefined);
    await crashed;
    await page.close();
    seen.push(await older.evaluate(drivesKept, SECRET));
    if (seen.at(-1)?.[0] !== 3) break;
  }
  const last = seen.pop();
  expect(last?.slice(1)).toEqual([DRIVES, 0]);
  expect(seen.length).toBeGreaterThan(2);
  expect(seen).toEqual(seen.map(() => [3, DRIVES, DRIVES]));
});

/** What is kept of the first trace, once the part `without` is taken away. Runs in the page. */
async function keptParts(without = ''): Promise<readonly string[]> {
  const opening = indexedDB.open('acp-scope');
  return new Promise((resolve) => {
    opening.onsuccess = () => {
      const transaction = opening.result.transaction('indexes', 'readwrite');
      const parts = transaction.objectStore('indexes');
      const keys = parts.getAllKeys();
      keys.onsuccess = () => {
        for (const key of keys.result) if ((key as string[])[1] === without) parts.delete(key);
      };
      transaction.oncomplete = () => {
        opening.result.close();
        resolve(keys.result.map((key) => (key as string[])[1] ?? ''));
      };
    };
  });
}

async function frameCount({ recording }: Scope): Promise<number> {
  const said = (await recording.textContent()) ?? '';
  return Number(/([\d,]+) frames/.exec(said)?.[1]?.replaceAll(',', '') ?? 0);
}
