import { expect, test } from 'vitest';
import type { KnownCommand } from '../../engine/messages.ts';
import { DEFAULT_SETTINGS } from '../../drive/settings.ts';
import { bareLaunch, knownAgents } from './known-agents.ts';

const recent = (argv: string[], env = {}): KnownCommand => ({
  launch: { ...bareLaunch('mine', argv, '/w'), env },
  settings: DEFAULT_SETTINGS,
});
const preset = (name: string, argv: string[]) => ({ id: name, name, argv });

test('the agent of the recording comes first, with the environment it was started in from here', () => {
  const [first] = knownAgents({
    started: { argv: ['b', 'acp'], cwd: '/w' },
    recents: [recent(['a']), recent(['b', 'acp'], { KEY: '1' })],
    presets: [],
    home: '/h',
  });
  expect(first).toMatchObject({
    from: 'recorded',
    launch: { argv: ['b', 'acp'], env: { KEY: '1' } },
  });
});

test('a command line stands in the list once; another folder is another one', () => {
  const all = knownAgents({
    started: { argv: ['a'], cwd: '/w' },
    recents: [recent(['a']), recent(['c'])],
    presets: [preset('A', ['a'])],
    home: '/h',
  });
  expect(all.map(({ from, launch }) => [from, launch.argv[0], launch.cwd])).toEqual([
    ['recorded', 'a', '/w'],
    ['recent', 'c', '/w'],
    ['installed', 'a', '/h'],
  ]);
});
