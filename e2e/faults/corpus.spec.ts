// A trace that attacks the page by every field it has: what is shown is its text, in every view.
import { expect, test } from '../scope.ts';

const PAYLOADS = [
  '<img src=x onerror="window.pwned=1">',
  '<svg/onload=window.pwned=1><script>window.pwned=1</script>',
  '<iframe srcdoc="<script>parent.pwned=1</script>"></iframe><base href="https://evil.example/">',
  '<form action="https://evil.example/"><input name=location autofocus onfocus="window.pwned=1"></form>',
  '<meta http-equiv=refresh content="0;url=https://evil.example/"><link rel=stylesheet href="https://evil.example/x.css">',
  '![x](https://evil.example/a.png) ![x](javascript:window.pwned=1) [a](data:text/html,<script>1</script>)',
  '[open](javascript:window.pwned=1) [open](java\tscript:window.pwned=1) <javascript:window.pwned=1>',
  '${window.pwned=1} {{constructor.constructor("window.pwned=1")()}} {@html window.pwned=1}',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.pwned=1&gt;">',
  'url(https://evil.example/b.png)"; background: url(https://evil.example/c.png); x: "',
  '\u001b]0;pwned\u0007\u001b[31m\u009b2J\u202egpj.exe\u0000',
  '__proto__',
];

/** Every field that an agent, an editor or a file can fill in, filled with this. */
function frames(text: string, at: number): [from: 'client' | 'agent', message: object][] {
  const sessionId = `${text}${at}`;
  const id = (n: number) => `${text}${at}.${n}`;
  const block = { type: 'text', text };
  const update = (fields: object): ['agent', object] => [
    'agent',
    { method: 'session/update', params: { sessionId, update: fields } },
  ];
  const server = { name: text, command: text, args: [text], env: [{ name: text, value: text }] };
  const chunk = (content: object) => update({ sessionUpdate: 'agent_message_chunk', content });
  const toolCall = {
    ...{ toolCallId: text, title: text, kind: text, status: 'completed', rawOutput: text },
    rawInput: { [text]: text },
    locations: [{ path: text }],
    content: [
      { type: 'diff', path: text, oldText: text, newText: `${text}\n${text}` },
      { type: 'content', content: block },
    ],
  };
  return [
    ['client', { id: id(0), method: 'session/new', params: { cwd: text, mcpServers: [server] } }],
    [
      'agent',
      {
        id: id(0),
        result: {
          sessionId,
          modes: { currentModeId: text, availableModes: [{ id: text, name: text }] },
        },
      },
    ],
    update({
      sessionUpdate: 'available_commands_update',
      availableCommands: [{ name: text, description: text }],
    }),
    ['client', { id: id(1), method: 'session/prompt', params: { sessionId, prompt: [block] } }],
    chunk(block),
    update({ sessionUpdate: 'agent_thought_chunk', content: block }),
    chunk({ type: 'resource_link', uri: text, name: text, title: text, mimeType: text }),
    chunk({ type: 'image', data: 'AAAA', mimeType: text, uri: text }),
    update({ sessionUpdate: 'plan', entries: [{ content: text, priority: text, status: text }] }),
    update({ sessionUpdate: 'tool_call', ...toolCall }),
    [
      'agent',
      {
        id: id(2),
        method: 'session/request_permission',
        params: {
          sessionId,
          toolCall,
          options: [{ optionId: text, name: text, kind: 'allow_always' }],
        },
      },
    ],
    ['agent', { id: id(3), method: text, params: { _meta: { [text]: text } } }],
    ['agent', { id: id(1), error: { code: -32000, message: text, data: { [text]: text } } }],
  ];
}

function hostileTrace(): Buffer {
  const name = PAYLOADS.join('');
  const client = { protocolVersion: 1, clientInfo: { name, title: name, version: name } };
  const agent = { protocolVersion: 1, agentInfo: { name, title: name, version: name } };
  const all: [string, object][] = [
    ['client', { id: name, method: 'initialize', params: client }],
    ['agent', { id: name, result: agent }],
    ...PAYLOADS.flatMap(frames),
  ];
  const events = all.map(([from, message]) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    return { type: 'frame', from, line: { text }, origin: 'peer' };
  });
  const noise = PAYLOADS.flatMap((text) => [
    { type: 'frame', from: 'agent', line: { text }, origin: 'peer' },
    { type: 'stderr', line: { text } },
  ]);
  const start = { type: 'start', argv: [name, ...PAYLOADS], cwd: name };
  const header = JSON.stringify({
    ...{ format: 'acptrace', version: 1, created: '2026-11-22T10:00:00.000Z', tool: name, name },
    clock: 'monotonic',
  });
  const lines = [start, ...events, ...noise].map((event, at) =>
    JSON.stringify({ ...event, seq: at + 1, at }),
  );
  return Buffer.from([header, ...lines, ''].join('\n'));
}

test('I-05, S-02, S-03, S-04, S-05, S-07, S-11: no field of a file runs, loads or hides anything, in any view', async ({
  scope,
}) => {
  const { page } = scope;
  await scope.import('hostile.acptrace.jsonl', hostileTrace());
  await expect(scope.row(/initialize/).first()).toBeVisible();
  await expect(page).not.toHaveTitle(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
  const places = await page.evaluate(() => Object.keys(Object.prototype).length);
  await scope
    .row(/initialize/)
    .first()
    .click();
  for (let i = 0; i < 20; i++) await page.keyboard.press('ArrowDown');
  const check = () =>
    page.evaluate(
      (payloads) => ({
        pwned: 'pwned' in window,
        places: Object.keys(Object.prototype).length,
        elements: document.querySelectorAll(
          'body iframe, body script:not([src]), base, body meta, body form[action], img[src^="http"], a[href^="javascript"], a[href^="data"]',
        ).length,
        // By which a script or an address would find an element.
        named: [...document.querySelectorAll('body [id], body [name]')].flatMap((element) =>
          [element.id, element.getAttribute('name') ?? ''].filter((name) =>
            payloads.some((payload) => name.includes(payload)),
          ),
        ),
        // What a terminal or a reader would obey without seeing it.
        hidden: [...document.querySelectorAll('body *')].flatMap((element) =>
          [...element.childNodes].flatMap((node) =>
            node.nodeType === Node.TEXT_NODE &&
            element.checkVisibility() &&
            /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u202a-\u202e]/.test(node.nodeValue ?? '')
              ? [
                  `${element.tagName} ${element.className} in ${element.closest('section, [aria-label]')?.getAttribute('aria-label') ?? ''}: ${JSON.stringify(node.nodeValue).slice(0, 60)}`,
                ]
              : [],
          ),
        ),
        says: document.body.innerText.includes('window.pwned=1'),
      }),
      PAYLOADS,
    );
  const harmless = { pwned: false, places, elements: 0, named: [], hidden: [], says: true };
  for (const tab of ['Waiting', 'Terminal and stderr'] as const) {
    await scope.openDrawer(tab);
    expect.soft([tab, await check()]).toEqual([tab, harmless]);
  }
  for (const view of ['Conversation', 'Session', 'Compare', 'Checks', 'Trace'] as const) {
    await scope.view(view);
    expect.soft([view, await check()]).toEqual([view, harmless]);
  }
});
