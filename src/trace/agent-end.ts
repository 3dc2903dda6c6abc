// How an agent ended, and by whom: the one reading of an `exit` for rules, words and views. An agent that
// was asked to end never counts as crashed, whatever its exit code.
import type { EndRequest, Exit, TraceEvent } from './event.ts';

/** The cause of the end. `elsewhere`: a signal that neither ACP Scope nor the client sent. */
type EndedBy = 'us' | 'client' | 'agent' | 'elsewhere' | 'unknown';

interface AgentEnd {
  readonly by: EndedBy;
  /** The side that asked the agent to end before it did, however it then ended; undefined: neither. */
  readonly asked: 'us' | 'client' | undefined;
  /** True if the agent failed without being asked to end: a code of failure, or a signal of a fault. */
  readonly isCrash: boolean;
  /** True if it exited with 0 without a signal: as an agent does whose client left, or that is done. */
  readonly isOrderly: boolean;
  /** True if neither side requested the end and it is not orderly: a crash, a kill from elsewhere, a problem. */
  readonly isUnexpected: boolean;
}

/** The fields of an `exit` about the end. */
export type ExitFacts = Pick<Exit, 'code' | 'signal' | 'problem' | 'sent' | 'by'>;

/** Signals that the system raises for what a program itself did. */
const FAULT = /^SIG(SEGV|ABRT|BUS|ILL|FPE|TRAP|SYS)$/;
/** Exit codes of shells and handlers after HUP, INT, QUIT, PIPE and TERM: 128 and the number of the signal. */
const STOPPED = [129, 130, 131, 141, 143];
/** The same of KILL, as a shell or a container says it: the system may have been out of memory. */
const KILLED = 137;
/** Exit code of a program that was ended on Windows, which has no signals. */
const TERMINATED = 1;

export function agentEnd({ code, signal, problem, sent, by }: ExitFacts): AgentEnd {
  const asked: AgentEnd['asked'] = sent && (by ?? 'us');
  const isOrderly = code === 0 && (!sent || sent === 'stdin');
  const end = (by: EndedBy, isCrash = false, isUnexpected = isCrash): AgentEnd => ({
    ...{ by, asked, isOrderly, isCrash, isUnexpected },
  });
  if (problem !== undefined) return end('unknown', false, true);
  if (signal) {
    if (FAULT.test(signal)) return end('agent', true);
    // Other signals ask a program to end; this one leaves it no choice.
    if (!asked) return end('elsewhere', false, signal === 'SIGKILL');
    return end(follows(signal, sent) ? asked : 'elsewhere');
  }
  if (code === undefined) return end('unknown');
  if (!asked) {
    if (code === KILLED) return end('elsewhere', false, true);
    return STOPPED.includes(code) ? end('elsewhere') : end('agent', code !== 0);
  }
  // No program can handle SIGKILL: any other code is of an end that came just before.
  const isBefore = sent === 'SIGKILL' && code !== TERMINATED;
  return end(isBefore ? (code ? 'unknown' : 'agent') : asked);
}

/** True if the signal is what was sent, or what follows if that is not heeded. */
function follows(signal: string, sent: EndRequest | undefined): boolean {
  return signal === sent || (sent?.startsWith('SIG') ? /KILL|TERM/ : /PIPE/).test(signal);
}

/**
 * Returns an unexpected end in words: `Agent crashed (exit code 1)`, `Agent was killed (137 = SIGKILL)`; undefined if
 * ACP Scope, the client or the agent itself ended it in order, or if it did not start.
 */
export function unexpectedEndWords(exit: ExitFacts): string | undefined {
  const { isUnexpected, isCrash } = agentEnd(exit);
  if (!isUnexpected || exit.problem !== undefined) return undefined;
  const { signal, code } = exit;
  if (isCrash) return `Agent crashed (${signal ?? `exit code ${code}`})`;
  return `Agent was killed (${signal ?? `${code} = SIGKILL`})`;
}

/** True if the event is an end of the agent that is a crash, or a kill by neither side. */
export function isCrash(event: TraceEvent): boolean {
  return event.type === 'exit' && unexpectedEndWords(event) !== undefined;
}

/**
 * Returns how the agent ended, to follow `the agent`: `exited with 1`, `was ended by SIGSEGV`, `was ended by
 * us, with SIGKILL`, `was sent SIGTERM by us, and exited with 143`. Not the problem that it may have had.
 */
export function endClause(exit: ExitFacts): string {
  const { code, signal, sent, by } = exit;
  const who = by === 'client' ? 'the client' : 'us';
  if (signal && signal === sent) return `was ended by ${who}, with ${signal}`;
  const exited = code === undefined ? 'ended' : `exited with ${code}`;
  const how = signal ? `was ended by ${signal}` : exited;
  if (!sent || agentEnd(exit).isOrderly) return how;
  const told = sent === 'stdin' ? 'had its stdin closed' : `was sent ${sent}`;
  return `${sent === 'cut' ? 'had its pipes dropped' : told} by ${who}, and ${how}`;
}
