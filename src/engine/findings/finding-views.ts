// Findings as the page is shown them: in small, with the first of their frames.
import { EDITION_IDS, EDITIONS, isBuiltIn } from '../../acp/editions/editions.ts';
import { againstWords, otherwise } from '../../rules/against.ts';
import { groupKey, sourceOf, type Group, type FindingPart } from '../../rules/book.ts';
import { contradicts, editionReason } from '../../rules/evidence.ts';
import type { FindingPlace } from '../../rules/finding.ts';
import { RULES } from '../../rules/registry.ts';
import type { Seq } from '../../trace/event.ts';
import type { Check } from './check.ts';
import type {
  CheckChoice,
  FindingCounts,
  FindingsState,
  FindingView,
  FrameFinding,
  RuleView,
} from './finding-messages.ts';

/** Frames that a view of a finding names. */
const MOST_PLACES = 100;

function countsOf(check: Check): FindingCounts {
  const counts = { error: 0, warning: 0, hint: 0, undecidable: 0, suppressed: 0 };
  for (const { severity, parts } of groupsOf(check)) {
    const [part] = parts;
    if (part.verdict === 'undecidable') counts.undecidable++;
    else if (check.suppressionOf(part) !== undefined) counts.suppressed++;
    else counts[severity]++;
  }
  return counts;
}

/** `choice`, `together`: what was chosen for its trace, and what it is read with. */
export function findingState(
  check: Check,
  choice: CheckChoice,
  together: FindingsState['together'],
): FindingsState {
  const { connection } = check.checker;
  return {
    connection: check.connection,
    version: check.version,
    checked: check.frames,
    done: check.nextAt === undefined,
    counts: countsOf(check),
    choice,
    edition: check.against.edition,
    words: connection.version === undefined ? 'every version' : againstWords(check.against),
    reason: editionReason(check.choice, connection),
    editions: EDITION_IDS.map((edition) => ({
      edition,
      words: EDITIONS[edition].words,
      contradicts: contradicts(edition, connection),
      ...(isBuiltIn(edition) ? {} : { own: true as const }),
    })),
    together,
  };
}

export function findingViews(check: Check): readonly FindingView[] {
  return groupsOf(check).map((group) => viewOf(check, group));
}

/** What is found on one frame, each with its own words. */
export function frameFindings(check: Check, seq: Seq): readonly FrameFinding[] {
  const here = check.partsAt(seq);
  if (here.length === 0) return [];
  return groupsOf(check).flatMap((group) => {
    const part = group.parts.find((one) => here.includes(one));
    if (part === undefined) return [];
    const place = part.places.find((one) => one.seq === seq);
    return { ...viewOf(check, group), ...(place && { place }) };
  });
}

/** Whether a part is of the finding of this key. */
export function isOf(part: FindingPart, key: string): boolean {
  return groupKey(part) === key;
}

export function ruleView(id: string): RuleView | undefined {
  const rule = RULES.find((one) => one.id === id);
  if (!rule) return undefined;
  const { versions, side, severity, clause } = rule;
  return { id, versions, side, severity, editions: otherwise(rule), clause };
}

function groupsOf({ checker, against }: Check): readonly Group[] {
  return checker.book.groups(against);
}

function viewOf(check: Check, { key, severity, parts }: Group): FindingView {
  const [{ rule, verdict, side, session, method, due, places }] = parts;
  const suppressed = check.suppressionOf(parts[0]);
  return {
    key,
    rule: rule.id,
    verdict,
    severity,
    side,
    ...(session !== undefined && { session }),
    ...(method && { method }),
    frames: parts.reduce((sum, { seqs }) => sum + seqs.size, 0),
    places: firstPlaces(parts),
    seen: places[0]?.seen ?? '',
    due,
    source: sourceOf(parts[0], check.against.edition),
    ...(suppressed !== undefined && { suppressed }),
  };
}

/** The frame that the sentence is about, then the others by their place in the trace, each once. */
function firstPlaces(parts: readonly FindingPart[]): readonly FindingPlace[] {
  const found = new Map<Seq, FindingPlace>();
  for (const { places } of parts)
    for (const place of places.slice(0, MOST_PLACES))
      if (!found.has(place.seq)) found.set(place.seq, place);
  const [first, ...others] = found.values();
  if (first === undefined) return [];
  return [first, ...others.sort((a, b) => a.seq - b.seq)].slice(0, MOST_PLACES);
}
