// What a run does to relay, page and agents, by name. Each ends with everything there again.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CDPSession } from '@playwright/test';
import { PageParts } from '../page-parts.ts';
import { expect, type Scope } from '../scope.ts';

export interface Tried {
  readonly scope: Scope;
  /** A part of the run's own chance: whole numbers from 0 up to, not with, `end`. */
  readonly random: (end: number) => number;
  /** The agent crashes, and an editor starts another. */
  readonly nextAgent: () => Promise<void>;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function devtools({ page }: Scope): Promise<CDPSession> {
  return page.context().newCDPSession(page);
}

/** As `agents/hindered.mjs` reads it. */
async function hindered({ relay }: Scope, how: object, ms: number): Promise<void> {
  const path = join(relay.state, 'hindered.json');
  writeFileSync(path, JSON.stringify(how));
  await pause(ms);
  rmSync(path);
}

/** Of the processes that draw pages and run their workers. */
async function signalRenderers({ page }: Scope, name: NodeJS.Signals): Promise<void> {
  const session = await page.context().browser()?.newBrowserCDPSession();
  const { processInfo = [] } = (await session?.send('SystemInfo.getProcessInfo')) ?? {};
  for (const { type, id } of processInfo) if (type === 'renderer') process.kill(id, name);
  await session?.detach();
}

/** Trials after which another relay runs. */
export const ENDS_RELAY: readonly string[] = ['kill the relay', 'end the relay'];

export const TRIALS: Readonly<Record<string, (tried: Tried) => Promise<void>>> = {
  'reload the page': async ({ scope }) => {
    await scope.page.reload();
    await expect(scope.linked).toBeVisible();
  },
  'kill the renderer': async ({ scope }) => {
    const crashed = scope.page.waitForEvent('crash');
    // It never answers.
    void (await devtools(scope)).send('Page.crash').catch(() => undefined);
    await crashed;
    await scope.comeBack(await scope.relay.freshLink());
  },
  'freeze the page': async ({ scope, random }) => {
    const session = await devtools(scope);
    await session.send('Page.setWebLifecycleState', { state: 'frozen' });
    await pause(500 + random(1500));
    await session.send('Page.setWebLifecycleState', { state: 'active' });
    await session.detach();
  },
  'open a second tab': async ({ scope, random }) => {
    const link = await scope.relay.freshLink();
    const tab = await scope.page.context().newPage();
    await tab.goto(link);
    await expect(new PageParts(tab).linked).toBeVisible();
    await pause(random(1000));
    await tab.close();
  },
  'close the tab that stores': async ({ scope }) => {
    const link = await scope.relay.freshLink();
    const before = scope.page;
    scope.page = await before.context().newPage();
    await scope.enter(link);
    await before.close();
  },
  'kill the relay': async ({ scope, random }) => {
    await scope.relay.stop('SIGKILL');
    await pause(random(1000));
    await scope.relay.start();
    await scope.comeBack(scope.relay.link);
  },
  'end the relay': async ({ scope }) => {
    await scope.relay.stop('SIGTERM');
    await scope.relay.start();
    await scope.comeBack(scope.relay.link);
  },
  'stop the relay for a while': async ({ scope, random }) => {
    scope.relay.signal('SIGSTOP');
    await pause(500 + random(1500));
    scope.relay.signal('SIGCONT');
  },
  'fill the database': async ({ scope, random }) => {
    const { origin } = scope.relay;
    const session = await devtools(scope);
    await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
    await pause(500 + random(1500));
    await session.send('Storage.overrideQuotaForOrigin', { origin });
    await session.detach();
  },
  'stop the renderer for a while': async ({ scope, random }) => {
    await signalRenderers(scope, 'SIGSTOP');
    await pause(500 + random(1500));
    await signalRenderers(scope, 'SIGCONT');
  },
  // What is said meanwhile waits in memory: a tap keeps 4 MiB.
  'fill the disk': ({ scope, random }) => hindered(scope, { full: true }, 200 + random(600)),
  'set the clock': ({ scope, random }) =>
    hindered(scope, { clock: (random(2) === 0 ? -1 : 1) * 3_600_000 }, 200 + random(600)),
  'crash the agent': ({ nextAgent }) => nextAgent(),
};
