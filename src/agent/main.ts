// The bundled agent: scripted, no model and no network, ACP v1 and v2 in one process. On stdio here;
// over WebSocket and HTTP in listen.ts.
import type { Readable, Writable } from 'node:stream';
import {
  agentProtocolRouter,
  type AgentConnectOptions,
  type AgentConnectionLifecycle,
  type Stream,
} from '@agentclientprotocol/sdk/experimental/v2/unstable';
import { printable } from '../lib/print/ci-commands.ts';
import { carryingCursors } from './cursors.ts';
import { AgentHost } from './host.ts';
import type { Hooks } from './hooks.ts';
import { hooksOf } from './misbehave/hooks-of.ts';
import type { BundledAgentOptions } from './misbehaviours.ts';
import { SignIn } from './sign-in.ts';
import { openSessionStore } from './store.ts';
import { appV1 } from './v1/app.ts';
import { appV2 } from './v2/app.ts';
import { readableCursors } from './v2/cursor.ts';
import { wire } from './wire.ts';

/** How serving went: `message` is a sentence, when it could not begin. */
export type Served = { readonly ok: true } | { readonly ok: false; readonly message: string };

/** Serves one client on a pair of streams. Resolves when it has gone, with nothing left running. */
export async function runAgent(
  options: BundledAgentOptions,
  stdin: Readable,
  stdout: Writable,
): Promise<Served> {
  if (options.login) {
    new SignIn(options.store).in();
    stdout.write('Signed in. Start the agent again, without --login.\n');
    return { ok: true };
  }
  const opened = openAgent(options);
  if (!opened.ok) return opened;
  opened.log(opened.words);
  await opened.serve((hooks) => wire(stdin, stdout, hooks)).closed;
  return { ok: true };
}

type AgentOpened =
  | {
      readonly ok: true;
      readonly log: (line: string) => void;
      /** What it is, for the log. */
      readonly words: string;
      /** Serves one client. Its `closed` resolves when nothing is left running. */
      serve(streamOf: (hooks: Hooks) => Stream, how?: AgentConnectOptions): Serving;
    }
  | { readonly ok: false; readonly message: string };

type Serving = AgentConnectionLifecycle & { readonly closed: Promise<void> };

/** The agent with its store; its clients know of each other what stands in the store. */
export function openAgent(options: BundledAgentOptions): AgentOpened {
  const log =
    options.log ??
    ((line: string) => process.stderr.write(printable(`acp-scope agent: ${line}\n`)));
  const exit = options.exit ?? ((code: number) => process.exit(code));
  const opened = openSessionStore(options.store, options.seed, log);
  if (!opened.ok) return opened;
  const { store } = opened;
  const versions = options.protocol === 'both' ? '1 and 2' : String(options.protocol);
  const fault = options.misbehave ? `, misbehaving: ${options.misbehave}` : '';
  return {
    ok: true,
    log,
    words: `${options.version}, ACP ${versions}, sessions in ${options.store}${fault}`,
    serve(streamOf, how) {
      const hooks = options.misbehave ? hooksOf(options.misbehave, exit) : {};
      const host = new AgentHost(store, options, hooks, log);
      const router = agentProtocolRouter();
      if (options.protocol !== 2) router.withV1(appV1(host));
      if (options.protocol !== 1) {
        const app = appV2(host);
        router.withV2({ connect: (stream) => app.connect(readableCursors(stream)) });
      }
      const serving = router.connect(carryingCursors(streamOf(hooks)), how);
      return {
        startConnectHandlers: () => serving.startConnectHandlers?.(),
        closed: serving.closed.then(() => host.end()),
      };
    },
  };
}
