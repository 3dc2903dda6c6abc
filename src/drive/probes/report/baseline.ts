// A baseline of probes: an earlier run in JSON.
import { objects, parseJson } from '../../../acp/json.ts';
import { baselineOf, type Baseline } from '../../baseline.ts';

/** Undefined: the text is no run of probes in JSON. */
export function readBaseline(text: string): Baseline | undefined {
  const probes = objects(parseJson(text), 'probes');
  return probes.length === 0 ? undefined : baselineOf(probes);
}
