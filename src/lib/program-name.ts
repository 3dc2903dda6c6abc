// What to call an agent by its command line or URL, before it has said its own name.

/** Whether the words of a command line are a URL instead of a program. */
export function isUrl(argv: readonly string[]): boolean {
  return argv.length === 1 && /^(?:wss?|https?):\/\//i.test(argv[0] ?? '');
}

const RUNNERS =
  /^(node|nodejs|npx|npm|pnpm|yarn|bunx?|deno|tsx|python3?|uvx?|pipx|ruby|java|sh|bash|env)(\.exe|\.cmd)?$/i;
const VERBS = new Set(['run', 'exec', 'dlx', 'x', 'tool']);
/** File names and folders that every program has. */
const COMMON =
  /^(index|main|cli|bin|agent|server|app|dist|build|out|lib|src|target|release|debug)$/i;

/** `node ./claude-agent-acp/dist/index.js --acp` is `claude-agent-acp`; `npx -y some-agent` is `some-agent`; of a URL its host. */
export function programName(argv: readonly string[]): string {
  const [first = ''] = argv;
  const host = /^(?:wss?|https?):\/\/([^/?#]+)/i.exec(first)?.[1];
  if (host !== undefined) return host;
  const words = RUNNERS.test(fileOf(first))
    ? argv.slice(1).filter((word) => !word.startsWith('-') && !VERBS.has(word))
    : [first];
  const parts = (words[0] ?? first).split(/[\\/]/).filter((part) => part !== '' && part !== '.');
  const names = parts.map((part, i) =>
    i === parts.length - 1 ? part.replace(/\.(m?js|cjs|ts|py|exe|cmd|jar|rb)$/i, '') : part,
  );
  return names.findLast((name) => !COMMON.test(name)) ?? fileOf(first);
}

function fileOf(path: string): string {
  return path.replace(/^.*[\\/]/, '');
}
