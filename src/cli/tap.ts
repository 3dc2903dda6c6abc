// `acp-scope tap -- CMD`: put in an editor's settings in place of the agent. On stdout stands
// nothing but the agent's own bytes; what we have to say goes to stderr.
import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { version } from '../../package.json';
import { programName } from '../lib/program-name.ts';
import { Faults } from '../relay/faults.ts';
import { Recorder } from '../relay/spool/recorder.ts';
import { prepareState, spoolFolder, stateFolder } from '../relay/state-folder.ts';
import { runTap } from '../relay/tap.ts';
import { connectionId } from '../trace/event.ts';
import { EXIT, parse, splitCommand, UsageError, type Command } from './command.ts';
import { isPlainTrace } from './parts/trace-files.ts';

export const tap: Command = {
  usage: 'acp-scope tap [--name N] [--out FILE] -- CMD ARGS…',
  summary: 'Stand in an editor’s settings in the place of the agent, and record what passes.',
  details: [
    '--name N     how the page calls this connection; default: the name of CMD',
    '--out FILE   write the trace here; default: where a running acp-scope shows it live,',
    '             and the next one finds it',
  ],
  async run(args) {
    const { own, command } = splitCommand(args);
    const { values } = parse({
      args: [...own],
      options: { name: { type: 'string' }, out: { type: 'string' } },
    });
    if (!command?.length) throw new UsageError('tap needs the agent’s command after --.');
    if (values.out !== undefined && !isPlainTrace(values.out))
      throw new UsageError(
        `tap writes as it goes, which ${values.out} cannot hold. Name it *.acptrace.jsonl, and convert it afterwards.`,
      );
    const id = connectionId(randomUUID());
    const path = values.out === undefined ? spoolPath(id) : resolve(values.out);
    if (typeof path !== 'string') {
      console.error(path.problem);
      return EXIT.environment;
    }
    const cwd = process.cwd();
    // A fault of ours must not stop what passes.
    new Faults({ say: (line) => console.error(`acp-scope tap: ${line}`) }).catchAll();
    let recorder: Recorder | undefined;
    const end = await runTap({
      program: { argv: command, cwd, env: {} },
      record: () =>
        (recorder = new Recorder({
          path,
          connection: id,
          tool: `acp-scope ${version}`,
          name: values.name ?? programName(command),
          mode: 'tap',
          argv: command,
          cwd,
          ...(values.out === undefined
            ? { makeFolder: () => prepareState(stateFolder()).ok }
            : { overwrite: true }),
        })),
      input: process.stdin,
      output: process.stdout,
      errors: process.stderr,
    });
    // Never on stdout, which is the agent's.
    if (recorder?.shortfall !== undefined) console.error(`acp-scope tap: ${recorder.shortfall}`);
    switch (end.kind) {
      case 'problem':
        console.error(`acp-scope tap: ${end.problem.message}`);
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

function spoolPath(id: string): string | { readonly problem: string } {
  const state = stateFolder();
  const prepared = prepareState(state);
  return prepared.ok
    ? join(spoolFolder(state), `${id}.acptrace.jsonl`)
    : { problem: `acp-scope tap: ${prepared.message}` };
}
