// What the form makes of what is typed: the command, its environment, and what it may do.
import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS, type ClientSettings } from '../../drive/settings.ts';
import type { Launch } from '../../link/messages.ts';
import type { App } from '../app.svelte.ts';
import { Connect, connectOf } from './connect.svelte.ts';
import { coverLines } from './env-lines.ts';

function form(advertise: Partial<ClientSettings['advertise']> = {}) {
  const started: Launch[] = [];
  const app = {
    defaults: { ...DEFAULT_SETTINGS, advertise: { ...DEFAULT_SETTINGS.advertise, ...advertise } },
    link: { status: 'open', cwd: '/w' },
    engine: {
      connections: {
        start: (launch: Launch) => {
          started.push(launch);
          return Promise.resolve({ ok: false, problem: { code: 'refused', message: 'no' } });
        },
      },
    },
  };
  return { connect: new Connect(app as unknown as App), app: app as unknown as App, started };
}

test('variables typed before the command are environment, and leave the command line', async () => {
  const { connect, started } = form();
  connect.env = 'MODE=test';
  connect.command = `API_KEY=hunter2 A='x y' node ./kettle.js B=1`;
  await connect.startCommand();
  expect(started).toEqual([
    {
      name: 'kettle',
      ...{ argv: ['node', './kettle.js', 'B=1'], cwd: '/w', roots: [] },
      env: { MODE: 'test', API_KEY: 'hunter2', A: 'x y' },
    },
  ]);
  expect(connect.command).toBe('node ./kettle.js B=1');
  expect(connect.env).toBe('MODE=test\nAPI_KEY=hunter2\nA=x y');
});

test('what is changed shows the environment it is started with, and stays folded without', async () => {
  const known = (env: Launch['env']) => ({
    launch: { name: 'kettle', argv: ['node', './kettle.js'], cwd: '/w', roots: [], env },
    settings: DEFAULT_SETTINGS,
    usedAt: 0,
  });
  const { connect } = form();
  await connect.edit(known({}));
  expect(connect.showsOptions).toBe(false);
  await connect.edit(known({ MODE: 'test' }));
  expect([connect.env, connect.showsOptions]).toEqual(['MODE=test', true]);
});

test('a URL is reached with its headers, and the environment says nothing to it', async () => {
  const { connect, started } = form();
  connect.env = 'MODE=test';
  connect.headers = 'Authorization: Bearer hunter2';
  connect.command = 'wss://agents.example/acp?x=1';
  await connect.startCommand();
  expect(started).toEqual([
    {
      name: 'agents.example',
      ...{ argv: ['wss://agents.example/acp?x=1'], cwd: '/w', roots: [], env: {} },
      headers: { Authorization: 'Bearer hunter2' },
    },
  ]);
  connect.command = 'API_KEY=hunter2 wss://agents.example/acp';
  await connect.startCommand();
  expect(connect.problem?.message).toBe('A URL has no environment. Leave out API_KEY.');
  connect.headers = 'Bearer hunter2';
  await connect.startCommand();
  expect(connect.problem?.message).toContain('Line 1 of the headers is not Name: value.');
  expect(started).toHaveLength(1);
});

test('what is half typed is there again when one comes back to it', () => {
  const { app } = form();
  connectOf(app).command = 'wss://agents.example/';
  expect(connectOf(app).command).toBe('wss://agents.example/');
});

test('the form is written in as long as it has the focus, or something that is not started yet', () => {
  const { connect } = form();
  connect.cwd = '/w';
  expect(connect.isWritten).toBe(false);
  connect.hasFocus = true;
  expect(connect.isWritten).toBe(true);
  connect.hasFocus = false;
  for (const field of ['command', 'env', 'headers', 'roots', 'cwd'] as const) {
    const before = connect[field];
    connect[field] = 'x';
    expect([field, connect.isWritten]).toEqual([field, true]);
    connect[field] = before;
  }
  expect(connect.isWritten).toBe(false);
});

test('a header that was not kept is asked for by its name', async () => {
  const { connect, started } = form();
  const argv = ['wss://agents.example/acp'];
  const launch = { name: 'a', argv, cwd: '/w', env: {}, roots: [], headers: { 'User-Agent': 'x' } };
  await connect.startRecent({
    launch: { ...launch, withheld: ['Authorization'] },
    settings: DEFAULT_SETTINGS,
  });
  expect(started).toEqual([]);
  expect(connect.problem?.message).toContain('Type it under Headers');
  expect(connect.headers).toBe('User-Agent: x\nAuthorization: ');

  Object.assign(connect, { problem: undefined });
  await connect.startCommand();
  expect(started).toEqual([]);
  expect(connect.problem?.message).toContain('The value of Authorization is not known here.');
});

test('a line of variables alone starts nothing', async () => {
  const { connect, started } = form();
  connect.command = 'API_KEY=hunter2';
  await connect.startCommand();
  expect(started).toEqual([]);
  expect(connect.problem?.message).toBe('Type the command that starts the agent, or its URL.');
});

test('terminals are asked for by their own switch, and give no folders', async () => {
  const { connect, started } = form({ terminals: true });
  connect.command = 'agent';
  await connect.startCommand();
  const files = form({ readFiles: true });
  files.connect.command = 'agent';
  await files.connect.startCommand();
  expect(started[0]).toMatchObject({ roots: [], terminals: true });
  expect(files.started[0]).toMatchObject({ roots: ['/w'] });
  expect(files.started[0]).not.toHaveProperty('terminals');
});

test('a recent command whose secret was not kept is put into the form, to have it typed again', async () => {
  const { connect, started } = form();
  const launch = { name: 'a', argv: ['a'], cwd: '/w', env: { MODE: 'x' }, roots: [] };
  await connect.startRecent({
    launch: { ...launch, withheld: ['API_KEY'] },
    settings: DEFAULT_SETTINGS,
  });
  expect(started).toEqual([]);
  expect(connect.problem?.message).toContain('The value of API_KEY is not known here.');
  expect([connect.command, connect.env, connect.showsOptions]).toEqual([
    'a',
    'MODE=x\nAPI_KEY=',
    true,
  ]);

  // Started as it is, it is not started without it.
  Object.assign(connect, { problem: undefined });
  await connect.startCommand();
  expect(started).toEqual([]);
  expect(connect.problem?.message).toContain('The value of API_KEY is not known here.');
});

test('covered values tell nothing, not even how long they are', () => {
  expect(coverLines('API_KEY=hunter2\nURL=a=b\nEMPTY=\nno', '=')).toBe(
    'API_KEY=••••••••\nURL=••••••••\nEMPTY=\nno',
  );
});
