// Starts a relay: its state folder, its page, its port, its first link.
import type { Launch } from '../link/messages.ts';
import { Approvals, type ApprovalOptions } from './approval/approvals.ts';
import { openFiles } from './http/files.ts';
import { isLentReplay } from './lent-traces.ts';
import type { GivenPath } from './http/given-file.ts';
import { AccessKeys, OPENED_CODE_MS } from './http/keys.ts';
import { Relay, type RelayOptions } from './relay.ts';
import { forgetRunning, noteRunning } from './running.ts';
import { listen } from './http/server.ts';
import { prepareState } from './state-folder.ts';

type Given = 'version' | 'state' | 'command' | 'bundled' | 'intercept';

export interface StartRelayOptions
  extends
    Pick<RelayOptions, Given>,
    Partial<Pick<RelayOptions, 'misbehaviours' | 'onFault'>>,
    Partial<Pick<ApprovalOptions, 'terminal' | 'trustPage' | 'allowed'>> {
  /** 0: any free one. */
  readonly port: number;
  /** The folder of the built page. */
  readonly dist: string;
  /** Whether these further words let the bundled agent do nothing more to the person. */
  readonly isHarmless?: (options: readonly string[]) => boolean;
  /** The agent named on the command line: the first page starts it. */
  readonly startNow?: Launch | undefined;
}

export interface RunningRelay {
  readonly port: number;
  /**
   * A fresh link. `opened`: for a browser we open now, it lives a minute; else until it is used. The page
   * that comes by it may read the file, once.
   */
  url(use: 'printed' | 'opened', file?: GivenPath): string;
  /**
   * From now on the page is held as it was built: call it as soon as the link is told. A sentence: what
   * of it could not be read, and the way out.
   */
  holdPage(): string | undefined;
  /**
   * Ends the agents, flushes, says goodbye to the pages; at most five seconds. The sentences say what
   * the disk refused to the end.
   */
  close(): Promise<readonly string[]>;
}

type StartedRelay =
  | { readonly ok: true; readonly relay: RunningRelay }
  | {
      readonly ok: false;
      readonly problem: 'port_taken' | 'port_refused' | 'unsafe_state' | 'no_page';
      readonly message: string;
    };

export async function startRelay(options: StartRelayOptions): Promise<StartedRelay> {
  const { dist, version, state, command, bundled, startNow } = options;
  const { isHarmless = () => false, onFault = () => undefined } = options;
  const prepared = prepareState(state);
  if (!prepared.ok) return failed('unsafe_state', prepared.message);
  const files = openFiles(dist);
  if (typeof files === 'string') return failed('no_page', files);
  const approvals = new Approvals({
    state,
    terminal: options.terminal,
    trustPage: options.trustPage ?? false,
    allowed: [...(options.allowed ?? []), ...(startNow ? [startNow] : [])],
    isHarmless: (argv) =>
      isLentReplay(argv, command, state) ||
      (bundled.every((word, at) => word === argv[at]) && isHarmless(argv.slice(bundled.length))),
  });
  const keys = new AccessKeys();
  const relay = new Relay({
    version,
    state,
    approvals,
    command,
    bundled,
    intercept: options.intercept,
    misbehaviours: options.misbehaviours ?? [],
    ...(startNow && { startNow }),
    onFault,
  });
  const result = await listen({
    port: options.port,
    files,
    keys,
    version,
    onPage: (socket, wire) => relay.welcome(socket, wire),
    onFault,
  });
  if (!result.ok) {
    await relay.close();
    return portProblem(options.port, result.code);
  }
  const { listening } = result;
  const { port } = listening;
  try {
    const { build } = files;
    noteRunning(state, { pid: process.pid, port, secret: keys.owner, build });
  } catch {
    // A full disk: `acp-scope open` will not find us, all else works.
  }
  await relay.open();
  return {
    ok: true,
    relay: {
      port,
      url: (use, file) => listening.link(use === 'opened' ? OPENED_CODE_MS : undefined, file),
      holdPage: () => files.hold(),
      async close() {
        forgetRunning(state, port);
        const lost = await relay.close();
        await listening.close();
        return lost;
      },
    },
  };
}

function portProblem(port: number, code: string): StartedRelay {
  switch (code) {
    case 'EADDRINUSE':
      return failed(
        'port_taken',
        `Port ${port} is in use by another program. End it, or choose another with --port N (another port is another database in the browser).`,
      );
    case 'EACCES':
      return failed('port_refused', `Port ${port} may not be used. Choose one over 1023.`);
    default:
      return failed('port_refused', `Port ${port} cannot be used: ${code}. Choose another.`);
  }
}

function failed(
  problem: Extract<StartedRelay, { ok: false }>['problem'],
  message: string,
): StartedRelay {
  return { ok: false, problem, message };
}
