// The line below a connection or a trace in the rail.
import type { TraceSummary } from '../../engine/messages.ts';
import { count, formatBytes } from '../../lib/format.ts';
import { formatSpan, fullTime, knownDate } from '../../lib/format-time.ts';
import { known } from '../../lib/time.ts';
import { agentEnd, type ExitFacts } from '../../trace/agent-end.ts';

const DAY_MS = 86_400_000;
/** A file of which a part is here. */
const READING = 'being read';

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
  if (trace.reading) return READING;
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

/** `waits for you · v2 · 1.0.0`: what may be cut stands last. Of one among namesakes: when it began, too. */
export function connectionWords(trace: TraceSummary, all: readonly TraceSummary[]): string {
  const { handshake } = trace.facts ?? {};
  const client = handshake?.client;
  const parts = [
    doing(trace),
    trace.version !== undefined && `v${trace.version}`,
    trace.mode === 'tap' &&
      (client ? `tap from ${client.name}${client.version ? ` ${client.version}` : ''}` : 'tap'),
    handshake?.agent?.version,
    all.some((one) => one.name === trace.name && one.number !== trace.number && !one.group) &&
      timeWords(knownDate(trace.startedAt)),
  ];
  return parts.filter((part) => part).join(' · ');
}

/** `today 10:41 · v1 · opencode`: the part that may be truncated is last. A file that is being read says so first. */
export function traceWords(trace: TraceSummary, now: Date): string {
  const parts = [
    trace.reading && READING,
    dayWords(trace.startedAt, now),
    trace.version !== undefined && `v${trace.version}`,
    trace.agent !== trace.name && trace.agent,
  ];
  return parts.filter((part) => part).join(' · ');
}

/** Said on hover, where there is room. */
export function traceTitle(trace: TraceSummary): string {
  const { started, lastEventAt } = trace.facts ?? {};
  const parts = [
    `c${trace.number} ${trace.name}`,
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

/** The connections of a run of ours stand in the rail as one entry, below those made by hand. */
export interface RailRunEntry {
  readonly id: string;
  readonly title: string;
  /** In the order they were made. */
  readonly traces: readonly TraceSummary[];
}
export type RailEntry = { readonly trace: TraceSummary } | { readonly run: RailRunEntry };

/** What stands under the two headings of the rail, from the top. */
export interface RailLists {
  readonly connections: readonly TraceSummary[];
  readonly stored: readonly TraceSummary[];
}

/** Each of them where it stood before, and on top those that came since. */
export function stayingPut(now: RailLists, before: RailLists): RailLists {
  const known = new Set([...before.connections, ...before.stored].map((one) => one.connection));
  const byId = new Map([...now.connections, ...now.stored].map((one) => [one.connection, one]));
  const put = (list: keyof RailLists) => [
    ...now[list].filter(({ connection }) => !known.has(connection)),
    ...before[list].flatMap(({ connection }) => byId.get(connection) ?? []),
  ];
  return { connections: put('connections'), stored: put('stored') };
}

/** Connections made by hand in the order of `traces`, then the runs, the newest first. */
export function railEntries(traces: readonly TraceSummary[]): readonly RailEntry[] {
  const runs = new Map<string, TraceSummary[]>();
  for (const trace of traces) {
    const { group } = trace;
    if (group === undefined) continue;
    runs.set(group.id, [...(runs.get(group.id) ?? []), trace]);
  }
  const newest = (all: readonly TraceSummary[]) => Math.max(...all.map(({ number }) => number));
  return [
    ...traces.filter(({ group }) => group === undefined).map((trace) => ({ trace })),
    ...[...runs]
      .toSorted(([, a], [, b]) => newest(b) - newest(a))
      .map(([id, all]) => ({
        run: {
          id,
          title: all[0]?.group?.title ?? '',
          traces: all.toSorted((a, b) => a.number - b.number),
        },
      })),
  ];
}

/** Which run of ours this is: `Bundled agent · S1 · today 10:41`. */
export function runWords(
  run: readonly TraceSummary[],
  all: readonly TraceSummary[],
  now: Date,
): string {
  const [first] = run;
  if (!first) return '';
  const about = first.group?.session;
  const sessions = all.flatMap(({ facts }) => facts?.sessions ?? []);
  const chip = sessions.find((one) => one.sessionId === about && one.chip !== '')?.chip;
  const agent = run.find((one) => one.agent !== undefined)?.agent ?? first.name;
  return [agent, chip, dayWords(first.startedAt, now)].filter((part) => part).join(' · ');
}
