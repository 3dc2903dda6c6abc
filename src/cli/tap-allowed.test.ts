// The right to change the traffic of a tap: real processes, a real relay, and pages without a browser that send
// what a script in ours could send.
import { once } from 'node:events';
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { InterceptCall, Problem } from '../link/messages.ts';
import type { ApprovalTerminal } from '../relay/approval/approvals.ts';
import type { TestPage } from '../test/programs/relay-fixture.ts';
import {
  bin,
  deedsIn,
  here,
  keepTapped,
  rulesOf,
  running,
  saidTo,
  steeringOf,
  TappedEditor,
} from '../test/programs/tapped-editor.ts';
import { until } from '../test/programs/until.ts';
import { seq, type ConnectionId } from '../trace/event.ts';

keepTapped();

/** The editor's request, and the agent's response. */
const NEW = '{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}';
/** An agent would start this program. */
const START = { name: 'x', command: '/bin/sh', args: ['-c', 'id'], env: [] };
const EVIL = rulesOf({
  on: 'side:client method:session/new',
  edit: { set: { '$.params.mcpServers': [START] } },
});
const ON: InterceptCall = { op: 'on', rules: EVIL };
const ALL_CALLS: readonly InterceptCall[] = [
  ON,
  { op: 'off' },
  { op: 'release', of: seq(1), line: { text: '{}' } },
  { op: 'drop', of: seq(1) },
];

function edit(name: string, ...options: readonly string[]): TappedEditor {
  const editor = new TappedEditor(bin, here, { name, options });
  running.push(editor.child);
  return editor;
}

const tapOf = (page: TestPage, name: string): Promise<ConnectionId> =>
  page.until(() => {
    for (const event of page.told) {
      const infos =
        event.type === 'connection'
          ? [event.info]
          : event.type === 'welcome'
            ? event.connections
            : [];
      const found = infos.find((info) => info.name === name);
      if (found) return found.id;
    }
    return undefined;
  });

/** Why it was not done; undefined: it was. */
async function call(
  page: TestPage,
  connection: ConnectionId,
  asked: InterceptCall,
): Promise<Problem | undefined> {
  const request = page.intercept(connection, asked);
  const answer = await page.until(() =>
    page.told.find(
      (event) =>
        (event.type === 'problem' || event.type === 'intercepted') && event.request === request,
    ),
  );
  return answer.type === 'problem' ? answer.problem : undefined;
}

/** The session/new of the editor, as the agent reads it. */
async function readOf(editor: TappedEditor): Promise<string> {
  const before = editor.lines().length;
  editor.ask(NEW);
  await until(() => expect(editor.lines().length).toBe(before + 1));
  return editor.lines().at(-1) ?? '';
}

const isOn = (editor: TappedEditor, times = 1) =>
  until(async () => expect(deedsIn(await editor.recorded(), 'on')).toHaveLength(times));

test('P-15: without leave a page changes nothing of an editor’s session, and gets advice', async () => {
  const page = await here.page(await here.relay({ trustPage: false }));
  const editor = edit('mine');
  const connection = await tapOf(page, 'mine');
  for (const asked of ALL_CALLS)
    expect(await call(page, connection, asked)).toMatchObject({
      code: 'no_terminal',
      message: expect.stringMatching(/tap mine.*--allow-intercept/) as string,
    });
  // One that was said to another tap has been read by this one, too.
  const open = edit('open', '--allow-intercept');
  await call(page, await tapOf(page, 'open'), ON);
  await isOn(open);
  expect(await readOf(editor)).toBe(NEW);
  expect(await readOf(open)).toContain('/bin/sh');
  expect(existsSync(steeringOf(await editor.trace()))).toBe(false);
  expect(editor.errors).toBe('');
});

test('P-15: rules of the tap’s own command line are not a page’s to switch off or to decide for', async () => {
  const page = await here.page(await here.relay({ trustPage: false }));
  const file = join(here.folders.work, 'rules.json');
  writeFileSync(file, rulesOf({ on: 'side:agent', hold: true }));
  const editor = edit('mine', '--intercept', file);
  const connection = await tapOf(page, 'mine');
  editor.ask(NEW);
  const [held] = await until(async () => {
    const holds = deedsIn(await editor.recorded(), 'hold');
    expect(holds).toHaveLength(1);
    return holds;
  });
  if (!held) throw new Error('one is held');
  for (const asked of ALL_CALLS)
    expect(
      await call(page, connection, 'of' in asked ? { ...asked, of: held.seq } : asked),
    ).toMatchObject({ code: 'no_terminal' });
  editor.ask(NEW);
  await until(async () => expect(deedsIn(await editor.recorded(), 'hold')).toHaveLength(2));
  expect(editor.lines()).toEqual([]);
  expect(editor.errors).toContain('Intercept is on: 1 rule ');
});

/** A terminal with a given answer, and the questions that it was asked. */
function terminal(answers: boolean[]) {
  const asked: string[] = [];
  const confirm: ApprovalTerminal['confirm'] = (text) => {
    asked.push(text);
    return Promise.resolve(answers.shift() === true);
  };
  return { asked, terminal: { confirm } };
}

test('P-15: a yes in the terminal names the tap, and holds for it alone, whatever the rules and the page, until the relay ends', async () => {
  const first = terminal([false, true, false]);
  const relay = await here.relay({ trustPage: false, terminal: first.terminal });
  const page = await here.page(relay);
  const [editor, other] = [edit('mine'), edit('other')];
  const connection = await tapOf(page, 'mine');
  expect(await call(page, connection, ON)).toMatchObject({
    code: 'refused',
    message: expect.stringContaining('--allow-intercept') as string,
  });
  expect(await readOf(editor)).toBe(NEW);
  expect(await call(page, connection, ON)).toBeUndefined();
  await isOn(editor);
  expect(await readOf(editor)).toContain('/bin/sh');
  expect(first.asked[1]).toContain('the tap mine');
  expect(first.asked[1]).toContain('until this tap or this relay ends');

  const second = await here.page(relay);
  const changed = rulesOf({ on: 'side:client', duplicate: 1 }, { on: 'side:agent', delay: 0 });
  expect(await call(second, connection, { op: 'on', rules: changed })).toBeUndefined();
  await isOn(editor, 2);
  expect(first.asked).toHaveLength(2);
  expect(await call(page, await tapOf(page, 'other'), ON)).toMatchObject({ code: 'refused' });
  expect(first.asked[2]).toContain('the tap other');
  expect(await readOf(other)).toBe(NEW);

  const next = terminal([false]);
  const again = await here.page(await here.relay({ trustPage: false, terminal: next.terminal }));
  expect(await call(again, await tapOf(again, 'mine'), ON)).toMatchObject({ code: 'refused' });
  expect(next.asked).toHaveLength(1);
});

test('P-15: while the terminal asks no rule is in force, and a page that has gone is not answered for', async () => {
  let withdrawn = false;
  const confirm: ApprovalTerminal['confirm'] = (_, signal) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        withdrawn = true;
        resolve(false);
      });
    });
  const page = await here.page(await here.relay({ trustPage: false, terminal: { confirm } }));
  const editor = edit('mine');
  const connection = await tapOf(page, 'mine');
  const request = page.intercept(connection, ON);
  expect(await page.told1('confirming')).toEqual({ type: 'confirming', request, tap: 'mine' });
  expect(await readOf(editor)).toBe(NEW);
  page.client.close();
  await until(() => expect(withdrawn).toBe(true));
  expect(await readOf(editor)).toBe(NEW);
  expect(existsSync(steeringOf(await editor.trace()))).toBe(false);
});

test('P-15: a tap does nothing that a relay said without leave, and says so once; with leave it says when rules come and go', async () => {
  const editor = edit('mine');
  const steering = steeringOf(await editor.trace());
  const says = (...lines: readonly string[]) =>
    appendFileSync(steering, lines.join(''), { mode: 0o600 });
  says(saidTo(ON, process.pid, false), saidTo(ON, process.pid, false));
  await until(() => expect(editor.errors).toContain('--allow-intercept'));
  expect(await readOf(editor)).toBe(NEW);
  expect(editor.errors.split('\n').slice(0, -1)).toHaveLength(1);
  expect(deedsIn(await editor.recorded(), 'on')).toEqual([]);

  says(saidTo(ON));
  await until(() => expect(editor.errors).toContain('Intercept is on: 1 rule '));
  expect(await readOf(editor)).toContain('/bin/sh');
  // Rules that cannot be read leave none in force, as the trace has it.
  says(saidTo({ op: 'on', rules: '{"rules": []}' }));
  await until(() => expect(editor.errors).toContain('Intercept is off'));
  await until(async () => expect(deedsIn(await editor.recorded(), 'off')).toHaveLength(2));
  expect(await readOf(editor)).toBe(NEW);
  expect(editor.errors.split('\n').slice(0, -1)).toHaveLength(3);
  editor.child.stdin.end();
  await once(editor.child, 'close');
});
