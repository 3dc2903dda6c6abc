// The bundled agent: scripted, no model and no network, ACP v1 and v2 in one process, on stdio.
import type { Readable, Writable } from 'node:stream';
import { agentProtocolRouter } from '@agentclientprotocol/sdk/experimental/v2/unstable';
import { Host } from './host.ts';
import { hooksOf } from './misbehave/hooks-of.ts';
import type { AgentOptions } from './misbehaviours.ts';
import { SignIn } from './sign-in.ts';
import { openStore } from './store.ts';
import { appV1 } from './v1/app.ts';
import { appV2 } from './v2/app.ts';
import { readableCursors } from './v2/cursor.ts';
import { wire } from './wire.ts';

/** How serving went: `message` is a sentence, when it could not begin. */
export type Served = { readonly ok: true } | { readonly ok: false; readonly message: string };

/** Serves one client. Resolves when it has gone, with nothing left running. */
export async function runAgent(
  options: AgentOptions,
  stdin: Readable,
  stdout: Writable,
): Promise<Served> {
  const log = options.log ?? ((line: string) => process.stderr.write(`acp-scope agent: ${line}\n`));
  if (options.login) {
    new SignIn(options.store).in();
    stdout.write('Signed in. Start the agent again, without --login.\n');
    return { ok: true };
  }
  const exit = options.exit ?? ((code: number) => process.exit(code));
  const hooks = options.misbehave ? hooksOf(options.misbehave, exit) : {};
  const opened = openStore(options.store, options.seed, log);
  if (!opened.ok) return opened;
  const host = new Host(opened.store, options, hooks, log);
  const router = agentProtocolRouter();
  if (options.protocol !== 2) router.withV1(appV1(host));
  if (options.protocol !== 1) {
    const app = appV2(host);
    router.withV2({ connect: (stream) => app.connect(readableCursors(stream)) });
  }
  const versions = options.protocol === 'both' ? '1 and 2' : String(options.protocol);
  const fault = options.misbehave ? `, misbehaving: ${options.misbehave}` : '';
  log(`${options.version}, ACP ${versions}, sessions in ${options.store}${fault}`);
  await router.connect(wire(stdin, stdout, hooks)).closed;
  await host.end();
  return { ok: true };
}
