// `acp-scope adapt -- CMD`: put in an editor's settings in place of an agent that can resume its
// sessions and not replay them. On stdout stands ACP alone; what we have to say goes to stderr.
import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { version } from '../../package.json';
import { Adapter } from '../drive/adapt/adapter.ts';
import { programName } from '../lib/program-name.ts';
import { prepareFolder, prepareState, stateFolder, type Prepared } from '../relay/state-folder.ts';
import { runAdapter } from './adapt/adapt-run.ts';
import { AdaptStore } from './adapt/adapt-store.ts';
import { EXIT, parse, splitCommand, UsageError, type Command } from './command.ts';

export const adapt: Command = {
  usage: 'acp-scope adapt --load-over-resume [--store DIR] [--name N] -- CMD ARGS…',
  summary: 'Give history replay to an agent that can resume its sessions, but not load them.',
  details: [
    '--load-over-resume  record what the agent says, and answer session/load (ACP v2: replayFrom',
    '                    start, where the agent has nothing to tell) by a resume and that record',
    '--store DIR         where the histories are kept; default: beside the traces of acp-scope',
    '--name N            whose sessions these are; default: the name of CMD',
    'All else passes through as it is; an agent that can load by itself is left alone.',
  ],
  async run(args) {
    const { own, command } = splitCommand(args);
    const { values } = parse({
      args: [...own],
      options: {
        'load-over-resume': { type: 'boolean', default: false },
        store: { type: 'string' },
        name: { type: 'string' },
      },
    });
    if (!command?.length) throw new UsageError('adapt needs the agent’s command after --.');
    if (!values['load-over-resume'])
      throw new UsageError('adapt needs to know what to do: give --load-over-resume.');
    const { folder, prepared } = storeFolder(values.store);
    if (!prepared.ok) {
      console.error(`acp-scope adapt: ${prepared.message}`);
      return EXIT.environment;
    }
    const store = new AdaptStore({
      folder,
      agent: values.name ?? programName(command),
      tool: `acp-scope ${version}`,
      say: (text) => console.error(`acp-scope adapt: ${text}`),
    });
    const end = await runAdapter({
      program: { argv: command, cwd: process.cwd(), env: {} },
      store,
      adapter: new Adapter({
        history: store,
        idBase: `acp-scope-adapt-${randomUUID()}`,
        uuid: randomUUID,
      }),
      input: process.stdin,
      output: process.stdout,
      errors: process.stderr,
    });
    switch (end.kind) {
      case 'problem':
        console.error(`acp-scope adapt: ${end.problem.message}`);
        return EXIT.environment;
      case 'code':
        // The editor's pipe may still be open; the agent has ended, so we have too.
        return process.exit(end.code);
      case 'signal':
        process.kill(process.pid, end.signal);
        return EXIT.failed;
    }
  },
};

function storeFolder(given: string | undefined): {
  readonly folder: string;
  readonly prepared: Prepared;
} {
  if (given !== undefined) {
    const folder = resolve(given);
    return { folder, prepared: prepareFolder(folder) };
  }
  const state = stateFolder();
  const folder = join(state, 'adapt');
  const prepared = prepareState(state);
  return { folder, prepared: prepared.ok ? prepareFolder(folder) : prepared };
}
