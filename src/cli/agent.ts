// `acp-scope agent`: the bundled agent on our own standard streams.
import { join } from 'node:path';
import { version } from '../../package.json';
import type { ListenPlace } from '../agent/listen.ts';
import type { Served } from '../agent/main.ts';
import {
  type BundledAgentOptions,
  type McpServer,
  isMisbehaviour,
  MISBEHAVIOURS,
} from '../agent/misbehaviours.ts';
import { PROMPT_WORDS } from '../agent/script/words.ts';
import { defined } from '../lib/defined.ts';
import { isCanary } from '../relay/run-folder.ts';
import { command, EXIT, FileError, UsageError } from './command.ts';
import { WORDS } from './words.ts';
import { onInterrupt } from './parts/interrupt.ts';
import { numberOption, listenPlace } from './parts/option-values.ts';
import { ownState } from './parts/stand-in.ts';

const NAMES = Object.entries(MISBEHAVIOURS).map(
  ([name, { sentence, versions }]) =>
    `  ${name.padEnd(24)} ${sentence}${versions.length === 1 ? ` (v${versions[0]} only)` : ''}`,
);

const STEERING = PROMPT_WORDS.map(({ word, does }) => `  ${word.padEnd(24)} ${does}`);

export const agent = command({
  ...WORDS.agent,
  details: [
    '--protocol 1|2|both   versions it speaks; default: both',
    '--store DIR           where its sessions are kept',
    '--seed N              makes session ids repeat',
    '--require-sign-in     answers -32000 until a sign-in',
    '--no-replay           can resume sessions, but not replay them: v1 without session/load',
    '--replay-complete     ends each replay with the update replay_complete (v2), also of children',
    '--mcp                 uses the MCP servers that its client gives: starts programs, reaches addresses',
    '--listen [HOST:]PORT  over WebSocket and HTTP at /acp, instead of stdio; HOST: 127.0.0.1; PORT 0: any free',
    '--login               sign in (for --require-sign-in) and end',
    '--pace X              multiplies every delay; 0 waits for nothing',
    '--misbehave NAME      one named fault:',
    ...NAMES,
    'Words in a prompt steer it:',
    ...STEERING,
  ],
  options: {
    protocol: { type: 'string', default: 'both' },
    store: { type: 'string' },
    seed: { type: 'string' },
    misbehave: { type: 'string' },
    pace: { type: 'string' },
    'require-sign-in': { type: 'boolean', default: false },
    'no-replay': { type: 'boolean', default: false },
    'replay-complete': { type: 'boolean', default: false },
    mcp: { type: 'boolean', default: false },
    listen: { type: 'string' },
    login: { type: 'boolean', default: false },
  },
  async run({ values }) {
    const { misbehave, listen } = values;
    if (misbehave !== undefined && !isMisbehaviour(misbehave))
      throw new UsageError(
        `The bundled agent has no misbehaviour ${misbehave}. It has: ${Object.keys(MISBEHAVIOURS).join(', ')}.`,
      );
    const place = listen === undefined ? undefined : listenPlace(listen);
    if (place && (misbehave === 'stdout-noise' || misbehave === 'split-utf8'))
      throw new UsageError(`${misbehave} is a fault of stdout: --listen has none.`);
    if (place && values.login) throw new UsageError('--login ends at once: leave out --listen.');
    const store = values.store ?? join(ownState(), 'agent-sessions');
    const number = (name: 'seed' | 'pace') => {
      const text = values[name];
      return text === undefined ? undefined : numberOption(name, text);
    };
    const options: BundledAgentOptions = {
      protocol: protocolOf(values.protocol),
      store,
      version,
      mayUse: values.mcp ? () => true : isOwn,
      ...defined({ seed: number('seed'), pace: number('pace'), misbehave }),
      requireSignIn: values['require-sign-in'],
      noReplay: values['no-replay'],
      replayComplete: values['replay-complete'],
      login: values.login,
    };
    const served = await serve(options, place);
    if (served.ok) return EXIT.ok;
    throw new FileError(served.message);
  },
});

async function serve(
  options: BundledAgentOptions,
  place: ListenPlace | undefined,
): Promise<Served> {
  if (!place) {
    const { runAgent } = await import('../agent/main.ts');
    return runAgent(options, process.stdin, process.stdout);
  }
  const { listenAgent } = await import('../agent/listen.ts');
  const { stop, off } = onInterrupt();
  try {
    return await listenAgent(options, place, stop);
  } finally {
    off();
  }
}

/** The resume lab's own server, which only notes who connects. */
function isOwn(server: McpServer): boolean {
  if (server.type !== 'stdio' || Object.keys(server.env).length > 0) return false;
  return isCanary([server.command, ...server.args], process.argv[1] ?? '');
}

function protocolOf(text: string): 1 | 2 | 'both' {
  if (text === 'both') return 'both';
  if (text === '1' || text === '2') return text === '1' ? 1 : 2;
  throw new UsageError(`--protocol ${text} is no choice. Give 1, 2 or both.`);
}
