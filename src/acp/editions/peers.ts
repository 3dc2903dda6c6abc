// Releases of agents and clients that are older than the newest edition here, by the name and version that
// they announce in `initialize`. An unknown name in their messages is their fault and no newer protocol.

/** The newest release known to be that old, by announced name. */
const OLD_RELEASES: Readonly<Record<string, string>> = {
  '@agentclientprotocol/claude-agent-acp': '0.101.0',
  '@agentclientprotocol/codex-acp': '2.6.0',
  '@zed-industries/claude-code-acp': '0.16.2',
  'acp-scope': '0.1.0',
  'acp-scope-agent': '0.1.0',
  auggie: '0.36.0',
  'codex-acp': '0.16.0',
  Copilot: '1.0.102',
  'gemini-cli': '0.61.0',
  OpenCode: '1.18.33',
  'pi-acp': '0.0.34',
};

/** True if this release is known to be older than the newest edition. */
export function isOldRelease(name: string | undefined, version: string | undefined): boolean {
  if (name === undefined || version === undefined || !Object.hasOwn(OLD_RELEASES, name))
    return false;
  const is = numbers(version);
  return is !== undefined && !isAbove(is, numbers(OLD_RELEASES[name] ?? '') ?? []);
}

/** Returns `[0, 36, 0]` for "0.36.0 (commit 7c61e5bb)". */
function numbers(version: string): readonly number[] | undefined {
  const [found] = /^v?\d+(?:\.\d+)*/.exec(version) ?? [];
  return found?.replace('v', '').split('.').map(Number);
}

function isAbove(a: readonly number[], b: readonly number[]): boolean {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}
