// `acp-scope`: the relay and its page, until it is ended.
import { once } from 'node:events';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { version } from '../../package.json';
import { isMisbehaviour, MISBEHAVIOURS } from '../agent/misbehaviours.ts';
import { command, ENDING_SIGNALS, EXIT, FileError, UsageError, refuseVariable } from './command.ts';
import { WORDS } from './words.ts';
import { openBrowser } from './parts/browser.ts';
import { portOf, PORT_OPTION } from './parts/option-values.ts';
import { RelayTerminal } from './parts/terminal.ts';
import { programName } from '../lib/program-name.ts';
import { is, isFields, isText, isTextRecord, maybe, object } from '../lib/shape.ts';
import { KNOWN_AGENTS } from '../relay/agents/presets.ts';
import type { Allowed } from '../relay/approval/approvals.ts';
import { Faults } from '../relay/faults.ts';
import { buildIn } from '../relay/http/files.ts';
import { giveFile } from '../relay/http/given-file.ts';
import { askForLink, type FileToOpen } from '../relay/running.ts';
import { startRelay, type RunningRelay } from '../relay/start-relay.ts';
import { stateFolder } from '../relay/state-folder.ts';

/** This bin, and the page built beside it. */
const BIN = fileURLToPath(import.meta.url);
const SCOPE = join(dirname(BIN), 'acp-scope.js');
const DIST = join(dirname(BIN), '../dist');
/** Agents have three seconds to end by themselves, and a disk the rest. */
const PATIENCE_MS = 8_000;
/** From having a port to being told of by it, on a busy machine. */
const STARTING_MS = 1_000;

export const serve = command({
  ...WORDS.serve,
  details: [
    '--port N              default: 7717. Traces live in the browser by port: another port, other traces',
    '--no-open             print the link, open no browser',
    '--agent NAME          start this agent here at once: bundled, or a known one such as opencode',
    '-- CMD ARGS…          start this agent here at once',
    '--allow-command JSON  a command the page may start without asking here, in this folder:',
    '                      ["node","agent.js"], or {"argv":[…],"cwd":"…","env":{…},"roots":[…],"terminals":true,"headers":{…}}',
    '--trust-page          the page may start any command without asking here',
  ],
  takes: ['agent'],
  options: {
    port: PORT_OPTION,
    'no-open': { type: 'boolean', default: false },
    agent: { type: 'string' },
    'allow-command': { type: 'string', multiple: true, default: [] },
    'trust-page': { type: 'boolean', default: false },
  },
  async run({ values, agent }) {
    if (values.agent !== undefined && agent)
      throw new UsageError('Give --agent NAME or a command after --, not both.');
    return startServing({
      port: portOf(values.port),
      open: !values['no-open'],
      agent: values.agent ?? agent,
      trustPage: values['trust-page'],
      allowed: values['allow-command'].map(allowedOf),
    });
  },
});

interface Serving {
  readonly port: number;
  /** In a browser. */
  readonly open: boolean;
  /** Started at once: the name of a known one, or a command. */
  readonly agent?: string | readonly string[] | undefined;
  readonly trustPage?: boolean;
  readonly allowed?: readonly Allowed[];
  /** Opened in the page. */
  readonly file?: FileToOpen;
}

/** The relay, until it is ended. Throws FileError. */
export async function startServing(serving: Serving): Promise<number> {
  const { port, open, agent, file } = serving;
  const state = stateFolder();
  // Agents are not told where our state is: ours keeps its sessions there all the same.
  const store = process.env['ACP_SCOPE_STATE'] ? ['--store', join(state, 'agent-sessions')] : [];
  const bundled = [process.execPath, SCOPE, 'agent', ...store];
  const argv = typeof agent === 'string' ? agentArgv(agent, bundled) : agent;
  const ends = new AbortController();
  let status: number = EXIT.ok;
  const faults = new Faults({
    say: (line) => console.error(line),
    onTooMany() {
      console.error('These are too many: the relay ends its agents, and itself.');
      status = EXIT.fault;
      ends.abort();
      exitSoon(status);
    },
  });
  faults.catchAll();
  // Before anything is started: a signal that nobody hears would leave agents behind.
  endAtSignals(ends);
  const running: { relay?: RunningRelay } = {};
  const terminal = openTerminal(
    () => running.relay && console.log(`Open ${running.relay.url('printed')}`),
    () => ends.abort(),
  );
  const started = await startRelay({
    port,
    dist: DIST,
    version,
    state,
    command: [process.execPath, SCOPE],
    bundled,
    intercept: async () => (await import('./parts/intercept-file.ts')).newIntercept,
    isHarmless: startsNothing,
    misbehaviours: Object.entries(MISBEHAVIOURS).map(([name, fault]) => ({ name, ...fault })),
    terminal,
    trustPage: serving.trustPage ?? false,
    allowed: serving.allowed ?? [],
    onFault: (error) => faults.contained(error),
    startNow: argv && {
      name: typeof agent === 'string' ? agent : programName(argv),
      argv,
      cwd: process.cwd(),
      env: {},
      roots: [],
    },
  });
  if (!started.ok) {
    terminal?.close();
    ends.abort();
    if (started.problem === 'port_taken') return handOver(state, serving, started.message);
    throw new FileError(started.message);
  }
  const { relay } = started;
  running.relay = relay;
  const given = file && (await giveFile(file));
  if (given && !given.ok) console.error(given.message);
  const opened = given?.ok ? given.file : undefined;
  console.log(`ACP Scope ${version}. Open ${relay.url('printed', opened)}`);
  if (terminal) console.log('Enter prints a fresh link, Ctrl-C ends.');
  if (open && !ends.signal.aborted) openBrowser(relay.url('opened', opened));
  const missing = relay.holdPage();
  if (missing !== undefined) {
    console.error(missing);
    status = EXIT.environment;
    ends.abort();
  }
  if (!ends.signal.aborted) await once(ends.signal, 'abort');
  terminal?.close();
  for (const lost of await relay.close()) console.error(lost);
  exitSoon(status);
  return status;
}

/** Our own relay is there already: open it. Anything else there is left alone. */
async function handOver(
  state: string,
  { port, open, file }: Serving,
  message: string,
): Promise<number> {
  let answer = await askForLink(state, port, file);
  // One that starts at this moment has the port before it can be asked.
  for (const until = Date.now() + STARTING_MS; !answer.ok && Date.now() < until;) {
    if (answer.why !== 'none') break;
    await delay(50);
    answer = await askForLink(state, port, file);
  }
  if (!answer.ok) throw new FileError(answer.why === 'none' ? message : answer.message);
  console.log(`ACP Scope runs already (pid ${answer.pid}). Open ${answer.url}`);
  if (answer.build !== buildIn(DIST))
    console.log(
      'It serves the page that was built when it started. To have the one that is here, end it where it runs, and start again.',
    );
  if (open) openBrowser(answer.opened);
  return EXIT.ok;
}

/** Whatever still holds the process then does not hold it. */
function exitSoon(status: number): void {
  setTimeout(() => process.exit(status), PATIENCE_MS).unref();
}

/** The first aborts; the second ends at once, but for SIGHUP: a terminal that closes sends two. */
function endAtSignals(ends: AbortController): void {
  const first = () => ends.abort();
  for (const signal of ENDING_SIGNALS) process.once(signal, first);
  const then = () => {
    for (const signal of ENDING_SIGNALS) {
      process.off(signal, first);
      process.on(signal, () => {
        if (signal !== 'SIGHUP') process.exit(EXIT.failed);
      });
    }
  };
  ends.signal.addEventListener('abort', then, { once: true });
}

function openTerminal(onEnter: () => void, onInterrupt: () => void): RelayTerminal | undefined {
  const { stdin, stdout } = process;
  if (!stdin.isTTY || !stdout.isTTY) return undefined;
  let interrupted = false;
  return new RelayTerminal(stdin, stdout, {
    onEnter,
    onInterrupt() {
      if (interrupted) process.exit(EXIT.failed);
      interrupted = true;
      onInterrupt();
    },
  });
}

function agentArgv(name: string, bundled: readonly string[]): readonly string[] {
  if (name === 'bundled') return bundled;
  const known = KNOWN_AGENTS.find(({ id }) => id === name);
  if (known) return known.argv;
  const names = ['bundled', ...KNOWN_AGENTS.map(({ id }) => id)].join(', ');
  throw new UsageError(
    `There is no known agent ${name}. Known: ${names}. Any other: acp-scope -- CMD ARGS…`,
  );
}

// `--allow-command`: what a page may start without a question, as a list of words, or as an object that
// allows more. No sentence here says a value: it may be a secret.

const ALLOWED_FORM =
  '--allow-command takes a JSON list of words, such as ["node","agent.js"], or an object of argv, cwd, env, roots, terminals and headers';

const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);

const ALLOWED_FIELDS = {
  argv: is<readonly string[]>((value) => isTexts(value) && value.length > 0),
  cwd: maybe(is<string>(isText)),
  env: maybe(is<Allowed['env']>(isTextRecord)),
  roots: maybe(is<readonly string[]>(isTexts)),
  terminals: maybe(is<boolean>((value) => typeof value === 'boolean')),
  headers: maybe(is<Readonly<Record<string, string>>>(isTextRecord)),
};
const wish = object<Partial<Omit<Allowed, 'terminals'>> & { readonly terminals?: boolean }>(
  ALLOWED_FIELDS,
);

/** Folders are seen from where we are; what is not said is not allowed. */
function allowedOf(text: string): Allowed {
  const value = parsed(text);
  const fields = Array.isArray(value) ? { argv: value as unknown } : value;
  const unknown =
    isFields(fields) && Object.keys(fields).find((name) => !Object.hasOwn(ALLOWED_FIELDS, name));
  if (unknown) throw new UsageError(`${ALLOWED_FORM}; there is no ${JSON.stringify(unknown)}.`);
  const read = wish(fields);
  if (!read.ok) throw new UsageError(`${ALLOWED_FORM}; ${read.at || 'this'} is missing or wrong.`);
  const { argv = [], cwd = '.', env = {}, roots = [], terminals = false, headers } = read.value;
  refuseVariable(argv);
  return {
    ...{ argv, cwd: resolve(cwd), env, roots: roots.map((root) => resolve(root)) },
    ...(terminals && { terminals }),
    ...(headers && { headers }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${ALLOWED_FORM}; this is no JSON.`);
  }
}

// Which words let the bundled agent do nothing to the person. Not with the command, which the relay does not load.

const VALUES = new Map([
  ['--protocol', /^(?:1|2|both)$/],
  ['--seed', /^\d{1,15}$/],
  ['--pace', /^\d{1,6}(?:\.\d{1,3})?$/],
]);
const SWITCHES: ReadonlySet<string> = new Set([
  '--require-sign-in',
  '--no-replay',
  '--replay-complete',
]);

/**
 * Whether it does nothing to the person when started with these words: it writes its own store alone,
 * starts no program and reaches no address.
 */
function startsNothing(words: readonly string[]): boolean {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (SWITCHES.has(word)) continue;
    const value = words[++at] ?? '';
    const fits = word === '--misbehave' ? isMisbehaviour(value) : VALUES.get(word)?.test(value);
    if (fits !== true) return false;
  }
  return true;
}
