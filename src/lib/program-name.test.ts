import { expect, test } from 'vitest';
import { programName } from './program-name.ts';

test.each([
  [['opencode', 'acp'], 'opencode'],
  [['/usr/local/bin/codex-acp'], 'codex-acp'],
  [['node', './dist/my-agent.js', '--acp'], 'my-agent'],
  [['/usr/bin/node', '/x/claude-agent-acp/dist/index.js'], 'claude-agent-acp'],
  [['npx', '-y', '@scope/some-agent'], 'some-agent'],
  [['uv', 'run', 'agent.py'], 'uv'],
  [['C:\\tools\\agent-x.exe'], 'agent-x'],
  [['node'], 'node'],
  [[], ''],
])('%j is called %s', (argv, name) => {
  expect(programName(argv)).toBe(name);
});
