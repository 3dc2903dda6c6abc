// `acp-scope replay`: a recording in the place of the agent, or of the client, of a live peer.
import { noteUse } from '../relay/lent-traces.ts';
import { stateFolder } from '../relay/state-folder.ts';
import { EXIT, type Command } from './command.ts';
import { replayOptions } from './replay/replay-options.ts';
import { FileError, keepApart, readTrace } from './parts/trace-files.ts';

export const replay: Command = {
  usage: 'acp-scope replay FILE --as agent | --as client [options] -- CMD ARGS…',
  summary: 'Play a recorded agent to a live client, or a recorded client to a live agent.',
  details: [
    '--as agent       an agent on stdio, made from the recording',
    '  --loose        a request that fits nothing takes the next recorded one of its method',
    '  --strict       every value as recorded, each request once, and all of them',
    '  --report FILE  what was not as recorded, as JSON; as text it goes to stderr',
    '--as client      the recorded client, sent to CMD; ends in a report of the divergence',
    '  --cwd DIR      the folder in place of the recorded one; default: where you are',
    '  --session A=B  the recorded session A is B now; for recordings that restore one',
    '  --format F     text, json or junit, on stdout',
    '  --ignore RULE  leave out of the divergence, as in acp-scope diff',
    '  --strict       compare usage and _meta too, as in acp-scope diff',
    '  --raw KINDS    names compared as they stand, as in acp-scope diff',
    '  --out FILE     the trace of the rerun',
    '  --patience S   seconds an answer or a turn may take; default: 120',
    '  --quiet MS     silence after which nothing more is waited for; default: 400',
    '--speed S        max (default), real, or how many times as fast: 4',
    'Exit 1 if something was not as recorded. docs/replay.md says how frames are matched.',
  ],
  async run(args) {
    const options = replayOptions(args);
    if (options.role === 'agent') await keepApart('--report', options.report, [options.file]);
    else await keepApart('--out', options.out, [options.file]);
    try {
      // One that a page lent the relay is kept for as long as it is used.
      noteUse(options.file, stateFolder());
      const { events } = await readTrace(options.file);
      if (options.role === 'agent')
        return await (await import('./replay/replay-agent.ts')).replayAsAgent(events, options);
      return await (await import('./replay/replay-client.ts')).replayAsClient(events, options);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      console.error(error.message);
      return EXIT.environment;
    }
  },
};
