// What fails on the recordings of real agents, each read in its frames and held for right, in
// fixtures/reviewed.json. A new finding is read first; then either its rule is mended, or the finding is
// added there with the reason why it is right.
import { readFileSync } from 'node:fs';
import type { Severity } from '../../rules/finding.ts';
import type { Side } from '../../trace/event.ts';

export interface Reviewed {
  readonly rule: string;
  readonly severity: Severity;
  readonly side: Side;
  readonly seqs: readonly number[];
  /** What the agent or the client does there. */
  readonly why: string;
}

/** By recording; `SET: RECORDING` where a set knows more than the recording alone. */
export const REVIEWED = JSON.parse(
  readFileSync(new URL('../fixtures/reviewed.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, readonly Reviewed[]>>;

const CLAUDE = 'claude-agent-acp/0.100.0';
const CODEX = 'codex-acp/0.16.0';
const CODEX_CHILD = 'codex-acp/2.6.0';
const OPENCODE = 'opencode/1.18.33';

function of(folder: string, ...names: readonly string[]): readonly string[] {
  return names.map((name) => `${folder}/${name}`);
}

/** Recordings of one agent and its sessions, in the order they were made. */
export const SETS: Readonly<Record<string, readonly string[]>> = {
  'claude-agent-acp v1': of(CLAUDE, 'live-v1.ndjson', 'load-v1.ndjson', 'resume-v1.ndjson'),
  'claude-agent-acp v2': of(CLAUDE, 'live-v2.ndjson', 'replay-v2.ndjson'),
  'claude-agent-acp v2, through the page': of(
    CLAUDE,
    'turn-v2.acptrace.jsonl',
    'resume-start-v2.acptrace.jsonl',
  ),
  'claude-code-acp': of(
    'claude-code-acp/0.16.2',
    'live-v1.ndjson',
    'load-v1.ndjson',
    'resume-v1.ndjson',
  ),
  'claude-agent-acp v1, with a child': of(CLAUDE, 'child-live-v1.ndjson', 'child-load-v1.ndjson'),
  'claude-agent-acp v2, with a child': of(CLAUDE, 'child-live-v2.ndjson', 'child-replay-v2.ndjson'),
  'codex-acp v1, with a child': of(CODEX_CHILD, 'child-live-v1.ndjson', 'child-load-v1.ndjson'),
  'codex-acp v2, with a child': of(CODEX_CHILD, 'child-live-v2.ndjson', 'child-replay-v2.ndjson'),
  'codex-acp': of(CODEX, 'live-v1.ndjson', 'load-v1.ndjson', 'resume-v1.ndjson'),
  'codex-acp, through the page': of(CODEX, 'turn-v1.acptrace.jsonl', 'load-v1.acptrace.jsonl'),
  'codex-acp, a call that was refused': of(CODEX, 'refused-v1.ndjson', 'refused-load-v1.ndjson'),
  'claude-agent-acp, a call that was denied': of(
    'claude-agent-acp/0.101.0',
    'denied-v1.acptrace.jsonl',
    'denied-load-v1.acptrace.jsonl',
  ),
  copilot: of('copilot/1.0.102', 'live-v1.ndjson', 'load-v1.ndjson'),
  'gemini-cli': of('gemini-cli/0.61.0', 'live-v1.ndjson', 'load-v1.ndjson'),
  'gemini-cli, a call that was denied': of(
    'gemini-cli/0.61.0',
    'denied-v1.acptrace.jsonl',
    'denied-load-v1.ndjson',
  ),
  opencode: of(OPENCODE, 'live-v1.ndjson', 'load-v1.ndjson', 'load2-v1.ndjson', 'resume-v1.ndjson'),
  'opencode, through the page': of(OPENCODE, 'turn-v1.acptrace.jsonl', 'load-v1.acptrace.jsonl'),
  'opencode, a call that was denied': of(
    OPENCODE,
    'denied-v1.acptrace.jsonl',
    'denied-load-v1.acptrace.jsonl',
  ),
  'pi-acp': of('pi-acp/0.0.34', 'live-v1.ndjson', 'load-v1.ndjson'),
};
