// The parts of the engine as the calls of the page use them; engine.ts makes and connects them.
import type { PageCommand } from '../link/messages.ts';
import type { Store } from '../storage/store.ts';
import type { Asks } from './asks.ts';
import type { Catalog } from './catalog.ts';
import type { Checks } from './checks.ts';
import type { Driving } from './driving.ts';
import type { Intake } from './intake.ts';
import type { Live } from './live.ts';
import type { Looks } from './looks.ts';
import type { Notices } from './notices.ts';
import type { OpenTrace } from './open-trace.ts';
import type { OpenTraces } from './open-traces.ts';
import type { RelayCalls } from './relay-calls.ts';
import type { Tabs } from './leader.ts';
import type { Writer } from './writer.ts';

export interface Parts {
  readonly store: Store;
  readonly notices: Notices;
  readonly catalog: Catalog;
  readonly traces: OpenTraces;
  readonly intake: Intake<OpenTrace>;
  readonly looks: Looks;
  readonly writer: Writer;
  readonly live: Live;
  readonly driving: Driving;
  readonly calls: RelayCalls;
  readonly asks: Asks;
  readonly checks: Checks;
  readonly tabs: Tabs;
  /** False: there is no link. */
  send(command: PageCommand): boolean;
  /** There is a link now, or none any more. */
  linked(open: boolean): void;
  /** The timeline shown may be another now. */
  timelineChanged(): void;
}
