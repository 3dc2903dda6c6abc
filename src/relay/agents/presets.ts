// Well known agents, and which of them are on this machine. Looked up in PATH; none is run.
import type { Misbehaviour, AgentPreset } from '../../link/messages.ts';
import { findProgram } from './find-program.ts';

interface Known {
  readonly id: string;
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
}

/** How each speaks ACP on its stdio, by its own documentation. */
export const KNOWN_AGENTS: readonly Known[] = [
  { id: 'opencode', name: 'OpenCode', argv: ['opencode', 'acp'] },
  { id: 'claude', name: 'Claude Agent', argv: ['claude-agent-acp'] },
  { id: 'claude-code', name: 'Claude Code', argv: ['claude-code-acp'] },
  { id: 'codex', name: 'Codex', argv: ['codex-acp'] },
  { id: 'gemini', name: 'Gemini CLI', argv: ['gemini', '--acp'] },
  { id: 'copilot', name: 'GitHub Copilot', argv: ['copilot', '--acp'] },
  { id: 'qwen', name: 'Qwen Code', argv: ['qwen', '--acp'] },
  { id: 'goose', name: 'goose', argv: ['goose', 'acp'] },
  { id: 'cline', name: 'Cline', argv: ['cline', '--acp'] },
  { id: 'auggie', name: 'Auggie', argv: ['auggie', '--acp'] },
  { id: 'cursor', name: 'Cursor', argv: ['cursor-agent', 'acp'] },
  { id: 'kimi', name: 'Kimi', argv: ['kimi', 'acp'] },
  { id: 'kiro', name: 'Kiro', argv: ['kiro-cli', 'acp'] },
  { id: 'vibe', name: 'Mistral Vibe', argv: ['vibe-acp'] },
  { id: 'droid', name: 'Factory Droid', argv: ['droid', 'exec', '--output-format', 'acp'] },
  { id: 'qoder', name: 'Qoder', argv: ['qodercli', '--acp'] },
  { id: 'pi', name: 'pi', argv: ['pi-acp'] },
];

/** Who asks while somebody looks already gets what that finds: a page that asks and asks costs one look. */
let looking: Promise<readonly AgentPreset[]> | undefined;

/** The bundled agent first, then those found, then the rest. */
export async function findPresets(
  bundled: readonly string[],
  misbehaviours: readonly Misbehaviour[],
): Promise<readonly AgentPreset[]> {
  looking ??= Promise.all(KNOWN_AGENTS.map(look)).finally(() => (looking = undefined));
  const known = await looking;
  const own: AgentPreset = {
    id: 'bundled',
    name: 'Bundled agent',
    argv: bundled,
    bundled: true,
    misbehaviours,
    ...(bundled[0] !== undefined && { found: bundled[0] }),
  };
  return [
    own,
    ...known.filter(({ found }) => found !== undefined),
    ...known.filter(({ found }) => found === undefined),
  ];
}

async function look({ id, name, argv }: Known): Promise<AgentPreset> {
  const found = await findProgram(argv[0], process.cwd(), process.env);
  return { id, name, argv, ...(found.ok && { found: found.path }) };
}
