// Drives an agent without a page and writes what crossed to a trace file.
import { readFileSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import { version } from '../../package.json';
import { CODE } from '../acp/errors.ts';
import { ActingClient } from '../drive/client.ts';
import type { Peer } from '../drive/peer.ts';
import { parseScript, promptScript, runScript, type Step } from '../drive/script.ts';
import { DEFAULT_SETTINGS, type AskVersion } from '../drive/settings.ts';
import { launchProcess } from './launcher.ts';
import { isPlainTrace, rewrite } from './trace-files.ts';
import { EXIT, parse, splitCommand, UsageError, type Command } from './command.ts';

/** How long an agent whose stdin has ended may take to end by itself. */
const LEAVE_MS = 2000;

export const record: Command = {
  usage:
    'acp-scope record --out FILE [--script FILE] [--prompt TEXT] [--protocol 1|2] -- CMD ARGS…',
  summary: 'Drive an agent headless and write a trace.',
  details: [
    '--out FILE       the trace file to write, in the format of its name; one that exists is replaced',
    '--script FILE    steps to send, one JSON object a line (docs/commands.md); permissions are allowed once',
    '--prompt TEXT    without a script: the prompt of one new session (default: Hello)',
    '--protocol 1|2   the version to ask for; default: the highest',
  ],
  async run(args) {
    const { own, command } = splitCommand(args);
    const { values } = parse({
      args: [...own],
      options: {
        out: { type: 'string' },
        script: { type: 'string' },
        prompt: { type: 'string' },
        protocol: { type: 'string' },
      },
    });
    if (values.out === undefined)
      throw new UsageError('record needs --out FILE, the trace to write.');
    if (!command?.length) throw new UsageError('record needs the agent’s command after --.');
    if (values.script !== undefined && values.prompt !== undefined)
      throw new UsageError(
        'record takes --script or --prompt, not both: a script says its prompts.',
      );
    const steps =
      values.script === undefined
        ? promptScript(values.prompt ?? 'Hello')
        : readScript(values.script);
    return drive({ out: values.out, argv: command, steps, ask: askVersion(values.protocol) });
  },
};

function askVersion(text: string | undefined): AskVersion {
  if (text === undefined) return 'highest';
  if (text === '1' || text === '2') return text === '1' ? 1 : 2;
  throw new UsageError(`--protocol ${text} is not a version. Give 1 or 2.`);
}

function readScript(path: string): readonly Step[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new UsageError(`The script ${path} cannot be read. Check the path.`);
  }
  const steps = parseScript(text);
  if ('problem' in steps) throw new UsageError(`${path}: ${steps.problem}`);
  return steps;
}

interface Job {
  readonly out: string;
  readonly argv: readonly string[];
  readonly steps: readonly Step[];
  readonly ask: AskVersion;
}

async function drive({ out, argv, steps, ask }: Job): Promise<number> {
  const cwd = process.cwd();
  // Recorded line by line in our own format, so that a crash of ours loses nothing.
  const path = isPlainTrace(out) ? out : `${out}.acptrace.jsonl`;
  const note = (text: string) => console.error(text);
  const started = await launchProcess({ argv, cwd, path: resolve(path), overwrite: true }, note);
  if (!started.ok) {
    console.error(started.message);
    return EXIT.environment;
  }
  const peer = started.agent;
  const { process: agent } = peer;
  const interrupt = () => void agent.kill();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  const ended = new AbortController();
  void agent.ended.then(() => ended.abort());
  const settings = {
    ...DEFAULT_SETTINGS,
    ask,
    permission: 'allow-once',
    elicitation: 'decline',
  } as const;
  const client = new ActingClient(peer, settings, {
    name: { name: 'acp-scope', version, title: 'ACP Scope' },
    host: () =>
      Promise.resolve({ ok: false, error: { code: CODE.methodNotFound, message: 'Not offered.' } }),
    note,
  });
  await handshake(client, peer, ended.signal);
  await runScript(steps, { client, peer, cwd, ended: ended.signal });
  const early = ended.signal.aborted;
  agent.end();
  const timer = setTimeout(() => void agent.kill(), LEAVE_MS);
  const exit = await agent.ended;
  clearTimeout(timer);
  if (agent.recorder.problem !== undefined) console.error(agent.recorder.problem);
  if (path !== out) {
    await rewrite(path, out);
    await unlink(path);
  }
  console.error(`${out}: ${agent.recorder.last} events.`);
  if (!early) return EXIT.ok;
  console.error(
    `The agent ended before the script did, with ${exit.signal ?? exit.code ?? 'no code'}. The trace holds its last words.`,
  );
  return EXIT.failed;
}

/** Resolves when `initialize` is answered, whatever the answer. */
function handshake(client: ActingClient, peer: Peer, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = peer.receive((frame, message) => {
      const answered = message.kind === 'success' || message.kind === 'failure';
      if (frame.from !== 'agent' || !answered) return;
      stop();
      resolve();
    });
    ended.addEventListener('abort', () => resolve(), { once: true });
    client.act();
  });
}
