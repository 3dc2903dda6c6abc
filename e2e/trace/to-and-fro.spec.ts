// From a frame to the words it said and back, and the address that holds what is shown.
import { readFileSync } from 'node:fs';
import { expect, test, type Scope } from '../scope.ts';

const EXAMPLE = readFileSync(new URL('../../public/example.acptrace.jsonl', import.meta.url));

/** The words that are lit, as they stand on screen. */
async function lit(scope: Scope): Promise<string> {
  return scope.page.evaluate(() =>
    [...(CSS.highlights.get('frame-words') ?? [])].map((range) => range.toString()).join('|'),
  );
}

test('The words of a selected frame are lit in the conversation, and on screen', async ({
  scope,
}) => {
  const { page } = scope;
  await scope.startBundled({ ask: 'v2' });
  await scope.newSession();
  for (const words of ['quick one', 'quick two', 'quick three', 'quick four']) {
    await scope.prompt(words);
    await scope.turnEnds();
  }
  await scope.selectFrame('update:agent_message_chunk', /agent_message_chunk/);
  await expect(page).toHaveURL(/frame\/\d+/);
  const [, frame] = /frame\/(\d+)/.exec(page.url()) ?? [];
  await scope.view('Conversation');
  await expect.poll(() => lit(scope)).not.toBe('');
  const words = await lit(scope);
  const said = scope.transcript.getByRole('article', { name: /^Agent/ }).first();
  await expect(said).toBeInViewport();
  expect((await said.innerText()).replaceAll('\n', ' ')).toContain(words.split('|')[0]);

  // And back: the first of these words leads to that frame.
  await said
    .locator('p')
    .first()
    .click({ position: { x: 4, y: 6 } });
  await expect(scope.button(`#${frame}`, scope.transcript.getByRole('status'))).toBeVisible();

  // What the playhead stands at is lit as well.
  await scope.button('State here').click();
  await expect(scope.state.getByText('This frame changes')).toBeVisible();
  await expect.poll(() => lit(scope)).toBe(words);
});

test('A view at rest asks its worker for nothing', async ({ scope }) => {
  const { page } = scope;
  await page.addInitScript(() => {
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message: unknown) {
      document.documentElement.dataset['asked'] = String(asked() + 1);
      post.call(this, message);
    };
    const asked = () => Number(document.documentElement.dataset['asked'] ?? 0);
  });
  await page.reload();
  await scope.import('example.acptrace.jsonl', EXAMPLE);
  await expect(page.getByText('106 of 106 frames')).toBeVisible();
  const asked = () => page.locator('html').getAttribute('data-asked');
  for (const view of ['Conversation', 'Session', 'Compare', 'Checks', 'Timing'] as const) {
    await scope.view(view);
    await expect(async () => {
      const before = await asked();
      await page.waitForTimeout(500);
      expect(await asked(), view).toBe(before);
    }).toPass({ timeout: 20_000 });
  }
});

test('The address holds playhead, query and panes, over a reload and the way back', async ({
  scope,
}) => {
  const { page } = scope;
  await scope.import('example.acptrace.jsonl', EXAMPLE);
  await expect(page.getByText('106 of 106 frames')).toBeVisible();
  await scope.query('update:agent_message');
  await scope
    .row(/agent_message/)
    .first()
    .click();
  await scope.view('Conversation');
  const playhead = page.getByRole('slider', { name: 'Playhead' });
  await playhead.press('Home');
  await playhead.press('ArrowRight');
  await scope.openDrawer('Waiting');
  await expect(page).toHaveURL(
    /conversation.*frame\/\d+\?q=update%3Aagent_message&at=\d+&drawer=waiting/,
  );
  const address = page.url();
  const where = await playhead.getAttribute('aria-valuetext');

  await page.reload();
  await expect(playhead).toHaveAttribute('aria-valuetext', where ?? '');
  await expect(scope.drawer.getByRole('tab', { name: 'Waiting' })).toBeVisible();
  expect(page.url()).toBe(address);

  await scope.view('Trace');
  await expect(page).toHaveURL(/#\/trace\//);
  await page.goBack();
  await expect(page).toHaveURL(address);
  await expect(playhead).toHaveAttribute('aria-valuetext', where ?? '');

  // What says nothing sensible changes nothing.
  const nonsense = address.replace(/\?.*/, '?at=-1&hide=all&drawer=bin');
  await page.goto(nonsense);
  await expect(playhead).toHaveAttribute('aria-valuetext', 'at the end');
  const far = address.replace(/at=\d+/, 'at=99999999');
  await page.goto(far);
  await expect(page).not.toHaveURL(/at=/);
  await expect(scope.transcript).toBeVisible();
});

/** A trace in which a load brings the session back in another mode, with another model. */
function drifted(): Buffer {
  const modes = (currentModeId: string) => ({
    currentModeId,
    availableModes: [
      { id: 'ask', name: 'Ask' },
      { id: 'code', name: 'Code' },
    ],
  });
  const configOptions = (currentValue: string) => [
    {
      ...{ id: 'model', name: 'Model', category: 'model', type: 'select', currentValue },
      options: [
        { value: 'big', name: 'Big' },
        { value: 'small', name: 'Small' },
      ],
    },
  ];
  const folder = { cwd: '/w', mcpServers: [] };
  const initialize = {
    protocolVersion: 1,
    agentCapabilities: { loadSession: true },
    authMethods: [],
  };
  const asked = { method: 'session/load', params: { sessionId: 's1', ...folder } };
  const messages: readonly (readonly ['client' | 'agent', object])[] = [
    ['client', { id: 0, method: 'initialize', params: { protocolVersion: 1 } }],
    ['agent', { id: 0, result: initialize }],
    ['client', { id: 1, method: 'session/new', params: folder }],
    [
      'agent',
      {
        id: 1,
        result: { sessionId: 's1', modes: modes('code'), configOptions: configOptions('big') },
      },
    ],
    ['client', { id: 2, ...asked }],
    ['agent', { id: 2, result: { modes: modes('ask'), configOptions: configOptions('small') } }],
  ];
  const header = {
    format: 'acptrace',
    version: 1,
    name: 'drift',
    connection: 'drift',
    mode: 'file',
  };
  const events = messages.map(([from, message], i) => ({
    ...{ type: 'frame', seq: i + 1, at: i * 10, from },
    line: { text: JSON.stringify({ jsonrpc: '2.0', ...message }) },
    origin: 'peer',
  }));
  return Buffer.from([header, ...events].map((line) => `${JSON.stringify(line)}\n`).join(''));
}

test('What a restore changed of the settings stands beside the values, and in the history', async ({
  scope,
}) => {
  const { page } = scope;
  await scope.import('drift.acptrace.jsonl', drifted());
  await expect(page.getByText('6 of 6 frames')).toBeVisible();
  await scope.view('Conversation');
  await expect(scope.state.getByText(/before the restore: Code/)).toBeVisible();
  await expect(scope.state.getByText(/before the restore: Big/)).toBeVisible();

  // In the past, a value that is another now says so.
  const playhead = page.getByRole('slider', { name: 'Playhead' });
  await playhead.press('ArrowLeft');
  await playhead.press('ArrowLeft');
  await expect(scope.state.getByText(/now: Ask/)).toBeVisible();
  await expect(scope.state.getByText(/before the restore/)).toHaveCount(0);

  await scope.view('Session');
  await scope.session.getByRole('treeitem', { name: /load/ }).click();
  const loaded = scope.session.getByRole('region', { name: 'Row of the session' });
  await expect(loaded).toContainText(/Code\s*#4\s*→\s*Ask\s*#6/);
  await expect(loaded).toContainText(/Big\s*#4\s*→\s*Small\s*#6/);
});

test('The schema says what a field is, by D and by a rest of the pointer', async ({ scope }) => {
  const { page } = scope;
  await scope.import('example.acptrace.jsonl', EXAMPLE);
  await scope.row(/client to agent, request, initialize/).click();
  const field = scope.detail.getByRole('treeitem', { name: /protocolVersion/ }).first();
  await field.click();
  await page.keyboard.press('d');
  const card = page.getByRole('dialog', { name: 'Schema: protocolVersion' });
  await expect(card).toBeVisible();
  await expect(card).toContainText(/version/i);
  await page.keyboard.press('Escape');
  await expect(card).toBeHidden();

  await field.getByText('protocolVersion').hover();
  await expect(page.getByRole('tooltip', { name: 'Schema: protocolVersion' })).toBeVisible();
  await expect(scope.detail.getByRole('link', { name: /v2 protocol: initialize/ })).toHaveAttribute(
    'href',
    /^https:\/\/agentclientprotocol\.com\//,
  );
});

test('A tool call is told with every restore it came back in, and leads to where it lived', async ({
  scope,
}) => {
  await scope.button('Open the example').click();
  await scope.row(/^13, .*tool_call_update/).click();
  await scope.detail.getByRole('tab', { name: 'Elsewhere' }).click();
  const told = scope.detail.getByRole('region', { name: 'Same tool call' });
  await expect(told.getByRole('listitem')).toHaveText([
    /^example: the live part\s*c1#22\s*in_progress → completed\s*live$/,
    /^this trace\s*#13\s*completed\s*replay A$/,
    /^this trace\s*#29\s*completed\s*replay B$/,
    /^this trace\s*#46\s*completed\s*replay C$/,
  ]);
  await scope.button('c1#22', told).click();
  await expect(scope.frames.getByRole('row', { selected: true })).toHaveAccessibleName(/^22,/);
  await expect(told.getByRole('listitem').first()).toContainText('this trace');
  await scope.frames.press('Home');
  await expect(told).toBeHidden();
});
