// The parts of the engine as the calls of the page use them; engine.ts makes and connects them.
import type { PageCommand } from '../link/messages.ts';
import type { Finder } from '../model/query/find.ts';
import type { Store } from '../storage/store.ts';
import type { Asks } from './connections/asks.ts';
import type { Catalog } from './library/catalog.ts';
import type { Checks } from './findings/checks.ts';
import type { ComparingParts } from './findings/restore-comparing.ts';
import type { Driving } from './connections/driving.ts';
import type { Intake } from './traces/intake.ts';
import type { FileStep, ReadHow } from './library/file-reading.ts';
import type { Live } from './traces/live.ts';
import type { Looks } from './timeline/looks.ts';
import type { Notices } from './notices.ts';
import type { OpenTrace } from './traces/open-trace.ts';
import type { OpenTraces } from './traces/open-traces.ts';
import type { RelayCalls } from './connections/relay-calls.ts';
import type { Tabs } from './connections/leader.ts';
import type { Writer } from './traces/writer.ts';

export interface Parts extends ComparingParts {
  readonly store: Store;
  readonly notices: Notices;
  readonly catalog: Catalog;
  readonly traces: OpenTraces;
  readonly intake: Intake<OpenTrace>;
  readonly finder: Finder;
  readonly looks: Looks;
  readonly writer: Writer;
  readonly live: Live;
  readonly driving: Driving;
  readonly calls: RelayCalls;
  readonly asks: Asks;
  readonly checks: Checks;
  readonly tabs: Tabs;
  /**
   * Reads a file where that delays nothing; undefined: there is no such place. Ends early once `stop` aborts.
   */
  readonly readFile:
    ((file: File, stop?: AbortSignal, how?: ReadHow) => AsyncIterable<FileStep>) | undefined;
  /** False: there is no link. */
  send(command: PageCommand): boolean;
  /** There is a link now, or none any more. */
  linked(open: boolean): void;
  /** The timeline shown may be another now. */
  timelineChanged(): void;
}
