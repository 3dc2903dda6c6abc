// The page at every width and zoom: what carries the meaning is read before anything else has room.
import { readFileSync } from 'node:fs';
import { expect, test, type Scope } from '../scope.ts';

/** Of each row drawn: how wide its summary is, and which of its cells lie over each other. */
async function cells(scope: Scope) {
  const drawn = await scope.frames.locator('[role=row].fr:not(.hd)').evaluateAll((rows) =>
    rows.map((row) => {
      const boxes = [...row.children]
        .filter((cell) => cell.getAttribute('role') === 'gridcell')
        .map((cell) => ({ name: cell.classList[0], box: cell.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && box.height > 0);
      const overlaps = boxes.flatMap((a, i) =>
        boxes
          .slice(i + 1)
          .filter(
            (b) =>
              Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left) > 0.5 &&
              Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top) > 2.5,
          )
          .map((b) => `${a.name} over ${b.name}`),
      );
      const summary = boxes.find(({ name }) => name === 'summary')?.box.width ?? 0;
      return { summary, overlaps };
    }),
  );
  // Of no row, all that follows would be true.
  expect(drawn.length).toBeGreaterThan(0);
  return drawn;
}

const SPACING = `* {
  line-height: 1.5 !important;
  letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important;
}`;

test('the rows of a restore are read at every width, zoom and spacing', async ({ scope }) => {
  const { page } = scope;
  await scope.startRestored();
  await scope.view('Trace');
  await expect(scope.row(/answer, session\/resume/)).toBeVisible();

  for (const [zoom, width, height] of [
    ['200 %', 720, 450],
    ['400 %', 320, 256],
  ] as const)
    await test.step(`the list of frames keeps two fifths of a page zoomed to ${zoom}, and opens its panes on demand`, async () => {
      await page.setViewportSize({ width, height });
      const share = async () => ((await scope.frames.boundingBox())?.height ?? 0) / height;
      await expect.poll(share).toBeGreaterThanOrEqual(0.4);
      expect((await cells(scope)).flatMap(({ overlaps }) => overlaps)).toEqual([]);

      await scope.button('Open the drawer', scope.drawer).click();
      await expect(scope.drawer.getByRole('tabpanel')).toBeVisible();
      await scope.button('Close the drawer', scope.drawer).click();
      await expect.poll(share).toBeGreaterThanOrEqual(0.4);

      for (const [view, label] of [
        ['Session', 'What came back'],
        ['Library', 'Traces'],
      ] as const) {
        if (view === 'Library') await scope.goToAnything('Library of traces');
        else await scope.view(view);
        const tree = page.getByRole('main').getByRole('tree', { name: label });
        await expect(tree).toBeVisible();
        const [box, main] = [await tree.boundingBox(), await page.locator('main').boundingBox()];
        expect((box?.height ?? 0) / height, view).toBeGreaterThanOrEqual(0.4);
        expect(box?.width, view).toBe(main?.width);
      }
      for (const [view, list] of [
        ['Conversation', scope.transcript],
        ['Compare', page.getByLabel('Live and replayed', { exact: true })],
        ['Checks', page.getByRole('main').getByLabel('Findings', { exact: true }).last()],
      ] as const) {
        await scope.view(view);
        if (view === 'Compare') await scope.liveAndReplay();
        await expect(list).toBeVisible();
        const [box, drawer] = [await list.boundingBox(), await scope.drawer.boundingBox()];
        if (!box || !drawer) throw new Error(`${view} is not drawn`);
        expect(box.height / height, view).toBeGreaterThanOrEqual(0.4);
        // Nor does one scroll to it; but for the verdict that stands above what it is about.
        const seen = Math.min(box.y + box.height, drawer.y) - box.y;
        if (view !== 'Compare') expect(seen / height, view).toBeGreaterThanOrEqual(0.4);
      }
      await scope.view('Timing');
      const spent = await page.getByRole('list', { name: 'Who was waited for' }).boundingBox();
      const copy = await scope.button('Copy picture').boundingBox();
      expect((copy?.y ?? Infinity) + (copy?.height ?? 0)).toBeLessThanOrEqual(spent?.y ?? 0);
      await scope.twoTraces();
      const title = page.getByRole('heading', { name: 'Two traces beside each other' });
      const over = await title.evaluate((e) => {
        const { left, top } = e.getBoundingClientRect();
        return document.elementFromPoint(left + 2, top + 2) === e;
      });
      expect(over).toBe(true);
      await scope.view('Trace');

      await page.setViewportSize({ width: 1440, height: 900 });
      await expect(scope.detail).toBeVisible();
      await expect(scope.button('Close the drawer', scope.drawer)).toBeVisible();
    });

  await test.step('the summary of a frame has 280 pixels at every width, beside the detail', async () => {
    // By key: the last row ends at the grip of the drawer.
    await scope.row(/answer, session\/list/).click();
    await scope.frames.press('End');
    for (const width of [1100, 1150, 1200, 1280, 1366, 1440, 1600, 2560]) {
      await page.setViewportSize({ width, height: 800 });
      await expect(scope.detail, `${width}`).toBeVisible();
      await expect
        .poll(async () => Math.min(...(await cells(scope)).map(({ summary }) => summary)), {
          message: `${width}`,
        })
        .toBeGreaterThanOrEqual(280);
      expect((await cells(scope)).flatMap(({ overlaps }) => overlaps)).toEqual([]);
    }
    await scope.frames.press('Escape');
  });

  await test.step('with the spacing of text that a reader needs, no cell lies over another', async () => {
    await page.addStyleTag({ content: SPACING });
    for (const width of [1440, 1280, 720]) {
      await page.setViewportSize({ width, height: 900 });
      await expect
        .poll(async () => (await cells(scope)).flatMap(({ overlaps }) => overlaps))
        .toEqual([]);
      const cut = await scope.frames
        .locator('[role=row] .method')
        .evaluateAll((all) => all.filter((e) => e.scrollWidth > e.clientWidth).length);
      expect(cut, `${width}`).toBe(0);
    }
  });

  await test.step('nor is a word cut that says how what is sent differs from the session', async () => {
    await scope.view('Session');
    await page.setViewportSize({ width: 1280, height: 800 });
    await scope.button('More', scope.request).click();
    const said = page.getByText('same as session', { exact: true });
    await expect(said).toBeVisible();
    expect(await said.evaluate((e) => e.scrollWidth - e.clientWidth)).toBeLessThanOrEqual(0);
  });
});

test('every answer to a permission is seen without scrolling, at every width', async ({
  scope,
}) => {
  await scope.startBundled({ permissions: 'ask me' });
  await scope.newSession();
  await scope.prompt('mend the fault');
  await expect(scope.transcript).toContainText('The agent asks');
  for (const [width, height, view] of [
    [1440, 900, 'Trace'],
    [1280, 800, 'Trace'],
    [1100, 800, 'Conversation'],
    [760, 900, 'Trace'],
    [720, 900, 'Conversation'],
    [390, 844, 'Trace'],
    [390, 844, 'Conversation'],
  ] as const) {
    await scope.page.setViewportSize({ width, height });
    await scope.view(view);
    await scope.openDrawer('Waiting');
    const group = scope.drawer.getByRole('toolbar', { name: /^Answer / });
    const answers = group.getByRole('button', { name: /^(Allow|Reject)/ });
    await expect(answers.first()).toBeVisible();
    const tops = new Set<number>();
    for (const answer of await answers.all()) {
      await expect(answer).toBeInViewport({ ratio: 1 });
      tops.add(Math.round((await answer.boundingBox())?.y ?? -1));
    }
    if (width >= 720) expect(tops.size, `${width}`).toBe(1);
    await expect(answers.filter({ hasText: 'Reject' }).first()).toBeInViewport({ ratio: 1 });
  }
  // Closed, it does not look as if the questions were open in it.
  await scope.button('Close the drawer', scope.drawer).click();
  await expect(scope.drawer.getByRole('tab', { selected: true })).toHaveCount(0);
});

test('what tells apart is read at the smallest width: that an item came late, and whole names', async ({
  scope,
}) => {
  await scope.button('Open the example').click();
  await expect(scope.row(/answer, session\/list/)).toBeVisible();
  const name = scope.rail.getByText('The retry test is flaky. Find out why and fix it.').first();
  await expect(name).toBeVisible();
  expect(await name.evaluate((e) => e.scrollHeight - e.clientHeight)).toBe(0);
  await scope.page.setViewportSize({ width: 390, height: 844 });
  await scope.view('Conversation');
  const late = scope.transcript.getByRole('article', { name: /, late$/ }).first();
  await late.scrollIntoViewIfNeeded();
  await expect(late.getByText('late', { exact: true })).toBeInViewport({ ratio: 1 });
  const title = scope.page.getByRole('button', { name: /its history and restores$/ });
  await expect(title).toHaveText('The retry test is flaky. Find out why and fix it.');
  const cut = (e: Element) => e.scrollWidth - e.clientWidth;
  expect(await title.evaluate(cut)).toBe(0);
  const head = scope.page.getByRole('main').getByRole('heading', { level: 2 }).first();
  expect(await head.evaluate(cut)).toBe(0);
});

test('at the smallest width no word is cut that one chooses by: commands, tabs, what an editor is to do, rules', async ({
  scope,
}) => {
  const { page } = scope;
  await scope.startBundled();
  const bar = page.getByRole('navigation', { name: 'Views' });
  /** Pixels between the end of the tab of this view and that of the bar, which fades out over its last twelve. */
  const clear = async () => {
    const all = await bar.boundingBox();
    const last = await bar.locator('[aria-current]').boundingBox();
    return (all?.x ?? 0) + (all?.width ?? 0) - (last?.x ?? 0) - (last?.width ?? 0);
  };
  await scope.view('Checks');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(clear).toBeGreaterThanOrEqual(11);
  await scope.view('Timing');
  expect(await clear()).toBeGreaterThanOrEqual(11);

  await page.getByTitle('Connect an agent, or open a trace').click();
  const again = page
    .getByRole('listitem')
    .filter({ has: scope.button('Start Bundled agent again') });
  await expect(again.getByText(/acp-scope\.js agent/)).toBeVisible();
  await scope.button('Show the lines…').click();
  const told = page.getByText('Restart the agent in the editor:');
  expect(await told.evaluate((e) => e.scrollHeight - e.clientHeight)).toBe(0);

  await scope.view('Trace');
  await scope.drawer.getByRole('tab', { name: 'Detail' }).click();
  await scope.button('Intercept…', scope.connection).click();
  await scope.button('Add a rule', scope.connection).click();
  const cut = await page
    .getByRole('menu', { name: 'Add a rule' })
    .locator('span')
    .evaluateAll((all) => all.filter((e) => e.scrollWidth > e.clientWidth).length);
  expect(cut).toBe(0);
});

test('a folder typed for a new session stays when the window grows narrow, and wide again', async ({
  scope,
}) => {
  await scope.startBundled();
  await scope.button('New session…', scope.connection).click();
  const folder = scope.page.getByRole('textbox', { name: 'cwd', exact: true });
  await folder.fill('/somewhere/else');
  for (const width of [900, 1280]) {
    await scope.page.setViewportSize({ width, height: 800 });
    if (width < 1100) await scope.drawer.getByRole('tab', { name: 'Detail' }).click();
    await expect(folder).toHaveValue('/somewhere/else');
  }
});

test('on a narrow page news lies over nothing, and a query is cleared where its first terms stand', async ({
  scope,
}) => {
  const { page } = scope;
  await page.setViewportSize({ width: 390, height: 844 });
  const zed = new URL('../../src/test/fixtures/imports/zed.json', import.meta.url);
  await scope.import('zed.json', readFileSync(zed));
  await expect(scope.news).toContainText('What became of it');
  const edges = await page.evaluate(() =>
    ['main', '[aria-label=News]', 'footer'].map((one) => {
      const { top, bottom } = document.querySelector(one)?.getBoundingClientRect() ?? {};
      return [top, bottom] as const;
    }),
  );
  const [main, news, foot] = edges;
  expect(main?.[1]).toBe(news?.[0]);
  expect(news?.[1]).toBe(foot?.[0]);

  await scope.query('type:req session:S1 method:session/update');
  const clear = await scope.button('Clear the query').boundingBox();
  const first = await page
    .getByRole('button', { name: 'Edit type:req', exact: true })
    .boundingBox();
  expect(Math.abs((clear?.y ?? 0) - (first?.y ?? 99))).toBeLessThan(4);
});

test('a low page opens at its top: what is further down does not draw it there', async ({
  scope,
}) => {
  const { page } = scope;
  await page.setViewportSize({ width: 390, height: 600 });
  await scope.twoTraces();
  await scope.goToAnything('Connect an agent');
  await expect(scope.button('Open the example')).toBeAttached();
  await expect(page.getByRole('heading', { name: /^See what your agent/ })).toBeInViewport();
});

test('the runs of a session are below its request; the choices are beside both on a wide page', async ({
  scope,
}) => {
  const { page } = scope;
  await scope.startBundled({ ask: 'v2' });
  await scope.newSession();
  await scope.view('Session');
  const sent = scope.request;
  const runs = scope.session.getByRole('tree', { name: 'What came back' });
  const choices = page.getByRole('radiogroup', { name: 'What to ask for' });
  for (const width of [2560, 1440, 1280, 720]) {
    await page.setViewportSize({ width, height: 1300 });
    await expect(async () => {
      const [request, rows, ways] = [
        await sent.boundingBox(),
        await runs.boundingBox(),
        await choices.boundingBox(),
      ];
      if (!request || !rows || !ways) throw new Error('Session is not drawn');
      expect(rows.x, `${width}`).toBe(request.x);
      expect(rows.y, `${width}`).toBeGreaterThanOrEqual(request.y + request.height);
      const right = request.x + request.width;
      if (width >= 1440) expect(ways.x, `${width}`).toBeGreaterThanOrEqual(right);
      else expect(ways.x + ways.width, `${width}`).toBeLessThanOrEqual(right);
    }).toPass();
  }
});

test('the size of the text is a setting, large on a wide screen; no cell lies over another', async ({
  scope,
}) => {
  const { page } = scope;
  await scope.button('Open the example').click();
  await expect(scope.row(/answer, session\/list/)).toBeVisible();
  const size = () =>
    scope.frames
      .locator('[role=row].fr:not(.hd) .summary')
      .first()
      .evaluate((cell) => getComputedStyle(cell).fontSize);
  expect(await size()).toBe('12px');
  await page.setViewportSize({ width: 2560, height: 1440 });
  await expect.poll(size).toBe('13px');
  await scope.button('Settings').click();
  await page.getByRole('menu', { name: 'Settings' }).getByText('Larger text').click();
  for (const width of [2560, 1440, 1100, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await expect.poll(size).toBe('14px');
    expect((await cells(scope)).flatMap(({ overlaps }) => overlaps)).toEqual([]);
  }
  await page.reload();
  await expect.poll(size).toBe('14px');
});
