// Findings while they grow: what rules said, gathered so that one finding stands for one rule, session
// and method with all its frames. What they are held against is chosen when they are read, so that a
// person may choose another edition without checking anew.
import type { EditionId } from '../acp/editions/edition.ts';
import type { Feature } from '../acp/editions/feature.ts';
import { BASE, countsIn, EDITIONS } from '../acp/editions/editions.ts';
import type { Version } from '../acp/methods.ts';
import { otherSide, type Seq, type Side } from '../trace/event.ts';
import {
  findingKey,
  SEVERITIES,
  worse,
  type AtFault,
  type Finding,
  type FindingPlace,
  type Severity,
  type Verdict,
} from './finding.ts';
import { includes, type Against } from './against.ts';
import type { RuleFault, Undecided, Rule } from './rule.ts';
import { sourceIn, type Source } from './source.ts';
import { SOURCES } from './sources.ts';

/** Frames of one finding that keep words of their own. */
const MOST_PLACES = 1000;
/** Characters of what was seen; a frame may name a method of any length. */
const MOST_WORDS = 500;

/** What a rule judged: the frame, and what it belongs to. */
export interface JudgedFrame {
  readonly seq: Seq;
  readonly from: Side;
  readonly session: string | undefined;
  readonly method: string | undefined;
  /** Its place in an array of messages; undefined: it is a line of its own. */
  readonly member: number | undefined;
  /** The version it was judged by; undefined: that of the edition. */
  readonly version?: Version | undefined;
}

/** What one rule said alike of frames: a finding, or the part of it that counts alike. */
export interface FindingPart {
  readonly rule: Rule;
  readonly verdict: Exclude<Verdict, 'pass'>;
  readonly side: AtFault;
  readonly session: string | undefined;
  readonly method: string | undefined;
  readonly severity: Severity | undefined;
  readonly sentence: string | undefined;
  readonly point: string | undefined;
  readonly feature: Feature | undefined;
  readonly lacking: Feature | undefined;
  readonly newer: true | undefined;
  readonly version: Version | undefined;
  readonly seqs: ReadonlySet<Seq>;
  readonly due: string;
  /** Of a very long one, the first. */
  readonly places: readonly FindingPlace[];
}

interface Entry extends FindingPart {
  readonly seqs: Set<Seq>;
  readonly places: FindingPlace[];
}

/** The parts that are one finding under an edition, and how much it counts. */
export interface Group {
  /** The same for the same finding, whatever is found beside it. */
  readonly key: string;
  readonly severity: Severity;
  /** The worst first. */
  readonly parts: readonly [FindingPart, ...FindingPart[]];
}

/** The frames that kept a rule; `side`: who sent the first of them. */
interface Passes {
  readonly rule: Rule;
  readonly side: Side;
  readonly seqs: Seq[];
}

export class FindingBook {
  readonly #entries = new Map<string, Entry>();
  readonly #passes = new Map<Rule, Passes>();
  readonly #keepPasses: boolean;
  readonly #heard: ((part: FindingPart, seq: Seq) => void) | undefined;
  #version = 0;

  /**
   * `keepPasses`: also which frames kept which rule. `heard`: is told each frame of each part once,
   * as it is found.
   */
  constructor(keepPasses: boolean, heard?: (part: FindingPart, seq: Seq) => void) {
    this.#keepPasses = keepPasses;
    this.#heard = heard;
  }

  /** Grows with every change of a fault or of what could not be decided. */
  get version(): number {
    return this.#version;
  }

  passed(rule: Rule, judged: JudgedFrame): void {
    if (!this.#keepPasses) return;
    const passes = this.#passes.get(rule);
    if (passes) passes.seqs.push(judged.seq);
    else this.#passes.set(rule, { rule, side: faultSide(rule, judged.from), seqs: [judged.seq] });
  }

  /** `byIntercept`: it is an intercept's doing. */
  said(rule: Rule, said: RuleFault | Undecided, judged: JudgedFrame, byIntercept = false): void {
    this.#version++;
    const session = said.session ?? judged.session;
    const method = said.method ?? judged.method;
    const side = byIntercept ? 'intercept' : (said.side ?? faultSide(rule, judged.from));
    const fault = said.verdict === 'fail' ? said : undefined;
    const { severity, sentence, point, feature, lacking, newer, missing } = fault ?? {};
    const found = groupKey({ rule, verdict: said.verdict, side, session, method, newer });
    const { version } = judged;
    const key = [found, severity, sentence, point, feature, lacking, version].join('\n');
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = {
        rule,
        verdict: said.verdict,
        side,
        session,
        method,
        severity,
        sentence,
        point,
        feature,
        lacking,
        newer,
        version,
        seqs: new Set(),
        due: said.verdict === 'fail' ? (said.due ?? rule.clause) : said.needs,
        places: [],
      };
      this.#entries.set(key, entry);
    }
    const seqs = said.seqs ?? [judged.seq];
    const seen = short(said.verdict === 'fail' ? said.seen : said.why);
    for (const seq of seqs) {
      const within = judged.member === undefined || seq !== judged.seq ? '' : `/${judged.member}`;
      const pointer = within + (said.pointer ?? '');
      const isNew = !entry.seqs.has(seq);
      if (entry.places.length < MOST_PLACES && (isNew || !holds(entry.places, seq, pointer)))
        entry.places.push({ seq, pointer, seen, ...(missing && { missing }) });
      if (!isNew) continue;
      entry.seqs.add(seq);
      this.#heard?.(entry, seq);
    }
  }

  /** What counts, worst first. `passes`: also the rules that nothing broke. */
  findings(against: Against, passes = false): readonly Finding[] {
    const findings = this.groups(against).map((group) => findingOf(group, against));
    if (!passes) return findings;
    const spoken = new Set(findings.map(({ rule }) => rule));
    const kept = [...this.#passes.values()]
      .filter(({ rule }) => !spoken.has(rule.id))
      .map((entry) => passOf(entry, against));
    return [...findings, ...kept].sort(
      (a, b) =>
        order(a.verdict, a.severity) - order(b.verdict, b.severity) ||
        byRule(a.rule, b.rule) ||
        (a.seqs[0] ?? 0) - (b.seqs[0] ?? 0),
    );
  }

  /** The same but for passes, and without a copy of all their frames. */
  groups(against: Against): readonly Group[] {
    const groups = new Map<string, Group>();
    for (const found of this.#entries.values()) {
      const entry = against.isMixed && !isOfOneFrame(found) ? unsure(found) : found;
      const severity = severityOf(entry, against);
      if (severity === 'off') continue;
      const key = groupKey(entry);
      const known = groups.get(key);
      groups.set(key, known ? joined(known, entry, severity) : { key, severity, parts: [entry] });
    }
    return [...groups.values()].sort(
      (a, b) =>
        order(a.parts[0].verdict, a.severity) - order(b.parts[0].verdict, b.severity) ||
        byRule(a.parts[0].rule.id, b.parts[0].rule.id) ||
        firstOf(a) - firstOf(b),
    );
  }
}

/** Families of rules that read one frame, whatever came before it. */
const FRAME_FAMILIES: ReadonlySet<string> = new Set(['frame', 'schema', 'shape', 'enum', 'method']);

function isOfOneFrame({ rule }: FindingPart): boolean {
  if (FRAME_FAMILIES.has(rule.id.slice(0, rule.id.indexOf('/')))) return true;
  return (
    rule.id.startsWith('rpc/') && !rule.id.startsWith('rpc/response') && rule.id !== 'rpc/id-reuse'
  );
}

/** A fault that the lines of another connection may have made. */
function unsure(part: FindingPart): FindingPart {
  if (part.verdict !== 'fail') return part;
  const places = part.places.map((place) => ({ ...place, seen: `${place.seen}; ${MIXED}` }));
  return { ...part, verdict: 'undecidable', due: 'a recording of each connection', places };
}

const MIXED = 'the lines are of several connections';

/** The key of the group that a part belongs to. */
export function groupKey(
  part: Pick<FindingPart, 'rule' | 'verdict' | 'side' | 'session' | 'method' | 'newer'>,
): string {
  return findingKey({ ...part, rule: part.rule.id });
}

function short(words: string): string {
  return words.length <= MOST_WORDS ? words : `${words.slice(0, MOST_WORDS)}…`;
}

function holds(places: readonly FindingPlace[], seq: Seq, pointer: string): boolean {
  return places.some((place) => place.seq === seq && place.pointer === pointer);
}

const VERDICTS: readonly Verdict[] = ['fail', 'undecidable', 'pass'];

function order(verdict: Verdict, severity: Severity): number {
  return VERDICTS.indexOf(verdict) * 3 + SEVERITIES.indexOf(severity);
}

/** Their breach costs a client history or a session: they stand before others that weigh as much. */
const FIRST_FAMILIES = [
  'replay',
  'load',
  'resume',
  'session',
  'message',
  'state',
  'list',
  'prompt',
];
/** Nobody has to mend anything. */
const LAST_RULES = ['method/unstable'];

function byRule(a: string, b: string): number {
  const by = placeOf(a) - placeOf(b);
  return by !== 0 ? by : a < b ? -1 : a > b ? 1 : 0;
}

function placeOf(rule: string): number {
  if (LAST_RULES.includes(rule)) return FIRST_FAMILIES.length + 1;
  const place = FIRST_FAMILIES.indexOf(rule.slice(0, rule.indexOf('/')));
  return place < 0 ? FIRST_FAMILIES.length : place;
}

function firstOf({ parts: [{ seqs }] }: Group): number {
  for (const seq of seqs) return seq;
  return 0;
}

function faultSide(rule: Rule, from: Side): Side {
  if (rule.side === 'sender') return from;
  if (rule.side === 'receiver') return otherSide(from);
  return rule.side;
}

/** How much a part counts. */
export function severityOf(part: FindingPart, against: Against): Severity | 'off' {
  const { rule, severity, point, feature, lacking } = part;
  if (lacking !== undefined && includes(against, lacking)) return 'off';
  if (feature !== undefined && !includes(against, feature)) return 'off';
  if (rule.feature !== undefined && !includes(against, rule.feature))
    if (!against.asked.includes(rule.feature)) return 'off';
  const edition = editionOf(part, against.edition);
  const ofPoint = point === undefined ? undefined : countsIn(edition, `${rule.id}#${point}`);
  if (ofPoint !== undefined) return ofPoint;
  const ofRule = countsIn(edition, rule.id);
  if (ofRule === 'off') return 'off';
  return severity ?? ofRule ?? rule.severity;
}

export function sourceOf(part: FindingPart, edition: EditionId): Source {
  const { rule, sentence, method } = part;
  return sourceIn(SOURCES[rule.id], editionOf(part, edition), sentence ?? method);
}

/** A message of another version than the agreed one counts as in the first edition of its version. */
function editionOf({ version }: FindingPart, edition: EditionId): EditionId {
  return version === undefined || EDITIONS[edition].version === version ? edition : BASE[version];
}

/** One rule, session and method: the same finding, with the words of its worst part. */
function joined({ key, severity, parts }: Group, part: FindingPart, its: Severity): Group {
  return worse(severity, its) === severity
    ? { key, severity, parts: [...parts, part] }
    : { key, severity: its, parts: [part, ...parts] };
}

function findingOf({ severity, parts }: Group, { edition }: Against): Finding {
  const [part] = parts;
  const { rule, verdict, side, session, method, newer, due, places } = part;
  const [first] = places;
  return {
    rule: rule.id,
    verdict,
    severity,
    side,
    ...(session === undefined ? {} : { session }),
    ...(method === undefined ? {} : { method }),
    ...(newer && { newer }),
    seqs: [...new Set(parts.flatMap(({ seqs }) => [...seqs]))],
    pointer: first?.pointer ?? '',
    seen: first?.seen ?? '',
    due,
    source: sourceOf(part, edition),
    places: parts.flatMap((part) => part.places),
  };
}

function passOf({ rule, side, seqs }: Passes, { edition }: Against): Finding {
  const severity = countsIn(edition, rule.id);
  return {
    rule: rule.id,
    verdict: 'pass',
    severity: severity === undefined || severity === 'off' ? rule.severity : severity,
    side,
    seqs,
    pointer: '',
    seen: seqs.length === 1 ? 'judged once' : `judged ${seqs.length} times`,
    due: rule.clause,
    source: sourceIn(SOURCES[rule.id], edition),
    places: [],
  };
}
