// Attack row 8: whatever lies in a folder of the relay's, it starts, works and ends.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  makeFolders,
  removeFolders,
  startTestRelay,
  TestPage,
  type Folders,
} from '../test/programs/relay-fixture.ts';
import { connectionId } from '../trace/event.ts';
import { RunFolder } from './run-folder.ts';
import { askForLink } from './running.ts';
import { prepareState, writePrivate } from './state-folder.ts';
import type { RunningRelay } from './start-relay.ts';

const posix = process.platform !== 'win32';
const ENDING = '.acptrace.jsonl';
const GONE = 2 ** 22 + 1;

let folders: Folders;
let relay: RunningRelay | undefined;
let page: TestPage | undefined;
let sockets: Server[];
let faults: unknown[];
beforeEach(() => {
  folders = makeFolders();
  prepareState(folders.state);
  [relay, page, sockets, faults] = [undefined, undefined, [], []];
});
afterEach(async () => {
  page?.client.close();
  await relay?.close();
  for (const socket of sockets) socket.close();
  removeFolders(folders);
});

const inSpool = (name: string) => join(folders.state, 'spool', name);

/** Starts the relay, and a page of it. */
async function start(): Promise<TestPage> {
  const onFault = (error: unknown) => faults.push(error);
  relay = await startTestRelay(folders, { trustPage: true, onFault });
  page = new TestPage(relay.port);
  page.client.enter(relay.url('printed').split('#k=')[1], undefined);
  await page.told1('welcome');
  return page;
}

/** A recording whose relay is gone. */
function left(name: string, connection: string, lines: readonly string[] = [frame(1)]): string {
  const header = { format: 'acptrace', version: 1, created: '2026-01-01T00:00:00.000Z', tool: 't' };
  const more = { connection, mode: 'drive', writer: GONE, clock: 'monotonic' };
  const text = [JSON.stringify({ ...header, ...more }), ...lines].join('\n') + '\n';
  writeFileSync(inSpool(name), text, { mode: 0o600 });
  return inSpool(name);
}

function frame(seq: number): string {
  const line = { text: '{}' };
  return JSON.stringify({ type: 'frame', seq, at: 5, from: 'agent', line, origin: 'peer' });
}

/** Everything that is no recording, each under a name like one. */
function litter(tag: string): void {
  const named = (name: string) => inSpool(`${tag}-${name}${ENDING}`);
  mkdirSync(named('folder'));
  writeFileSync(named('empty'), '');
  writeFileSync(named('garbage'), Buffer.from([0, 1, 2, 0xff, 0x0a, 0x0a]));
  writeFileSync(named('odd-header'), '{"format":"acptrace","version":1e999,"argv":7}\n');
  if (!posix) return;
  execFileSync('mkfifo', [named('fifo')]);
  symlinkSync('/dev/zero', named('device'));
  symlinkSync(folders.root, named('folder-link'));
  symlinkSync(join(folders.root, 'nowhere'), named('dangling'));
  symlinkSync(join(folders.root, `outside${ENDING}`), named('link'));
  sockets.push(createServer().listen(named('socket')));
  // Another user's, where we may make one.
  if (process.getuid?.() === 0)
    chownSync(left(`${tag}-theirs${ENDING}`, `${tag}-theirs`), 4321, 4321);
  left(`${tag}-unreadable${ENDING}`, `${tag}-unreadable`);
  // Root may read it all the same.
  chmodSync(named('unreadable'), 0);
}

/** It still starts an agent, hears it, and ends it. */
async function works(at: TestPage): Promise<void> {
  const script = `process.stdin.on('data', (chunk) => process.stdout.write(chunk))`;
  const argv = [process.execPath, '-e', script];
  const connection = await at.start({ name: 'n', argv, cwd: folders.work, env: {}, roots: [] });
  at.follow(connection);
  at.command({ type: 'send', connection, line: { text: '{}' }, origin: 'composer' });
  at.command({ type: 'stop', connection, how: 'end' });
  expect(await at.ended(connection)).toHaveLength(4);
}

test('attack row 8 (R-46): folders, pipes, links, sockets and rubbish in the spool neither end nor hang the relay', async () => {
  const outside = join(folders.root, `outside${ENDING}`);
  copyFileSync(left(`good${ENDING}`, 'good'), outside);
  const before = readFileSync(outside, 'utf8');
  if (posix) writeFileSync(inSpool(ENDING), before);
  litter('before');
  const one = await start();
  const { connections } = await one.told1('welcome');
  const ids = connections.map(({ id }) => id).filter((id) => !id.endsWith('unreadable'));
  expect(ids).toEqual(['good']);
  litter('while');
  await works(one);
  left(`late${ENDING}`, 'late');
  await one.until(() =>
    one.told.some((said) => said.type === 'connection' && said.info.id === 'late'),
  );
  // A link was not followed: what it leads to is as it was.
  expect(readFileSync(outside, 'utf8')).toBe(before);
  expect(faults).toEqual([]);
  await relay?.close();
  relay = undefined;
});

test.skipIf(!posix)(
  'attack row 8 (R-46): a recording that turns into a pipe or goes while it is read hurts nothing',
  async () => {
    const path = left(`one${ENDING}`, 'one');
    const at = await start();
    rmSync(path);
    execFileSync('mkfifo', [path]);
    at.follow(connectionId('one'));
    await works(at);
    expect(faults).toEqual([]);
  },
);

test('attack row 8 (R-46): a copy of a recording does not take its place', async () => {
  const path = left(`one${ENDING}`, 'one', [frame(1), frame(2)]);
  const at = await start();
  const copy = inSpool(`copy${ENDING}`);
  copyFileSync(path, copy);
  left(`last${ENDING}`, 'last');
  await at.until(() =>
    at.told.some((said) => said.type === 'connection' && said.info.id === 'last'),
  );
  rmSync(copy);
  at.follow(connectionId('one'));
  expect(await at.ended(connectionId('one'))).toHaveLength(3);
});

test('attack row 18 (R-46): the end of a torn recording gets the number that is next, once', async () => {
  const torn = left(`torn${ENDING}`, 'torn', [frame(1), '{"seq":1,"but":"not of ours"}']);
  appendFileSync(torn, '{"type":"fra');
  const foreign = left(`foreign${ENDING}`, 'foreign', ['{"seq":1,"but":"not of ours"}']);
  const before = readFileSync(foreign, 'utf8');
  // Two relays find it at the same time.
  const [first, second] = await Promise.all([startTestRelay(folders), startTestRelay(folders)]);
  await Promise.all([first.close(), second.close()]);
  const [, ...events] = readFileSync(torn, 'utf8').trimEnd().split('\n');
  expect(events.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual([1, 1, 3]);
  expect(readFileSync(foreign, 'utf8')).toBe(before);
});

const KINDS = posix ? (['fifo', 'folder', 'link'] as const) : (['folder'] as const);

test.each(KINDS)(
  'attack row 8 (R-46): where the state folder holds a %s in the place of a file, the relay starts and ends',
  async (kind) => {
    const place = (path: string) => {
      rmSync(path, { recursive: true, force: true });
      if (kind === 'folder') mkdirSync(path);
      else if (kind === 'fifo') execFileSync('mkfifo', [path]);
      else symlinkSync('/dev/zero', path);
    };
    for (const name of ['approved.json', 'replays', 'agent-sessions'])
      place(join(folders.state, name));
    await works(await start());
    const port = relay?.port ?? 0;
    const note = join(folders.state, `relay-${port}.json`);
    place(note);
    expect(await askForLink(folders.state, port)).toEqual({ ok: false, why: 'none' });
    await relay?.close();
    relay = undefined;
    expect(existsSync(note) || kind === 'link').toBe(true);
    expect(() => writePrivate(join(folders.state, 'x.json'), '{}')).not.toThrow();
    expect(readdirSync(folders.state).filter((name) => name.endsWith('.new'))).toEqual([]);
  },
);

test.skipIf(!posix)(
  'attack row 8 (R-46): a link or a pipe among lent traces is left alone',
  async () => {
    const away = join(folders.root, 'away');
    const name = `a.b${ENDING}`;
    mkdirSync(away);
    writeFileSync(join(away, name), 'mine');
    const old = new Date(0);
    utimesSync(join(away, name), old, old);
    symlinkSync(away, join(folders.state, 'replays'));
    await start();
    expect(readFileSync(join(away, name), 'utf8')).toBe('mine');
  },
);

test.skipIf(!posix)(
  'attack row 8 (R-46): what a canary notes may become a pipe, and is asked for all the same',
  () => {
    const folder = new RunFolder(['node', 'canary']);
    const made = folder.call({ op: 'canary', name: 'canary' });
    if (!('args' in made)) throw new Error('no canary');
    execFileSync('mkfifo', [made.args[2] ?? '']);
    expect(folder.call({ op: 'seen', tool: made.tool })).toMatchObject({ started: 0 });
    folder.clear();
  },
);
