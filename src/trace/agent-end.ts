// How an agent ended, and by whom: the one reading of an `exit` for rules, words and views. An agent that
// was told to end is never said to have crashed, whatever code it made of that.
import type { EndRequest, Exit } from './event.ts';

/** Who brought the end about. `elsewhere`: a signal that neither ACP Scope nor the client sent. */
type EndedBy = 'us' | 'client' | 'agent' | 'elsewhere' | 'unknown';

export interface AgentEnd {
  readonly by: EndedBy;
  /** Who had told the agent to end before it did, however it then ended; undefined: nobody here. */
  readonly asked: 'us' | 'client' | undefined;
  /** True if the agent failed by itself: a code of failure that nobody asked for, or a signal of a fault. */
  readonly isCrash: boolean;
  /** True if it exited with 0, and no signal had told it to: as an agent does whose client left, or that is done. */
  readonly isOrderly: boolean;
  /** True if nobody here asked for it and it is no orderly end: a crash, a kill from elsewhere, a problem. */
  readonly isUnexpected: boolean;
}

/** What an `exit` says of the end. */
export type ExitFacts = Pick<Exit, 'code' | 'signal' | 'problem' | 'sent' | 'by'>;

/** Signals that the system raises for what a program itself did. */
const FAULTS: ReadonlySet<string> = new Set(
  ['SEGV', 'ABRT', 'BUS', 'ILL', 'FPE', 'TRAP', 'SYS'].map((name) => `SIG${name}`),
);
/** Signals by which a person, a shell or a service manager stops a program. */
const SOFT: ReadonlySet<string> = new Set(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGPIPE']);
/** What shells and handlers make of those: 128 and the number of the signal. */
const STOPPED: ReadonlySet<number> = new Set([129, 130, 131, 141, 143]);
/** What Windows gives a program that was ended; there, no signal is told. */
const TERMINATED = 1;

export function agentEnd({ code, signal, problem, sent, by }: ExitFacts): AgentEnd {
  const asked: AgentEnd['asked'] = sent === undefined ? undefined : (by ?? 'us');
  const isOrderly = code === 0 && (sent === undefined || sent === 'stdin');
  const end = (by: EndedBy, isCrash = false, isUnexpected = isCrash): AgentEnd => ({
    ...{ by, asked, isOrderly, isCrash, isUnexpected },
  });
  if (problem !== undefined) return end('unknown', false, true);
  if (signal !== undefined) {
    if (FAULTS.has(signal)) return end('agent', true);
    if (asked !== undefined && follows(signal, sent)) return end(asked);
    return end('elsewhere', false, asked === undefined && !SOFT.has(signal));
  }
  if (code === undefined) return end('unknown');
  if (asked === undefined) return STOPPED.has(code) ? end('elsewhere') : end('agent', code !== 0);
  // No program can handle SIGKILL: any other code is of an end that came just before.
  if (sent === 'SIGKILL' && code !== TERMINATED) return end(code === 0 ? 'agent' : 'unknown');
  return end(asked);
}

/** True if the signal is what was sent, or what follows if that is not heeded. */
function follows(signal: string, sent: EndRequest | undefined): boolean {
  if (sent === 'stdin' || sent === 'cut') return signal === 'SIGPIPE';
  return signal === sent || signal === 'SIGKILL' || signal === 'SIGTERM';
}

/**
 * Returns how the agent ended, to stand behind `the agent`: `exited with 1`, `was ended by SIGSEGV`, `was ended by
 * us, with SIGKILL`, `was sent SIGTERM by us, and exited with 143`. Not the problem that it may have had.
 */
export function endClause(exit: ExitFacts): string {
  const { code, signal, sent } = exit;
  const asked = askedWords(exit);
  if (asked !== undefined && signal !== undefined && signal === sent)
    return `was ended by ${whoAsked(exit)}, with ${signal}`;
  const how =
    signal !== undefined
      ? `was ended by ${signal}`
      : code === undefined
        ? 'ended'
        : `exited with ${code}`;
  return asked === undefined ? how : `${asked}, and ${how}`;
}

/** Returns what told the agent to end, and who: `was sent SIGTERM by us`; undefined if nobody did, or it just left. */
export function askedWords(exit: ExitFacts): string | undefined {
  const { sent } = exit;
  if (sent === undefined || agentEnd(exit).isOrderly) return undefined;
  const who = whoAsked(exit);
  if (sent === 'stdin') return `had its stdin closed by ${who}`;
  return sent === 'cut' ? `had its pipes dropped by ${who}` : `was sent ${sent} by ${who}`;
}

function whoAsked({ by }: ExitFacts): string {
  return by === 'client' ? 'the client' : 'us';
}
