// The editions of the protocol that a trace can be checked against, and the severity of a rule in each.
import { addMethod, forgetAdded, type Version } from '../methods.ts';
import type { Addition, CountsAs, Edition, EditionId } from './edition.ts';
import type { Feature } from './feature.ts';
import v1Sdk from './v1-2.4.0.json';
import v1November from './v1-2026-11.json';
import v2August from './v2-2026-08.json';
import v2Sdk from './v2-2.4.0.json';
import v2November from './v2-2026-11.json';

const registry: Partial<Record<EditionId, Edition>> = {};
const ids: EditionId[] = [];

/** The built-in editions, and after them those read from files. */
export const EDITION_IDS: readonly EditionId[] = ids;
export const EDITIONS = registry as Readonly<Record<EditionId, Edition>>;

const SDK: Readonly<Record<Version, EditionId>> = { 1: 'v1-2.4.0', 2: 'v2-2.4.0' };
/** The edition of each version that is in force: what traces are checked against if nothing shows another one. */
export const BASE: Record<Version, EditionId> = { ...SDK };

/** Makes an edition known, with its methods. One of the same id is replaced. */
export function addEdition(edition: Edition): void {
  if (!(edition.id in registry)) ids.push(edition.id);
  registry[edition.id] = edition;
  learn();
}

/** Takes back an edition that was read from a file. If it is in force, the one read before it is again. */
export function removeEdition(id: EditionId): void {
  if (!(id in registry) || isBuiltIn(id)) return;
  const { version } = EDITIONS[id];
  ids.splice(ids.indexOf(id), 1);
  delete registry[id];
  const before = (one: EditionId) => !isBuiltIn(one) && EDITIONS[one].version === version;
  if (BASE[version] === id) BASE[version] = ids.findLast(before) ?? SDK[version];
  learn();
}

/** Grows with each edition that is added or removed: schemas made before lack it, or still have it. */
export let revision = 0;

/** The capability that each gated update needs, by version; the oldest edition with the update decides. */
const GATES: Readonly<Record<Version, Map<string, string>>> = { 1: new Map(), 2: new Map() };

function learn(): void {
  revision++;
  forgetAdded();
  for (const gates of Object.values(GATES)) gates.clear();
  for (const { version, gates = {} } of ids.toReversed().map((id) => EDITIONS[id]))
    for (const [update, path] of Object.entries(gates)) GATES[version].set(update, path);
  for (const { version, methods = [], drafts } of ids.map((id) => EDITIONS[id]))
    for (const method of [...methods, ...(drafts?.methods ?? [])]) addMethod(version, method);
}

/** Puts an edition in force for its version; call it before the schemas load. */
export function useEdition({ id, version }: Edition): void {
  BASE[version] = id;
}

/** The edition of each version whose schemas a choice asks; `auto`: those in force. */
export function editionsFor(choice: EditionId | 'auto'): Readonly<Record<Version, EditionId>> {
  return choice === 'auto' ? BASE : { ...BASE, [EDITIONS[choice].version]: choice };
}

for (const edition of [v1Sdk, v1November, v2August, v2Sdk, v2November])
  addEdition(edition as Edition);
const builtIn: readonly EditionId[] = [...ids];

/** False: it was read from a file. */
export function isBuiltIn(id: string): boolean {
  return builtIn.some((one) => one === id);
}

/** The date of the newest text of the protocol that is known here. */
export function newestDate(): string {
  return ids.map((id) => EDITIONS[id].date).reduce((a, b) => (a > b ? a : b));
}

/** Older names of editions that traces and scripts may still hold. */
const ALIASES: Readonly<Record<string, EditionId>> = {
  v1: 'v1-2.4.0',
  'v2-replay-complete': 'v2-2026-11',
};

export function editionNamed(name: string): EditionId | undefined {
  return (
    ids.find((id) => id === name) ?? (Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined)
  );
}

/** An edition and those it builds on, itself first. */
export function editionLine(id: EditionId): readonly Edition[] {
  const line: Edition[] = [];
  for (let at: EditionId | undefined = id; at !== undefined; at = EDITIONS[at].on)
    line.push(EDITIONS[at]);
  return line;
}

/** The edition whose schemas an edition has; undefined: those of the SDK that is built in. */
export function ownSchemas(id: EditionId): EditionId | undefined {
  const home = editionLine(id).find(({ schema }) => schema !== undefined);
  return home?.schema && 'shapes' in home.schema ? home.id : undefined;
}

/** How much a rule, or a point of it, counts; undefined: as it says itself. */
export function countsIn(id: EditionId, rule: string): CountsAs | undefined {
  return editionLine(id).find(({ counts }) => counts?.[rule] !== undefined)?.counts?.[rule];
}

export function hasFeature(id: EditionId, feature: Feature): boolean {
  return additionsOf(id).some((one) => one.id === feature);
}

function additionsOf(id: EditionId): readonly Addition[] {
  return editionLine(id).flatMap(({ features = [] }) => features);
}

/** The first edition of a version that has a feature. */
export function firstWith(version: Version, feature: Feature): EditionId | undefined {
  return ids.find((id) => EDITIONS[id].version === version && hasFeature(id, feature));
}

/** Returns the name of a feature for people: "child sessions". */
export function featureWords(feature: Feature): string {
  const all = ids.flatMap((id) => EDITIONS[id].features ?? []);
  return all.find(({ id }) => id === feature)?.words ?? feature;
}

/** The capability of the client that an update needs in a version; undefined: none. */
export function updateGate(version: Version, update: string): string | undefined {
  return GATES[version].get(update);
}
