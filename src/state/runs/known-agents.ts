// Agents that a run may be tried on: the one a trace was recorded from, those started before, and those
// that are installed here.
import { commandKey } from '../../lib/split-command.ts';
import type { KnownCommand } from '../../engine/messages.ts';
import type { Launch, AgentPreset } from '../../link/messages.ts';

export interface KnownAgent {
  readonly key: string;
  readonly from: 'recorded' | 'recent' | 'installed';
  readonly launch: Launch;
}

export interface AgentSources {
  /** How the agent of a trace was started. */
  readonly started: { readonly argv: readonly string[]; readonly cwd: string } | undefined;
  readonly recents: readonly KnownCommand[];
  readonly presets: readonly AgentPreset[];
  /** Where a program is started if nobody says otherwise. */
  readonly home: string;
}

/** Each command line once, the one recorded from first. */
export function knownAgents({
  started,
  recents,
  presets,
  home,
}: AgentSources): readonly KnownAgent[] {
  const all: KnownAgent[] = [];
  const add = (from: KnownAgent['from'], launch: Launch) => {
    const key = commandKey(launch);
    if (!all.some((one) => one.key === key)) all.push({ key, from, launch });
  };
  if (started) {
    // Its environment is in no record, but it may have been started from here.
    const same = recents.find(
      ({ launch }) => launch.cwd === started.cwd && sameWords(launch.argv, started.argv),
    );
    add('recorded', same?.launch ?? bareLaunch(started.argv[0] ?? '', started.argv, started.cwd));
  }
  for (const { launch } of recents) add('recent', launch);
  for (const { name, argv } of presets) add('installed', bareLaunch(name, argv, home));
  return all;
}

export function bareLaunch(name: string, argv: readonly string[], cwd: string): Launch {
  return { name, argv, cwd, env: {}, roots: [] };
}

export function sameWords(one: readonly string[], two: readonly string[]): boolean {
  return one.length === two.length && one.every((word, at) => word === two[at]);
}
