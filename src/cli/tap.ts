// `acp-scope tap -- CMD`: put in an editor's settings in place of the agent. On stdout stands
// nothing but the agent's own bytes; what we have to say goes to stderr.
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { count } from '../lib/format.ts';
import { isUrl, programName } from '../lib/program-name.ts';
import { Faults } from '../relay/faults.ts';
import { Intercepts } from '../relay/intercepts.ts';
import type { Recorder } from '../relay/spool/recorder.ts';
import { allowSteering, followSteering, NOT_ALLOWED } from '../relay/steering.ts';
import { runTap } from '../relay/tap.ts';
import type { Intercept } from '../trace/event.ts';
import { agentOf, command, UsageError } from './command.ts';
import { WORDS } from './words.ts';
import { HEADER_OPTION } from './parts/agent-words.ts';
import { listenPlace } from './parts/option-values.ts';
import { FORCE_OPTION } from './parts/out-file.ts';
import { endLike } from './parts/stand-in.ts';
import { FRONT, tapRecorders } from './parts/tap-recorder.ts';
import { keepApart } from './parts/trace-files.ts';

export const tap = command({
  ...WORDS.tap,
  details: [
    '--name N     how the page calls this connection; default: the name of CMD',
    '--out FILE   write the trace here; default: where a running acp-scope shows it live,',
    '             and the next one finds it. Where FILE exists, FILE-2 is written, FILE-3 and so on',
    '--force      overwrite FILE at each start instead',
    '--intercept FILE',
    '             rules (docs/intercept.md) by which frames are held, changed or lost on their way',
    '--allow-intercept',
    '             the page may switch such rules on, change them and switch them off, unasked',
    '--listen [HOST:]PORT',
    '             of an agent with a URL: stand here in its place, for HTTP and WebSocket; HOST: 127.0.0.1;',
    '             PORT 0: any free. With --out, the second connection goes to FILE-2, and so on',
    "--header 'NAME: VALUE'",
    '             goes to the URL with every request, as for acp-scope record',
  ],
  takes: ['agent'],
  options: {
    name: { type: 'string' },
    out: { type: 'string' },
    intercept: { type: 'string' },
    'allow-intercept': { type: 'boolean', default: false },
    listen: { type: 'string' },
    header: HEADER_OPTION,
    ...FORCE_OPTION,
  },
  writes: ['--out'],
  async run({ values, agent }) {
    const {
      name,
      out,
      intercept: rules,
      'allow-intercept': isOpen,
      listen,
      header,
      force,
    } = values;
    const argv = agentOf('tap', agent);
    if (listen === undefined && (header || isUrl(argv)))
      throw new UsageError(
        'An agent with a URL is tapped where it is reached: give --listen PORT, and that place to the editor.',
      );
    if (listen !== undefined && rules !== undefined)
      throw new UsageError(
        '--intercept is for an agent that is started: what crosses --listen goes on as it comes. Leave out one of both.',
      );
    if (isOpen && (listen ?? out) !== undefined)
      throw new UsageError(
        '--allow-intercept is for an agent that is started and recorded for the page: no page changes the traffic of --listen, or a trace in --out. Give one of the two.',
      );
    await keepApart('--out', out, [rules ?? []].flat());
    const record = tapRecorders(out, force);
    if (listen !== undefined) {
      const { runUrlTap } = await import('./parts/tap-url.ts');
      const place = listenPlace(listen);
      return runUrlTap({ agent, headers: header ?? [], name, place, record });
    }
    // What reads rules is not even loaded without them.
    const intercept =
      rules === undefined
        ? undefined
        : (await import('./parts/intercept-file.ts')).interceptBy(rules);
    const cwd = process.cwd();
    // A fault of ours must not stop what passes.
    new Faults({ say }).catchAll();
    let recorder: Recorder | undefined;
    const intercepts = new Intercepts(
      async () => (await import('./parts/intercept-file.ts')).newIntercept,
    );
    let unfollow: (() => void) | undefined;
    const end = await runTap({
      program: { argv, cwd, env: {} },
      record: () => (recorder = record({ name: name ?? programName(argv), argv, cwd })),
      input: process.stdin,
      output: process.stdout,
      errors: process.stderr,
      onClosed: (stream) => letGo(stream === 'input' ? 0 : 1),
      begun(tapped) {
        if (intercept) intercepts.begin(tapped, intercept);
        // A page sees those that are recorded for it.
        if (out !== undefined || !recorder) return;
        const { path } = recorder;
        const problem = isOpen ? allowSteering(path) : undefined;
        if (problem) say(problem.message);
        unfollow = followSteering({
          ...{ path, tapped, intercepts, isOpen },
          unreadable: (problem) => void recorder?.intercept({ did: 'off', problem }),
          notAllowed: () => say(NOT_ALLOWED),
        });
      },
      onRules: (fact) => say(rulesWords(fact)),
    });
    unfollow?.();
    if (recorder?.shortfall !== undefined) say(recorder.shortfall);
    return endLike(end, FRONT);
  },
});

/** On stderr, never on stdout, which is the agent's. */
function say(line: string): void {
  console.error(FRONT + line);
}

/** Returns the sentence about the rules in force, without their names: a page writes those. */
function rulesWords({ rules, problem }: Pick<Intercept, 'rules' | 'problem'>): string {
  if (rules)
    return `Intercept is on: ${count(rules.length, 'rule')} may change the messages of this session. The trace has their names.`;
  return `Intercept is off: messages pass unchanged. ${problem ?? ''}`.trimEnd();
}

/**
 * The editor is told of its end, as it would be at a bare pipe. Node keeps its standard streams open, also
 * when they are destroyed. Their number is taken at once, so that no file of ours has it.
 */
function letGo(fd: 0 | 1): void {
  // Its standard streams are no files.
  if (process.platform === 'win32') return;
  closeSync(fd);
  openSync(devNull, fd === 0 ? 'r' : 'w');
}
