// `acp-scope adapt -- CMD`: put in an editor's settings in place of an agent that can resume its
// sessions and not replay them. On stdout stands ACP alone; what we have to say goes to stderr.
import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { version } from '../../package.json';
import { Adapter } from '../drive/adapt/adapter.ts';
import { programName } from '../lib/program-name.ts';
import { prepareFolder } from '../relay/state-folder.ts';
import { runAdapter } from './adapt/adapt-flow.ts';
import { AdaptStore } from './adapt/adapt-store.ts';
import { agentOf, command, FileError, UsageError } from './command.ts';
import { WORDS } from './words.ts';
import { endLike, ownState } from './parts/stand-in.ts';

const FRONT = 'acp-scope adapt: ';

export const adapt = command({
  ...WORDS.adapt,
  details: [
    '--load-over-resume  record what the agent says, and answer session/load (ACP v2: replayFrom',
    '                    start, where the agent has nothing to tell) by a resume and that record',
    '--store DIR         where the histories are kept; default: beside the traces of acp-scope',
    '--name N            whose sessions these are; default: the name of CMD',
    'All else passes through as it is; an agent that can load by itself is left alone.',
  ],
  takes: ['agent'],
  options: {
    'load-over-resume': { type: 'boolean', default: false },
    store: { type: 'string' },
    name: { type: 'string' },
  },
  async run({ values, agent }) {
    const argv = agentOf('adapt', agent);
    if (!values['load-over-resume'])
      throw new UsageError('adapt needs to know what to do: give --load-over-resume.');
    const folder =
      values.store === undefined ? join(ownState(FRONT), 'adapt') : resolve(values.store);
    const prepared = prepareFolder(folder);
    if (!prepared.ok) throw new FileError(FRONT + prepared.message);
    const store = new AdaptStore({
      folder,
      agent: values.name ?? programName(argv),
      tool: `acp-scope ${version}`,
      say: (text) => console.error(FRONT + text),
    });
    const end = await runAdapter({
      program: { argv, cwd: process.cwd(), env: {} },
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
    return endLike(end, FRONT);
  },
});
