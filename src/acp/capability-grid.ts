// What one side offers in both versions, for a table of both.
import { capabilitiesOf } from './capabilities.ts';
import type { JsonObject } from './message.ts';
import type { Role, Version } from './methods.ts';

/** `none`: the version has no such capability. `unasked`: nobody has heard that side in it. */
type Offer = 'yes' | 'no' | 'none' | 'unasked';

interface CapabilityRow {
  readonly name: string;
  readonly offers: Readonly<Record<Version, Offer>>;
  /** Where it stands, by version; absent: the version has none. */
  readonly paths: Readonly<Partial<Record<Version, string>>>;
}

/** What one side offers in both versions, each capability once. Absent: it was not heard in that version. */
export function capabilityGrid(
  role: Role,
  said: Readonly<Partial<Record<Version, JsonObject>>>,
): readonly CapabilityRow[] {
  const listed = ([1, 2] as const).flatMap((version) =>
    capabilitiesOf(version, role, said[version] ?? {}).map((one) => ({ ...one, version })),
  );
  const [first, second] = ([1, 2] as const).map((version) =>
    listed.flatMap((one) => (one.version === version ? [one.name] : [])),
  );
  return merged(first, second).map((name) => {
    const of = (version: Version) =>
      listed.find((one) => one.name === name && one.version === version);
    const offer = (version: Version): Offer => {
      const one = of(version);
      if (!one) return 'none';
      if (said[version] === undefined) return 'unasked';
      return one.advertised ? 'yes' : 'no';
    };
    const [one, two] = [of(1)?.path, of(2)?.path];
    return {
      name,
      offers: { 1: offer(1), 2: offer(2) },
      paths: { ...(one !== undefined && { 1: one }), ...(two !== undefined && { 2: two }) },
    };
  });
}

/** What the second alone has stands before what follows it there. */
function merged(first: readonly string[] = [], second: readonly string[] = []): readonly string[] {
  return second.reduceRight<readonly string[]>((all, name, at) => {
    if (all.includes(name)) return all;
    const next = second[at + 1];
    return all.toSpliced(next === undefined ? all.length : all.indexOf(next), 0, name);
  }, first);
}
