// A relay of the built product and a browser that opens its page, for the benchmarks that need
// both; and what the page's main thread did meanwhile, ours told from the browser's.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { chromium as browserPath } from '../src/test/chromium.mjs';
import { atEnd, ROOT, scratch } from './product.mjs';

const VIEWPORT = { width: 1440, height: 900 };

/** The relay, once it has printed its link. */
export async function startRelay(port, args = []) {
  const child = spawn(
    process.execPath,
    [join(ROOT, 'dist-node/acp-scope.js'), '--no-open', '--port', String(port), ...args],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ACP_SCOPE_STATE: scratch() } },
  );
  const url = await new Promise((resolve) => {
    child.stdout.on('data', (text) => {
      const found = /Open (\S+)/.exec(text);
      if (found) resolve(found[1]);
    });
  });
  atEnd(() => child.kill());
  const stop = () =>
    new Promise((resolve) => {
      child.once('exit', resolve);
      child.kill('SIGTERM');
    });
  return { url, stop };
}

export async function openBrowser() {
  const browser = await chromium.launch({
    executablePath: browserPath() || undefined,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--enable-precise-memory-info'],
  });
  const context = await browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  page.on('pageerror', (error) => console.error(`The page failed: ${error.message}`));
  await page.addInitScript(countFrames);
  return { browser, page };
}

/** Runs in the page before anything of it. */
function countFrames() {
  const frames = (globalThis.benchFrames = []);
  const tick = (now) => {
    frames.push(now);
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}

const TRACED = ['toplevel', 'devtools.timeline', 'v8', 'disabled-by-default-devtools.timeline'];
/** What the browser calls the code of the page; layout that it forces lies inside. */
const SCRIPT = new Set(['FunctionCall', 'EvaluateScript', 'RunMicrotasks', 'v8.callFunction']);

/**
 * Watches the page's main thread until `stop`. A task has its length by the clock (`wall`), which
 * other programs of the machine stretch, its time on the processor (`cpu`), and of that the part
 * in code of the page (`script`): all in milliseconds. `gaps`: between animation frames, ascending.
 */
export async function watchMain(browser, page) {
  const session = await browser.newBrowserCDPSession();
  const events = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const event of value) if (event.ph === 'X' || event.ph === 'M') events.push(event);
  });
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: TRACED, excludedCategories: ['*'] },
  });
  const from = await page.evaluate(() => performance.now());
  const stop = async () => {
    const { frames, to } = await page.evaluate(() => ({
      frames: globalThis.benchFrames,
      to: performance.now(),
    }));
    const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
    await session.send('Tracing.end');
    await complete;
    await session.detach();
    const inTime = frames.filter((time) => time >= from && time <= to);
    const gaps = inTime.slice(1).map((time, i) => time - inTime[i]);
    const tasks = tasksOf(events);
    return {
      tasks,
      cpu: tasks.reduce((sum, { cpu }) => sum + cpu, 0) / (to - from),
      perSecond: (1000 * gaps.length) / (to - from),
      gaps: gaps.sort((a, b) => a - b),
    };
  };
  return { stop };
}

/** The tasks of the busiest main thread of a page. */
function tasksOf(events) {
  const mains = events.filter(
    ({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain',
  );
  const all = mains.map((main) => {
    const tasks = [];
    let script = -Infinity;
    const own = events.filter(
      ({ ph, pid, tid }) => ph === 'X' && pid === main.pid && tid === main.tid,
    );
    own.sort((a, b) => a.ts - b.ts || b.dur - a.dur);
    let end = -Infinity;
    for (const { name, ts, dur, tdur = 0 } of own) {
      if (ts >= end) {
        tasks.push({ wall: dur / 1000, cpu: tdur / 1000, script: 0 });
        end = ts + dur;
      }
      // Script within script is counted already.
      if (!SCRIPT.has(name) || ts < script) continue;
      tasks.at(-1).script += tdur / 1000;
      script = ts + dur;
    }
    return tasks;
  });
  return all.sort((a, b) => b.length - a.length)[0] ?? [];
}

export const quantile = (sorted, part) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
