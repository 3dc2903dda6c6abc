// What a probe is: a question put to a live agent, and the verdict on what it did. Catalogue and
// verdicts follow the protocol's pages and schemas of SDK 2.4.0, which it names.
import { type VerdictWord, worstWord } from '../verdict.ts';
import { CODE } from '../../acp/message.ts';
import { str } from '../../acp/json.ts';
import { withoutEnd } from '../../lib/sentence.ts';
import { errorText, minus, oneLine } from '../../model/words.ts';
import type { Answered } from '../heard.ts';
import type { Turn } from '../turn.ts';
import type { Seq } from '../../trace/event.ts';
import { SDK, SITE } from '../../acp/pages.ts';

/** Frames a verdict rests on, in one trace. */
export interface Evidence {
  readonly trace: string;
  readonly seqs: readonly Seq[];
}

export interface ProbeVerdict {
  readonly verdict: VerdictWord;
  /** A sentence: what was seen, and what was due. */
  readonly why: string;
  /** The trace that shows it best comes first. */
  readonly evidence: readonly Evidence[];
}

/** `load/roundtrip`; of what a rule found `rule/rpc/response-duplicate`. */
export interface ProbeResult extends ProbeVerdict {
  readonly id: string;
}

/** It cannot be asked here; the sentence says why. */
export class CannotAsk extends Error {
  readonly evidence: readonly Evidence[];
  constructor(message: string, ...spots: readonly Spot[]) {
    super(message);
    this.evidence = evidenceOf(spots);
  }
}

/** What shows something: answers stand for their request and themselves, turns for their end too. */
export type Spot = Evidence | Answered | Turn | undefined;

/** The frames of a connection. */
export function at(
  { trace }: { readonly trace: string },
  ...spots: readonly (Seq | { readonly seq: Seq } | Answered | Turn | undefined)[]
): Evidence {
  const seqs = spots.flatMap((spot): readonly (Seq | undefined)[] => {
    if (spot === undefined || typeof spot === 'number') return [spot];
    if ('seq' in spot) return [spot.seq];
    const { requestSeq, answerSeq } = 'prompt' in spot ? spot.prompt : spot;
    return [requestSeq, answerSeq, 'prompt' in spot ? spot.end : undefined];
  });
  return { trace, seqs: seqs.filter((seq) => seq !== undefined) };
}

/** Each of them, in its trace. */
export function evidenceOf(spots: readonly Spot[]): readonly Evidence[] {
  return spots.flatMap((spot) => {
    if (spot === undefined) return [];
    if ('seqs' in spot) return spot;
    return at('prompt' in spot ? spot.prompt : spot, spot);
  });
}

/** With a word that was chosen elsewhere. */
export function say(verdict: VerdictWord, why: string, ...spots: readonly Spot[]): ProbeVerdict {
  return { verdict, why, evidence: evidenceOf(spots) };
}

export const pass = (why: string, ...spots: Spot[]) => say('pass', why, ...spots);
export const fail = (why: string, ...spots: Spot[]) => say('fail', why, ...spots);
export const warn = (why: string, ...spots: Spot[]) => say('warn', why, ...spots);
export const info = (why: string, ...spots: Spot[]) => say('info', why, ...spots);
export const skip = (why: string, ...spots: Spot[]) => say('skip', why, ...spots);

/** Of several questions the worst verdict, in the words of those that had it. */
export function worstVerdict(verdicts: readonly ProbeVerdict[]): ProbeVerdict {
  const word = worstWord(verdicts.map(({ verdict }) => verdict));
  const meant = verdicts.filter((one) => one.verdict === word);
  return {
    verdict: word,
    why: [...new Set(meant.map(({ why }) => why))].join(' '),
    evidence: merged(meant.flatMap(({ evidence }) => evidence)),
  };
}

/** The worst of what is asked one after the other. */
export async function worstOf<T>(
  all: Iterable<T>,
  ask: (one: T) => Promise<ProbeVerdict>,
): Promise<ProbeVerdict> {
  const verdicts: ProbeVerdict[] = [];
  for (const one of all) verdicts.push(await ask(one));
  return worstVerdict(verdicts);
}

function merged(evidence: readonly Evidence[]): Evidence[] {
  const byTrace = new Map<string, Set<Seq>>();
  for (const { trace, seqs } of evidence) {
    const known = byTrace.get(trace) ?? new Set();
    for (const seq of seqs) known.add(seq);
    byTrace.set(trace, known);
  }
  return [...byTrace].map(([trace, seqs]) => ({ trace, seqs: [...seqs] }));
}

/** How a turn ended, for a sentence. */
export function stopReasonOf({ stopReason = 'no stop reason' }: Turn): string {
  return stopReason;
}

// What an agent answered, in the words of a verdict; and the verdict on what it had to refuse.

const LONGEST = 160;

export function quotedPlain(text: string): string {
  return `“${oneLine(text, LONGEST)}”`;
}

/** `was refused with −32602 “Invalid params”`, `got a result`, `got no answer`. */
export function outcomeWords({ error, answer, requestSeq, refusal }: Answered): string {
  if (error) return `was refused with ${minus(error.code)} ${quotedPlain(errorText(error))}`;
  if (answer) return 'got a result';
  if (refusal !== undefined) return `got no answer (${withoutEnd(refusal, '.')})`;
  return requestSeq === undefined ? 'could not be sent' : 'got no answer';
}

/** The agent wants a sign-in first, so nothing about sessions can be asked. */
export function wantsSignIn({ error }: Answered): boolean {
  return error?.code === CODE.authRequired;
}

/**
 * The verdict on a request that an agent must, or should, refuse; no answer at all is a failure. `what`:
 * subject of the sentence. `accepted`: where it got a result; `other`: where it got another code.
 */
export function refused(
  answered: Answered,
  what: string,
  due: number,
  accepted: VerdictWord = 'warn',
  other = accepted,
): ProbeVerdict {
  const words = `${what} ${outcomeWords(answered)}`;
  if (wantsSignIn(answered)) return skip(`${words}: the agent wants a sign-in first.`, answered);
  const { error, result } = answered;
  if (error?.code === due) return pass(`${words}, as due.`, answered);
  const bad = error ? other : result === undefined ? 'fail' : accepted;
  return say(bad, `${words}. Expected: ${minus(due)}.`, answered);
}

/** −32002, in v2 with the session it is about. */
export function refusedSession(
  { version }: { readonly version: 1 | 2 },
  answered: Answered,
  what: string,
  sessionId: string,
  accepted: VerdictWord = 'warn',
  other: VerdictWord = 'warn',
): ProbeVerdict {
  const verdict = refused(answered, what, CODE.notFound, accepted, other);
  const isNamed = str(answered.error?.data, 'sessionId') === sessionId;
  if (verdict.verdict !== 'pass' || isNamed) return verdict;
  const why = `${what} ${outcomeWords(answered)}, as due, but without data.sessionId.`;
  return say(version === 2 ? 'warn' : 'pass', why, answered);
}

interface SpecPage {
  /** `v1, session setup`. */
  readonly words: string;
  readonly url: string;
}

/** One page, or one for each version. */
export type Pages = readonly SpecPage[];

/** A page of the protocol, and the heading on it. */
export function onPage(version: 1 | 2, name: string, heading?: string): Pages {
  const anchor = heading === undefined ? '' : `#${heading}`;
  const words = `v${version}, ${name.replaceAll('-', ' ')}`;
  return [{ words, url: `${SITE}/protocol/v${version}/${name}${anchor}` }];
}

/** The page and heading of this name, which both versions have. */
export function onPages(name: string, heading?: string): Pages {
  return [...onPage(1, name, heading), ...onPage(2, name, heading)];
}

/** A page of v2 that is newer than the one of August. */
export function onDraft(name: string, heading: string): Pages {
  const words = `v2 draft, ${name.replaceAll('-', ' ')}`;
  return [{ words, url: `${SITE}/protocol/v2/draft/${name}#${heading}` }];
}

/** The description of a definition in the schema. */
export function inSchema(version: 1 | 2, definition: string): Pages {
  const url = `${SITE}/protocol/v${version}/schema#${definition.toLowerCase()}`;
  return [{ words: `v${version} schema, ${definition}`, url }];
}

export function inRfd(name: string, heading?: string): Pages {
  const anchor = heading === undefined ? '' : `#${heading}`;
  return [{ words: `RFD ${name.replaceAll('-', ' ')}`, url: `${SITE}/rfds/${name}${anchor}` }];
}

/** What the official TypeScript SDK 2.4.0 does, where no page says it. */
export function inSdk(file: string): Pages {
  return [{ words: `TypeScript SDK 2.4.0, ${file}`, url: `${SDK}/src/${file}.ts` }];
}
