// `acp-scope tap -- CMD`: put in an editor's settings in place of the agent. On stdout stands
// nothing but the agent's own bytes; what we have to say goes to stderr.
import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { version } from '../../package.json';
import { programName } from '../lib/program-name.ts';
import { Faults } from '../relay/faults.ts';
import { Intercepts } from '../relay/intercepts.ts';
import { DISK, type Disk } from '../relay/spool/disk.ts';
import { Recorder } from '../relay/spool/recorder.ts';
import { prepareState, spoolFolder, stateFolder } from '../relay/state-folder.ts';
import { followSteering } from '../relay/steering.ts';
import { runTap } from '../relay/tap.ts';
import { connectionId } from '../trace/event.ts';
import { agentOf, command, UsageError } from './command.ts';
import { loadIntercept } from './parts/load-intercept.ts';
import { endLike } from './parts/stand-in.ts';
import { isPlainTrace } from './parts/trace-files.ts';

const FRONT = 'acp-scope tap: ';

export const tap = command({
  usage: 'acp-scope tap [--name N] [--out FILE] [--intercept FILE] -- CMD ARGS…',
  summary: 'Stand in an editor’s settings in the place of the agent, and record what passes.',
  details: [
    '--name N     how the page calls this connection; default: the name of CMD',
    '--out FILE   write the trace here; default: where a running acp-scope shows it live,',
    '             and the next one finds it',
    '--intercept FILE',
    '             rules (docs/intercept.md) by which frames are held, changed or lost on their way',
  ],
  takes: ['agent'],
  options: { name: { type: 'string' }, out: { type: 'string' }, intercept: { type: 'string' } },
  async run({ values: { name, out, intercept: rules }, agent }) {
    const argv = agentOf('tap', agent);
    if (out !== undefined && !isPlainTrace(out))
      throw new UsageError(
        `tap writes as it goes, which ${out} cannot hold. Name it *.acptrace.jsonl, and convert it afterwards.`,
      );
    // What reads rules is not even loaded without them.
    const intercept =
      rules === undefined
        ? undefined
        : (await import('./parts/intercept-file.ts')).interceptBy(rules);
    const id = connectionId(randomUUID());
    const state = stateFolder();
    const path =
      out === undefined ? join(spoolFolder(state), `${id}.acptrace.jsonl`) : resolve(out);
    const prepared = out === undefined ? prepareState(state) : undefined;
    // The editor waits for its agent: what hinders the recording does not hinder that.
    if (prepared?.ok === false)
      console.error(`${FRONT}${prepared.message} Not recorded meanwhile.`);
    const cwd = process.cwd();
    // A fault of ours must not stop what passes.
    new Faults({ say: (line) => console.error(FRONT + line) }).catchAll();
    let recorder: Recorder | undefined;
    const intercepts = new Intercepts(loadIntercept);
    let unfollow: (() => void) | undefined;
    const end = await runTap({
      program: { argv, cwd, env: {} },
      record: () =>
        (recorder = new Recorder({
          path,
          connection: id,
          tool: `acp-scope ${version}`,
          ...{ name: name ?? programName(argv), mode: 'tap', argv, cwd },
          ...(out === undefined ? { disk: diskIn(state) } : { overwrite: true }),
        })),
      input: process.stdin,
      output: process.stdout,
      errors: process.stderr,
      begun(tapped) {
        if (intercept) intercepts.begin(tapped, intercept);
        const refused = (problem: string) => void recorder?.intercept({ did: 'off', problem });
        // A page sees those that are recorded for it.
        if (out === undefined) unfollow = followSteering({ path, tapped, intercepts, refused });
      },
    });
    unfollow?.();
    // Never on stdout, which is the agent's.
    if (recorder?.shortfall !== undefined) console.error(FRONT + recorder.shortfall);
    return endLike(end, FRONT);
  },
});

/** Opens nothing in our folder while that is missing, or others may enter it. */
function diskIn(state: string): Disk {
  return {
    ...DISK,
    open(path, replace) {
      if (prepareState(state).ok) return DISK.open(path, replace);
      return Promise.reject(Object.assign(new Error(`${state} is refused`), { code: 'EACCES' }));
    },
  };
}
