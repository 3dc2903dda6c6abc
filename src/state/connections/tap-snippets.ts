// The exact lines to put into an editor's settings so that it starts the tap in place of the agent.

export interface Snippet {
  readonly editor: string;
  /** Where the lines go. */
  readonly file: string;
  readonly text: string;
}

/** `scope`: how acp-scope is run here, as argv; `agent`: the agent's own argv. */
export function tapSnippets(
  scope: readonly string[],
  name: string,
  agent: readonly string[],
): readonly Snippet[] {
  const [command = 'acp-scope', ...front] = scope;
  const args = [...front, 'tap', '--name', name, '--', ...agent];
  // On one line, as a person writes it: one word a line hides how short it is.
  const line = `[${args.map((text) => JSON.stringify(text)).join(', ')}]`;
  const json = (value: unknown) =>
    JSON.stringify(value, undefined, 2).replace('"args": []', () => `"args": ${line}`);
  return [
    {
      editor: 'Zed',
      file: 'settings.json',
      text: json({ agent_servers: { [name]: { type: 'custom', command, args: [], env: {} } } }),
    },
    {
      editor: 'JetBrains',
      file: '~/.jetbrains/acp.json',
      text: json({ agent_servers: { [name]: { command, args: [], env: {} } } }),
    },
    {
      editor: 'Neovim',
      file: 'codecompanion.nvim adapter',
      text: [
        'adapters = { acp = {',
        `  [${lua(name)}] = function()`,
        '    return require("codecompanion.adapters").extend("claude_code", {',
        `      name = ${lua(name)},`,
        `      commands = { default = { ${[command, ...args].map(lua).join(', ')} } },`,
        '    })',
        '  end,',
        '} },',
      ].join('\n'),
    },
    {
      editor: 'VS Code',
      file: 'settings.json, for the extension ACP Client',
      text: json({ 'acp.agents': { [name]: { command, args: [], env: {} } } }),
    },
    {
      editor: 'Any other',
      file: 'the agent’s command',
      text: [command, ...args].map(word).join(' '),
    },
  ];
}

/** Of an agent with a URL: what stands in its place, and what the editor is told then. */
export function urlTapSnippets(
  scope: readonly string[],
  name: string,
  url: string,
): readonly Snippet[] {
  const words = [...scope, 'tap', '--listen', '9100', '--name', name, '--', url];
  const text = words.map(word).join(' ');
  return [{ editor: 'Terminal', file: 'run it, and give the editor the URL that it says', text }];
}

function lua(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}

function word(text: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(text) ? text : JSON.stringify(text);
}
