// Starts or reaches agents for whoever drives them from the command line: each a process or a
// connection with a record of its own.
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../../../package.json';
import { messageOf } from '../../model/timeline/digest.ts';
import { leftSentence } from '../../model/words.ts';
import { ownName } from '../../drive/settings.ts';
import type { Message } from '../../acp/message.ts';
import {
  RUN_STOPPED,
  type Driven,
  type Ended,
  type Launched,
  type Launcher,
  type LaunchWish,
} from '../../drive/peer.ts';
import { programName } from '../../lib/program-name.ts';
import { millis } from '../../lib/time.ts';
import { encodeUtf8 } from '../../lib/utf8.ts';
import type { Agent } from '../../relay/agents/agent.ts';
import { startAgent } from '../../relay/agents/agent-process.ts';
import type { MakeSteered } from '../../relay/intercept.ts';
import { Intercepts } from '../../relay/intercepts.ts';
import { Recorder } from '../../relay/spool/recorder.ts';
import type { Address } from '../../relay/transports/address.ts';
import { byHand } from '../../relay/transports/by-hand.ts';
import { reachAgent } from '../../relay/transports/remote-agent.ts';
import {
  connectionId,
  type Frame,
  type Origin,
  type Seq,
  type Side,
  type Via,
  losesFrames,
  type Transport,
} from '../../trace/event.ts';
import { lineOf } from '../../trace/line.ts';

export const CLIENT_NAME = ownName(version);

/** An agent as a command line names it. */
export interface AgentWords {
  /** Its command, or its URL as it may be shown. */
  readonly argv: readonly string[];
  /** Where it is reached, if it is no process of ours. */
  readonly address?: Address;
}

export interface AgentWish extends AgentWords {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The trace file to write. */
  readonly path: string;
  readonly overwrite?: boolean;
  /** Its frames go through it from the first on. */
  readonly intercept?: MakeSteered;
  /** The text of a file of rules, in the place of those. */
  readonly rules?: string;
}

export interface DrivenAgent extends Driven {
  readonly agent: Agent;
}

type AgentLaunched =
  | { readonly ok: true; readonly agent: DrivenAgent }
  | { readonly ok: false; readonly message: string };

/** Starts or reaches one agent. What cannot be sent, and what could not be recorded, is told to `note` as a sentence. */
export async function launchAgent(
  { argv, address, cwd, env = {}, path, overwrite, intercept, rules }: AgentWish,
  note: (text: string) => void,
): Promise<AgentLaunched> {
  const listeners = new Set<(frame: Frame, message: Message) => void>();
  const refusalListeners = new Set<(of: Seq, why: string) => boolean>();
  // Who waits for the answer says why none comes; what nobody waits for is told here.
  const onProblem = (why: string, of: Seq | undefined) => {
    const heard = of === undefined ? [] : [...refusalListeners].map((tell) => tell(of, why));
    if (!heard.includes(true)) note(why);
  };
  const lostListeners = new Set<(event: Transport) => void>();
  const onFact = (fact: Omit<Transport, 'type' | 'seq' | 'at'>, seq: Seq) => {
    const event: Transport = { type: 'transport', seq, at: now(), ...fact };
    if (losesFrames(event)) for (const listener of lostListeners) listener(event);
  };
  const began = performance.now();
  const now = () => millis(performance.now() - began);
  let recorder: Recorder | undefined;
  const hear = (from: Side, bytes: Uint8Array, origin: Origin, via?: Via) => {
    if (!recorder) return;
    const frame: Frame = {
      type: 'frame',
      seq: recorder.last,
      at: now(),
      from,
      line: lineOf(bytes),
      origin,
      ...(via && { via }),
    };
    const message = messageOf(frame);
    for (const listener of [...listeners]) listener(frame, message);
  };
  const record = () =>
    (recorder = new Recorder({
      path,
      connection: connectionId(randomUUID()),
      tool: `acp-scope ${version}`,
      name: programName(argv),
      mode: 'drive',
      argv,
      cwd,
      ...(overwrite && { overwrite }),
    }));
  const started = address
    ? await reachAgent({ address, cwd, record, onLine: hear, onProblem, onFact })
    : await startAgent({ program: { argv, cwd, env }, record, onLine: hear });
  if (!started.ok) return { ok: false, message: started.problem.message };
  const { agent } = started;
  let cut: string | undefined;
  const watched =
    (make: MakeSteered): MakeSteered =>
    (outlet) =>
      make({
        ...outlet,
        tell(fact) {
          if (fact.did === 'cut') cut = fact.rule ?? '';
          return outlet.tell(fact);
        },
      });
  // What reads rules is not loaded for an agent that none are given for.
  const intercepts = new Intercepts(async () =>
    watched((await import('./intercept-file.ts')).newIntercept),
  );
  const steer = async (asked: string | undefined) => {
    const problem = await intercepts.call(
      agent,
      asked === undefined ? { op: 'off' } : { op: 'on', rules: asked },
    );
    return problem?.message;
  };
  if (intercept) intercepts.begin(agent, watched(intercept));
  if (rules !== undefined) {
    const problem = await steer(rules);
    if (problem !== undefined) note(problem);
  }
  const ended = agent.ended.then((exit) => {
    const { shortfall } = agent.recorder;
    if (shortfall !== undefined) note(shortfall);
    if (exit.left) note(leftSentence(exit.left));
    return cut === undefined ? exit : { ...exit, cut };
  });
  return {
    ok: true,
    agent: {
      agent,
      trace: path,
      ended,
      send(line, origin) {
        const problem = agent.send(encodeUtf8(line), origin);
        // How it ended is told by who drives it.
        if (problem && problem.code !== 'ended') note(problem.message);
      },
      intercept: steer,
      receive(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      onRefused: (listener) => void refusalListeners.add(listener),
      onLost: (listener) => void lostListeners.add(listener),
      end: () => agent.end(),
      signal: (name) => agent.signal(name),
      ...(agent.sendSplit && {
        async split(line, count, ms, origin) {
          const problem = await agent.sendSplit?.(encodeUtf8(line), count, ms, origin);
          if (problem) note(problem.message);
        },
      }),
      cut: () => agent.cut(),
      isHttp: /^https?:$/.test(address?.url.protocol ?? ''),
    },
  };
}

/** Starts or reaches one agent again and again, with a trace file each in one folder. */
export class NodeLauncher implements Launcher {
  readonly #words: AgentWords;
  readonly #folder: string;
  readonly #note: (text: string) => void;
  readonly #running = new Set<DrivenAgent>();
  readonly byHand?: NonNullable<Launcher['byHand']>;
  #count: number;
  #isOver = false;

  /** `folder`: where the trace files go; it exists. */
  constructor(words: AgentWords, folder: string, note: (text: string) => void) {
    this.#words = words;
    this.#folder = folder;
    this.#note = note;
    this.#count = lastNumber(folder);
    if (words.address) this.byHand = byHand(words.address);
  }

  async launch({ label, cwd = process.cwd(), env = {} }: LaunchWish): Promise<Launched> {
    if (this.#isOver) return { ok: false, message: RUN_STOPPED };
    const number = String(++this.#count).padStart(3, '0');
    const path = join(this.#folder, `${number}-${label}.acptrace.jsonl`);
    const started = await launchAgent({ ...this.#words, cwd, env, path }, this.#note);
    if (started.ok) {
      this.#running.add(started.agent);
      void started.agent.ended.then(() => this.#running.delete(started.agent));
    }
    return started;
  }

  /** Ends every agent that runs, with all it started, and starts no more. */
  async endAll(): Promise<readonly Ended[]> {
    this.#isOver = true;
    const ending = [...this.#running].map((agent) => agent.agent.kill().then(() => agent.ended));
    return Promise.all(ending);
  }
}

/** Returns the highest number of a trace that an earlier run left in the folder: none of those is overwritten. */
function lastNumber(folder: string): number {
  try {
    const numbers = readdirSync(folder).map((name) => Number(/^\d+(?=-)/.exec(name)?.[0] ?? 0));
    return numbers.reduce((most, one) => Math.max(most, one), 0);
  } catch {
    // No trace is overwritten in any case: the recorder reports the file that is in the way.
    return 0;
  }
}
