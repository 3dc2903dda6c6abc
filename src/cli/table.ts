// Every command by its name. Each is loaded when it is run.
import type { Command } from './command.ts';
import type { CommandName } from './words.ts';

export const COMMAND_TABLE: Readonly<Record<CommandName, () => Promise<Command>>> = {
  open: async () => (await import('./open.ts')).open,
  ls: async () => (await import('./ls.ts')).ls,
  query: async () => (await import('./query.ts')).query,
  show: async () => (await import('./show.ts')).show,
  tap: async () => (await import('./tap.ts')).tap,
  record: async () => (await import('./record.ts')).record,
  probe: async () => (await import('./probe.ts')).probe,
  adapt: async () => (await import('./adapt.ts')).adapt,
  convert: async () => (await import('./convert.ts')).convert,
  export: async () => (await import('./export.ts')).exporting,
  check: async () => (await import('./check.ts')).check,
  edition: async () => (await import('./edition.ts')).edition,
  fidelity: async () => (await import('./fidelity.ts')).fidelity,
  diff: async () => (await import('./diff.ts')).diff,
  lab: async () => (await import('./lab.ts')).lab,
  replay: async () => (await import('./replay.ts')).replay,
  minimise: async () => (await import('./minimise.ts')).minimise,
  stats: async () => (await import('./stats.ts')).stats,
  agent: async () => (await import('./agent.ts')).agent,
};

/** Not for people: what other commands start. */
export const HIDDEN: Readonly<Record<string, () => Promise<Command>>> = {
  'canary-mcp': async () => (await import('./canary-mcp.ts')).canaryMcp,
};
