// How every view looks, in every state, wide, narrow, light and dark: drawn, and compared with how it
// looked, so that nobody breaks a screen unseen. `npm test` compares the two dozen of the example that
// are kept in `pictures/kept`; `npm run e2e:pictures` draws them all, and compares the others with the
// last that were drawn on this machine.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import { expect, test, type Scope, type View } from './scope.ts';
import { smallPng } from './small-png.ts';

const ALL = process.env['ACP_SCOPE_PICTURES'] === 'all';

/** In the order of their keys. The last two have none: one goes to them by name. */
type Drawn = View | 'Library' | 'Connect';
const KEPT: readonly Drawn[] = [
  ...(['Trace', 'Conversation', 'Session', 'Compare', 'Checks', 'Timing'] as const),
  'Library',
];
/** What agents are installed is of the machine: where one connects is compared with itself alone. */
const VIEWS: readonly Drawn[] = [...KEPT, 'Connect'];

interface Shape {
  readonly width: number;
  readonly height: number;
  readonly theme: 'light' | 'dark';
  /** The views of which the example is kept in this shape. */
  readonly kept: readonly Drawn[];
}
const SHAPES: readonly Shape[] = [
  { width: 1280, height: 800, theme: 'light', kept: KEPT },
  {
    ...{ width: 1440, height: 900, theme: 'dark' },
    kept: ['Trace', 'Conversation', 'Session', 'Compare'],
  },
  {
    ...{ width: 2560, height: 1440, theme: 'light' },
    kept: ['Session', 'Trace', 'Timing', 'Checks'],
  },
  { width: 390, height: 844, theme: 'dark', kept: KEPT },
];

/** Each brings the page into a state in which the views are drawn, or says how each view gets there. */
const STATES: Readonly<Record<string, (scope: Scope, folder: string) => Promise<void>>> = {
  async empty() {
    // As the page comes.
  },
  async loading({ page }) {
    // Each view is a script of its own: these never come.
    await page.route(
      /\/assets\/(session|timeline|conversation|compare|checks|timing|library)-[\w-]+\.js$/,
      () => undefined,
    );
    await page.reload();
  },
  async example(scope) {
    await scope.button('Open the example').click();
    await expect(scope.row(/answer, session\/list/)).toBeVisible();
    // It opens at its worst restore.
    await expect(scope.frames.getByRole('row', { selected: true })).toHaveAccessibleName(/^7,/);
  },
  async running(scope, folder) {
    await asks(scope, folder);
  },
  async failed(scope, folder) {
    await scope.startBundled({ misbehave: 'crash-mid-turn', ask: 'v1', cwd: folder });
    await scope.newSession();
    await scope.prompt('mend the fault');
    await expect(scope.rail.getByText(/exited 139/).first()).toBeVisible();
  },
  async disconnected(scope, folder) {
    await asks(scope, folder);
    await scope.scriptsAreKept();
    await scope.relay.stop('SIGKILL');
    await expect(scope.page.getByText('The relay has ended')).toBeVisible();
  },
};

async function asks(scope: Scope, folder: string): Promise<void> {
  await scope.startBundled({ permissions: 'ask me', ask: 'v2', cwd: folder });
  await scope.newSession();
  await scope.prompt('mend the fault');
  await expect(scope.transcript).toContainText('The agent asks');
}

// Other systems have other letters: these are drawn with the same ones everywhere.
const FONTS = {
  '--sans': ['@fontsource/inter', 'inter-latin', [400, 600]],
  '--mono': ['@fontsource/jetbrains-mono', 'jetbrains-mono-latin', [400, 700]],
} as const;
const FONT_FILES = '**/pictures/*.woff2';
const require = createRequire(import.meta.url);

async function useOurLetters(scope: Scope): Promise<void> {
  const { page } = scope;
  await page.route(FONT_FILES, (route) => {
    const name = basename(new URL(route.request().url()).pathname);
    const found = Object.values(FONTS).find(([, start]) => name.startsWith(start));
    const path = found && require.resolve(`${found[0]}/files/${name}`);
    return path ? route.fulfill({ path, contentType: 'font/woff2' }) : route.abort();
  });
  const faces = Object.entries(FONTS).flatMap(([family, [, start, weights]]) =>
    weights.map(
      (weight) =>
        `@font-face { font-family: 'pictures${family}'; font-weight: ${weight}; src: url(/pictures/${start}-${weight}-normal.woff2); }`,
    ),
  );
  const vars = Object.keys(FONTS).map((family) => `${family}: 'pictures${family}';`);
  // What the machine says of its disk and its port is not looked at.
  const rules = `:root { ${vars.join(' ')} } footer > * { visibility: hidden; }`;
  await page.addStyleTag({ content: `${faces.join('\n')} ${rules}` });
  await page.evaluate(() => Promise.all([...document.fonts].map((face) => face.load())));
  // As long as requests are looked at, the browser keeps nothing.
  await page.unroute(FONT_FILES);
}

/** An agent that runs has other times, ids and folders each time: they take up half a hundredth. */
const tolerance = (isKept: boolean) => ({
  threshold: 0.2,
  maxDiffPixelRatio: process.platform !== 'linux' ? 0.06 : isKept ? 0.003 : 0.01,
});

const STEADY_MS = 250;

async function draw(scope: Scope, name: string, isKept: boolean): Promise<void> {
  const { page } = scope;
  const path = test.info().snapshotPath(isKept ? 'kept' : 'drawn', `${name}.png`);
  const renewed = ['all', 'changed'].includes(test.info().config.updateSnapshots);
  if (!renewed && (isKept || existsSync(path)))
    return expect
      .soft(page)
      .toHaveScreenshot([isKept ? 'kept' : 'drawn', `${name}.png`], tolerance(isKept));
  mkdirSync(dirname(path), { recursive: true });
  const shoot = () => page.screenshot({ animations: 'disabled' });
  // A view comes in steps: it is there when it looks twice the same.
  let before: Buffer = await shoot();
  let now = before;
  for (let tries = 0; tries < 20; tries++) {
    await page.waitForTimeout(STEADY_MS);
    now = await shoot();
    if (now.equals(before)) break;
    before = now;
  }
  writeFileSync(path, smallPng(now));
}

test.use({ timezoneId: 'UTC', locale: 'en-GB' });

async function goTo(scope: Scope, view: Drawn, place: number): Promise<void> {
  if (view === 'Library') await scope.goToAnything('Library of traces');
  else if (view === 'Connect') await scope.goToAnything('Connect an agent');
  else await scope.page.keyboard.press(String(place + 1));
}

/** `kept`: the two dozen alone, which are the same whether others are drawn or not. */
function drawEach(state: string, kept: boolean): void {
  test(`every view looks as it did: ${state}${kept ? ', kept' : ''}`, async ({ scope, folder }) => {
    test.setTimeout(600_000);
    if (state !== 'example') scope.watch.expect(/./);
    await scope.page.emulateMedia({ reducedMotion: 'reduce' });
    await useOurLetters(scope);
    await STATES[state]?.(scope, folder);
    if (state === 'loading') await useOurLetters(scope);
    for (const shape of SHAPES) {
      const { width, height, theme } = shape;
      await scope.page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await scope.page.setViewportSize({ width, height });
      for (const [place, view] of VIEWS.entries()) {
        if (kept !== (state === 'example' && shape.kept.includes(view))) continue;
        // Escape in a list would leave the row that is looked at.
        await scope.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
        await goTo(scope, view, place);
        if (kept && view === 'Trace') {
          // How far the list is scrolled depends on the size that it had before. A list that is laid out
          // anew brings the selected row back into view: the list rests when the first row stays.
          await expect(async () => {
            await scope.frames.evaluate((list) => (list.scrollTop = 0));
            await scope.page.waitForTimeout(STEADY_MS);
            expect(await scope.frames.evaluate((list) => list.scrollTop)).toBe(0);
          }).toPass();
        }
        await scope.page.mouse.move(width - 1, height - 1);
        await draw(scope, `${view.toLowerCase()}-${state}-${width}-${theme}`, kept);
      }
    }
  });
}

drawEach('example', true);
if (ALL) for (const state of Object.keys(STATES)) drawEach(state, false);
