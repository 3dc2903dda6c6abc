// The words of runs and sessions in the rail.
import type { TraceSummary } from '../../engine/messages.ts';
import { count, formatBytes, formatCount } from '../../lib/format.ts';
import { formatSpan, fullTime, knownDate } from '../../lib/format-time.ts';
import { known } from '../../lib/time.ts';
import type { RailRun, RailSession } from '../../state/connections/rail-tree.ts';
import { agentEnd, type ExitFacts } from '../../trace/agent-end.ts';

const DAY_MS = 86_400_000;

/** `today 10:41`, `yesterday`, `18 Nov`. */
export function dayWords(iso: string, now: Date): string {
  const then = knownDate(iso);
  if (!then) return '';
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  if (then.getTime() >= midnight) return `today ${timeWords(then)}`;
  if (then.getTime() >= midnight - DAY_MS) return 'yesterday';
  return then.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(then.getFullYear() !== now.getFullYear() && { year: 'numeric' }),
  });
}

function timeWords(moment: Date | undefined): string | undefined {
  return moment?.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}

export function waitsForYou({ state, facts }: TraceSummary): boolean {
  if (state !== 'running' || !facts) return false;
  return facts.open.some(({ from }) => from === 'agent') || !!facts.intercept?.held.length;
}

/** How it ended, without the problem it may have had: `ended by SIGKILL`, `killed by us`, `exited 137`. */
export function agentEndWords(exit: ExitFacts): string {
  const { code, signal, sent } = exit;
  const { by, isOrderly } = agentEnd(exit);
  if (isOrderly) return 'ended well';
  if (by === 'us' || by === 'client') {
    const isKilled = signal === 'SIGKILL' || sent === 'SIGKILL';
    return `${isKilled ? 'killed' : 'ended'} by ${by === 'us' ? 'us' : 'the client'}`;
  }
  if (signal !== undefined) return `ended by ${signal}`;
  return code === undefined ? 'ended' : `exited ${code}`;
}

/** The sign before its name; empty: it ended as it should. */
export function dotOf(trace: TraceSummary): 'wait' | 'live' | 'bad' | '' {
  if (waitsForYou(trace)) return 'wait';
  if (trace.state === 'running') return 'live';
  return trace.facts?.exit && agentEnd(trace.facts.exit).isUnexpected ? 'bad' : '';
}

/** What it does now, or how it ended: `waits for you`, `idle`, `killed by us`. */
export function doing(trace: TraceSummary): string {
  const { facts, state } = trace;
  if (trace.reading) return 'being read';
  if (state === 'ended') {
    const exit = facts?.exit;
    if (exit?.problem !== undefined)
      return facts?.handshake?.version === undefined ? 'did not start' : 'broke off';
    if (trace.lost) return 'relay gone';
    return exit ? agentEndWords(exit) : 'ended';
  }
  if (waitsForYou(trace)) return 'waits for you';
  if (facts?.signIn) return 'asks for sign-in';
  if (facts?.sessions.some(({ turn }) => turn === 'running')) return 'works';
  if (facts && facts.frames === 0)
    return trace.mode === 'tap' ? 'waits for the first frame' : 'no frame yet';
  if (facts?.open.some(({ from }) => from === 'client')) return 'no answer yet';
  return 'idle';
}

/** What a live run does now; of an ended one its size, unless its agent ended in disorder. */
export function runState(trace: TraceSummary): string {
  const { exit } = trace.facts ?? {};
  const isOrderly = trace.state === 'ended' && (!exit || agentEnd(exit).isOrderly);
  if (!isOrderly || trace.reading || trace.lost) return doing(trace);
  return count(trace.frames, 'frame');
}

/** What tells a run from others of its name: its own name, its editor. Empty: its agent and its session do. */
export function runMeta({ trace, sessionId, name }: RailRun): string {
  const { agent, mode, group, facts } = trace;
  if (group) return '';
  const client = facts?.handshake?.client;
  // An agent that was started is named after its command, until a person renames it.
  const command = mode === 'drive' ? (facts?.started?.shown ?? facts?.started?.argv) : undefined;
  const isDefault = command?.join(' ').includes(trace.name) === true;
  const parts = [
    trace.name !== agent && trace.name !== name && !isDefault && trace.name,
    mode === 'tap' &&
      (client ? `tap from ${client.name}${client.version ? ` ${client.version}` : ''}` : 'tap'),
    sessionId === undefined && trace.version !== undefined && `v${trace.version}`,
    sessionId === undefined && agent !== name && agent,
  ];
  return parts.filter((part) => part).join(' · ');
}

/** `0.1.0 · v2 · 6 messages & tools`: of a session, from its newest trace. */
export function sessionMeta({ trace, items }: Pick<RailSession, 'trace' | 'items'>): string {
  const { agentVersion, version } = trace;
  return [
    agentVersion,
    version !== undefined && `v${version}`,
    items > 0 ? `${formatCount(items)} messages & tools` : 'no live part',
  ]
    .filter((part) => part)
    .join(' · ');
}

/** Text of the tooltip of a run. */
export function runTitle({ trace, name }: RailRun): string {
  const { started, lastEventAt } = trace.facts ?? {};
  const parts = [
    `${name} · c${trace.number} ${trace.name} · ${dayWords(trace.startedAt, new Date())}`,
    doing(trace),
    `${count(trace.frames, 'frame')}, ${formatBytes(trace.stored)}`,
    (started?.shown ?? started?.argv)?.join(' '),
    trace.file,
    trace.tags?.join(', '),
    trace.note,
    fullTime(trace.startedAt),
    lastEventAt !== undefined &&
      (known(lastEventAt) === undefined ? 'no times' : `lasted ${formatSpan(lastEventAt)}`),
  ];
  return parts.filter((part) => part).join('\n');
}
