// The page's calls about findings.
import { nextFinding, nextMarked } from '../../model/timeline/density.ts';
import { frameFindings, isOf, ruleView, findingViews } from './finding-views.ts';
import type { ConnectionId, Seq } from '../../trace/event.ts';
import type { OpenedEdition } from './own-editions.ts';
import type { EditionId } from '../../acp/editions/edition.ts';
import type { CheckChoice, FindingsAnswer, FrameFinding, RuleView } from './finding-messages.ts';
import type { Parts } from '../parts.ts';

/** Which of the frames with findings are meant. Nothing: all that count. */
interface Among {
  /** Of this finding alone, whether it counts or not. */
  readonly key?: string;
  /** Only frames that the query of the timeline lets through. */
  readonly shown?: boolean;
}

export function findingsApi({ traces, looks, checks }: Parts) {
  return {
    /** Undefined: there is no such trace any more. */
    async all(connection: ConnectionId): Promise<FindingsAnswer | undefined> {
      const check = (await checks.get())?.get(connection);
      if (!check) return undefined;
      return { version: check.version, findings: findingViews(check) };
    },

    async ofFrame(connection: ConnectionId, seq: Seq): Promise<readonly FrameFinding[]> {
      const check = (await checks.get())?.get(connection);
      if (!check) return [];
      return frameFindings(check, seq);
    },

    /** The next frame with a finding, before or after. */
    async next(
      connection: ConnectionId,
      seq: Seq,
      direction: 1 | -1,
      { key, shown = false }: Among = {},
    ) {
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

    /** Rows of the timeline with findings: of about so many parts of it, the worst one each. */
    async rows(connection: ConnectionId, parts: number) {
      const trace = traces.get(connection);
      const view = trace && looks.known(trace)?.view;
      return view?.findingRows(parts) ?? [];
    },

    async choose(connection: ConnectionId, choice: CheckChoice) {
      await (await checks.get())?.choose(connection, choice);
    },

    /**
     * Makes the edition of a document known in this browser. A sentence without its end: it cannot be read.
     * Undefined: the rules could not be loaded, which the page shows.
     */
    async openEdition(text: string): Promise<OpenedEdition | string | undefined> {
      return (await checks.get())?.openEdition(text);
    },

    /** A sentence: another edition changes this one. */
    async forgetEdition(edition: EditionId): Promise<string | undefined> {
      return (await checks.get())?.forgetEdition(edition);
    },

    /** Undefined: there is no such rule. */
    async rule(id: string): Promise<RuleView | undefined> {
      return ruleView(id);
    },
  };
}
