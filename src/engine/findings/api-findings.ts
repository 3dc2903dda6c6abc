// The page's calls about findings.
import { nextFinding, nextMarked } from '../../model/timeline/density.ts';
import { frameFindings, isOf, ruleView, viewsOf } from './finding-views.ts';
import type { FindingsApi } from './finding-messages.ts';
import type { Parts } from '../parts.ts';

export function findingsApi({ traces, looks, checks }: Parts): FindingsApi {
  return {
    async all(connection) {
      const check = (await checks.get())?.get(connection);
      if (!check) return undefined;
      return { version: check.version, findings: viewsOf(check) };
    },

    async ofFrame(connection, seq) {
      const check = (await checks.get())?.get(connection);
      if (!check) return [];
      return frameFindings(check, seq);
    },

    async next(connection, seq, direction, { key, shown = false } = {}) {
      const trace = traces.get(connection);
      if (!trace) return undefined;
      const { index } = trace;
      if (key !== undefined) {
        const check = (await checks.get())?.get(connection);
        const numbers = check?.numbersOf((part) => isOf(part, key));
        const fits = (place: number) =>
          index.findings.numbersAt(place).some((number) => numbers?.has(number) === true);
        return nextMarked(index, seq, direction, fits);
      }
      const view = shown ? looks.known(trace)?.view : undefined;
      return view ? view.nextFinding(seq, direction) : nextFinding(index, seq, direction);
    },

    async rows(connection, parts) {
      const trace = traces.get(connection);
      const view = trace && looks.known(trace)?.view;
      return view?.findingRows(parts) ?? [];
    },

    async choose(connection, choice) {
      (await checks.get())?.choose(connection, choice);
    },

    async rule(id) {
      return ruleView(id);
    },
  };
}
