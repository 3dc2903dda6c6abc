import { expect, test } from 'vitest';
import { tapSnippets } from './tap-snippets.ts';

const snippets = tapSnippets(['/usr/bin/node', '/opt/acp-scope.js'], 'zed "claude"', [
  'npx',
  'agent x',
]);

test('the tap stands in front of the agent’s own command, in the JSON of Zed and JetBrains', () => {
  const args = ['/opt/acp-scope.js', 'tap', '--name', 'zed "claude"', '--', 'npx', 'agent x'];
  for (const { editor, text } of snippets.slice(0, 2))
    expect(JSON.parse(text), editor).toMatchObject({
      agent_servers: { 'zed "claude"': { command: '/usr/bin/node', args } },
    });
});

test('VS Code lines name the setting of the extension ACP Client', () => {
  const text = snippets.find(({ editor }) => editor === 'VS Code')?.text ?? '';
  expect(JSON.parse(text)).toEqual({
    'acp.agents': {
      'zed "claude"': {
        command: '/usr/bin/node',
        args: ['/opt/acp-scope.js', 'tap', '--name', 'zed "claude"', '--', 'npx', 'agent x'],
        env: {},
      },
    },
  });
});

test('elsewhere words with blanks and quotes stay one word', () => {
  expect(snippets.find(({ editor }) => editor === 'Any other')?.text).toBe(
    String.raw`/usr/bin/node /opt/acp-scope.js tap --name "zed \"claude\"" -- npx "agent x"`,
  );
  expect(snippets.find(({ editor }) => editor === 'Neovim')?.text).toContain(
    String.raw`"zed \"claude\"", "--", "npx", "agent x"`,
  );
});
