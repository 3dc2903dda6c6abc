// Findings while they grow: what rules said, gathered so that one finding stands for one rule, session
// and method with all its frames. The edition of the protocol is chosen when they are read, so that a
// person may choose another without checking anew.
import type { Seq, Side } from '../trace/event.ts';
import {
  isAtLeast,
  worse,
  type Finding,
  type Place,
  type Severity,
  type Verdict,
} from './finding.ts';
import type { Fault, Undecided } from './outcome.ts';
import type { ByProfile, Profile } from './profile.ts';
import type { Rule } from './rule.ts';

/** Frames of one finding that keep words of their own. */
const MOST_PLACES = 1000;

/** What a rule judged: the frame, and what it belongs to. */
export interface Judged {
  readonly seq: Seq;
  readonly from: Side;
  readonly session: string | undefined;
  readonly method: string | undefined;
}

interface Entry {
  readonly rule: Rule;
  readonly verdict: Verdict;
  readonly side: Side;
  readonly session: string | undefined;
  readonly method: string | undefined;
  readonly severity: Severity | undefined;
  readonly profiles: ByProfile | undefined;
  readonly seqs: Set<Seq>;
  readonly due: string;
  readonly places: Place[];
}

interface Passes {
  readonly rule: Rule;
  readonly side: Side;
  count: number;
  readonly seqs: Seq[];
}

export class FindingBook {
  readonly #entries = new Map<string, Entry>();
  readonly #passes = new Map<Rule, Passes>();
  readonly #keepPasses: boolean;
  #version = 0;

  /** `keepPasses`: also which frames kept a rule, not only how many. */
  constructor(keepPasses: boolean) {
    this.#keepPasses = keepPasses;
  }

  /** Grows with every change of a fault or of what could not be decided. */
  get version(): number {
    return this.#version;
  }

  passed(rule: Rule, judged: Judged): void {
    let passes = this.#passes.get(rule);
    if (passes === undefined) {
      passes = { rule, side: sideOf(rule, judged.from), count: 0, seqs: [] };
      this.#passes.set(rule, passes);
    }
    passes.count++;
    if (this.#keepPasses) passes.seqs.push(judged.seq);
  }

  said(rule: Rule, said: Fault | Undecided, judged: Judged): void {
    this.#version++;
    const session = said.session ?? judged.session;
    const method = said.method ?? judged.method;
    const side = said.side ?? sideOf(rule, judged.from);
    const fault = said.verdict === 'fail' ? said : undefined;
    const how = fault?.profiles === undefined ? '' : JSON.stringify(fault.profiles);
    const key = [rule.id, said.verdict, side, session, method, fault?.severity, how].join('\n');
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = {
        rule,
        verdict: said.verdict,
        side,
        session,
        method,
        severity: fault?.severity,
        profiles: fault?.profiles,
        seqs: new Set(),
        due: said.verdict === 'fail' ? (said.due ?? rule.clause) : said.needs,
        places: [],
      };
      this.#entries.set(key, entry);
    }
    const seqs = said.seqs ?? [judged.seq];
    const seen = said.verdict === 'fail' ? said.seen : said.why;
    for (const seq of seqs) {
      if (entry.seqs.has(seq)) continue;
      entry.seqs.add(seq);
      if (entry.places.length < MOST_PLACES)
        entry.places.push({ seq, pointer: said.pointer ?? '', seen });
    }
  }

  /** What counts under a profile, worst first. `passes`: also the rules that nothing broke. */
  findings(profile: Profile, passes = false): readonly Finding[] {
    const merged = new Map<string, Finding>();
    for (const entry of this.#entries.values()) {
      const severity = severityOf(entry, profile);
      if (severity === 'off') continue;
      const { rule, verdict, side, session, method } = entry;
      const key = [rule.id, verdict, side, session, method].join('\n');
      const found = findingOf(entry, severity);
      const other = merged.get(key);
      merged.set(key, other === undefined ? found : joined(other, found));
    }
    const findings = [...merged.values()];
    if (passes) {
      const spoken = new Set(findings.map(({ rule }) => rule));
      for (const entry of this.#passes.values())
        if (!spoken.has(entry.rule.id)) findings.push(passOf(entry, profile));
    }
    return findings.sort(
      (a, b) =>
        order(a) - order(b) ||
        (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0) ||
        (a.seqs[0] ?? 0) - (b.seqs[0] ?? 0),
    );
  }

  /** How often each rule was judged and kept. */
  passes(): ReadonlyMap<string, number> {
    return new Map([...this.#passes.values()].map(({ rule, count }) => [rule.id, count]));
  }
}

const VERDICTS: readonly Verdict[] = ['fail', 'undecidable', 'pass'];

function order({ verdict, severity }: Finding): number {
  const rank = isAtLeast(severity, 'error') ? 0 : isAtLeast(severity, 'warning') ? 1 : 2;
  return VERDICTS.indexOf(verdict) * 3 + rank;
}

export function sideOf(rule: Rule, from: Side): Side {
  if (rule.side === 'sender') return from;
  if (rule.side === 'receiver') return from === 'client' ? 'agent' : 'client';
  return rule.side;
}

function severityOf({ rule, severity, profiles }: Entry, profile: Profile): Severity | 'off' {
  const ofFault = profiles?.[profile];
  if (ofFault !== undefined) return ofFault;
  const ofRule = rule.profiles?.[profile];
  if (ofRule === 'off') return 'off';
  return severity ?? ofRule ?? rule.severity;
}

function findingOf(entry: Entry, severity: Severity): Finding {
  const { rule, verdict, side, session, method, seqs, due, places } = entry;
  const [first] = places;
  return {
    rule: rule.id,
    verdict,
    severity,
    side,
    ...(session === undefined ? {} : { session }),
    ...(method === undefined ? {} : { method }),
    seqs: [...seqs],
    pointer: first?.pointer ?? '',
    seen: first?.seen ?? '',
    due,
    source: rule.source.url,
    places: [...places],
  };
}

/** One rule, session and method: the same finding, with the words of its worst part. */
function joined(a: Finding, b: Finding): Finding {
  const severity = worse(a.severity, b.severity);
  const [lead, other] = a.severity === severity ? [a, b] : [b, a];
  return {
    ...lead,
    seqs: [...lead.seqs, ...other.seqs],
    places: [...lead.places, ...other.places],
  };
}

function passOf({ rule, side, count, seqs }: Passes, profile: Profile): Finding {
  const severity = rule.profiles?.[profile];
  return {
    rule: rule.id,
    verdict: 'pass',
    severity: severity === undefined || severity === 'off' ? rule.severity : severity,
    side,
    seqs,
    pointer: '',
    seen: count === 1 ? 'judged once' : `judged ${count} times`,
    due: rule.clause,
    source: rule.source.url,
    places: [],
  };
}
