// Who an agent leaves behind when it ends, with real programs that went out of its group: `setsid` is one
// of Linux, and elsewhere their environment is hidden by the system or by the program.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  ECHO,
  rawRequest,
  RelayTest,
  statusOf,
  texts,
  type TestPage,
} from '../../test/programs/relay-fixture.ts';
import { until } from '../../test/programs/until.ts';
import type { Exit, TraceEvent } from '../../trace/event.ts';
import { groupLives } from './kill-tree.ts';

let here: RelayTest;
let pids: number[];
beforeEach(() => {
  here = new RelayTest();
  pids = [];
});
afterEach(async () => {
  for (const pid of pids) if (lives(pid)) process.kill(pid, 'SIGKILL');
  await here.close();
});

/** The dead that nobody has reaped have no environment. */
function lives(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`).length > 0;
  } catch {
    return false;
  }
}

/** An agent that starts `sh -c script` in a session of its own and says its pid, and ends when asked. */
const leaving = (script: string, end = "process.stdin.on('end', () => process.exit(4)).resume()") =>
  here.launch(`
    const { spawn } = require('node:child_process');
    spawn('setsid', ['sh', '-c', ${JSON.stringify(`echo $$; ${script}`)}], { stdio: ['ignore', 'inherit', 'ignore'] });
    ${end};`);

/** Starts it, waits for the pid that it says, and ends it. */
async function endOf(
  launch: ReturnType<typeof leaving>,
  how: 'end' | 'kill' = 'end',
  on?: TestPage,
) {
  const page = on ?? (await here.page(await here.relay()));
  const connection = await page.start(launch);
  page.follow(connection);
  const said = await page.until(() => texts(page.events.get(connection) ?? [])[0]);
  const pid = Number(said);
  pids.push(pid);
  page.command({ type: 'stop', connection, how });
  return { page, connection, pid, events: await page.ended(connection) };
}

const exitOf = (events: readonly TraceEvent[]) => events.at(-1) as Exit;

describe.runIf(process.platform === 'linux')('R-40 P-12: a program that left its group', () => {
  test.each(['end', 'kill'] as const)(
    'is named in the record of an agent that ends by %s, and is not ended',
    async (how) => {
      const { pid, events } = await endOf(leaving('exec sleep 1000 >/dev/null'), how);
      expect(exitOf(events)).toMatchObject({ type: 'exit', left: [{ pid, name: 'sleep' }] });
      expect(lives(pid)).toBe(true);
    },
  );

  test('is ended with what it started where a person asks for that, also where it heeds no SIGTERM', async () => {
    const deaf = `trap '' TERM; sleep 1000 >/dev/null & wait`;
    const { page, connection, pid, events } = await endOf(leaving(deaf));
    const all = exitOf(events).left ?? [];
    expect(all.map(({ name }) => name).toSorted()).toEqual(['sh', 'sleep']);
    pids.push(...all.map((one) => one.pid));
    page.command({ type: 'left', request: 1, connection });
    const named = await page.told1('left');
    expect(named.programs?.map((one) => one.pid)).toContain(pid);
    page.command({ type: 'left', request: 2, connection, end: true });
    const ended = await page.until(() =>
      page.told.find((event) => event.type === 'left' && event.request === 2),
    );
    expect(ended).toMatchObject({ programs: [] });
    expect(pids.map(lives)).toEqual(pids.map(() => false));
  });

  test('is no program of another agent: that one’s are neither named nor ended', async () => {
    const other = await endOf(leaving('exec sleep 1000 >/dev/null'));
    const { page, connection, pid } = await endOf(
      leaving('exec sleep 1000 >/dev/null'),
      'end',
      other.page,
    );
    page.command({ type: 'left', request: 3, connection, end: true });
    await page.told1('left');
    expect([lives(pid), lives(other.pid)]).toEqual([false, true]);
  });

  test('that ends with its agent, if a moment later, is not named', async () => {
    const { events } = await endOf(
      leaving('while kill -0 $PPID; do sleep 0.01; done; sleep 0.05; exit'),
    );
    expect(exitOf(events)).toEqual({ ...exitOf(events), left: undefined, code: 4 });
  });
});

test.runIf(process.platform === 'linux')(
  'R-40: of a group that is being ended nobody is named, although some take their time',
  async () => {
    const slow = here.launch(`
      const { spawn } = require('node:child_process');
      spawn('sh', ['-c', 'trap "" TERM; echo up; while :; do sleep 0.1; done'], { stdio: ['ignore', 'inherit', 'ignore'] });
      setInterval(() => {}, 1e6);`);
    const page = await here.page(await here.relay());
    const connection = await page.start(slow);
    const { info } = await page.told1('connection');
    page.follow(connection);
    await page.until(() => texts(page.events.get(connection) ?? []).includes('up'));
    page.command({ type: 'stop', connection, how: 'kill' });
    expect(exitOf(await page.ended(connection))).not.toHaveProperty('left');
    await until(() => expect(groupLives(info.pid ?? 0)).toBe(false));
  },
);

test('P-04 P-12: of our variables an agent sees a random name alone, which no record names and which opens nothing; no other value is a key', async () => {
  const relay = await here.relay();
  vi.stubEnv('ACP_SCOPE_STATE', here.folders.state);
  vi.stubEnv('ACP_SCOPE_SECRET', 'canary');
  onTestFinished(() => void vi.unstubAllEnvs());
  const page = await here.page(relay);
  const connection = await page.start(
    here.launch(`console.log(JSON.stringify(process.env)); ${ECHO}`),
  );
  page.follow(connection);
  const said = await page.until(() => texts(page.events.get(connection) ?? [])[0]);
  const env = JSON.parse(said) as Record<string, string>;
  expect(Object.keys(env).filter((name) => /^acp_scope/i.test(name))).toEqual(['ACP_SCOPE_RUN']);
  const note = readFileSync(join(here.folders.state, `relay-${relay.port}.json`), 'utf8');
  const { secret } = JSON.parse(note) as { secret: string };
  for (const key of [secret, page.token ?? '', 'canary', here.folders.state])
    expect([key.length > 0, said.includes(key)]).toEqual([true, false]);
  const host = `127.0.0.1:${relay.port}`;
  for (const path of ['GET /api/health', 'POST /api/link']) {
    const key = `Origin: http://${host}\r\nAuthorization: Bearer ${env['ACP_SCOPE_RUN']}`;
    const head = `${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n${key}\r\n\r\n`;
    expect([path, statusOf(await rawRequest(relay.port, head))]).toEqual([path, 401]);
  }
  page.command({ type: 'stop', connection, how: 'end' });
  const [start, , exit] = await page.ended(connection);
  expect(start).not.toHaveProperty('env');
  expect(exit).not.toHaveProperty('left');
});

test('T-18: of a connection that left nobody, or is not known, nothing is told, and nobody is ended', async () => {
  const page = await here.page(await here.relay());
  const connection = await page.start(here.launch(ECHO));
  page.command({ type: 'left', request: 5, connection, end: true });
  expect(await page.told1('left')).toEqual({ type: 'left', request: 5 });
});
