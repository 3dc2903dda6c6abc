// A baseline: what failed in an earlier run (its JSON) fails no build any more.
import { objects, parseJson, str } from '../../../acp/json.ts';

export type Baseline = ReadonlySet<string>;

/** The ids that failed there; undefined: the text is no run of probes in JSON. */
export function readBaseline(text: string): Baseline | undefined {
  const document = parseJson(text);
  const probes = objects(document, 'probes');
  if (probes.length === 0) return undefined;
  return new Set(
    probes.flatMap((probe) => (str(probe, 'verdict') === 'fail' ? (str(probe, 'id') ?? []) : [])),
  );
}
