// What the page hears of how faithful replays are: a window at a time, when somebody looks.
import type { FidelityWindow, WindowVerdict } from '../../diff/fidelity/report/report.ts';
import type { Piece } from '../../diff/text-change.ts';
import type { ReplayWindowView } from '../../model/timeline/row-view.ts';
import type { ConnectionId, Seq } from '../../trace/event.ts';

/** A replay window by its place, on whichever connection of its session. */
export interface OtherWindow {
  readonly connection: ConnectionId;
  readonly request: Seq;
  readonly variant: string;
  readonly verdict: WindowVerdict;
}

export interface FidelityView {
  readonly window: ReplayWindowView;
  readonly report: FidelityWindow;
  /** All windows of the session, this one too, in the order their connections began. */
  readonly windows: readonly OtherWindow[];
}

export interface FidelityApi {
  /**
   * The replay of the restore request at `request`, or of the newest that has one to compare, against
   * what was said live on every connection in memory and in stored traces of the same agent.
   * Undefined: there is no such replay window.
   */
  of(connection: ConnectionId, request?: Seq): Promise<FidelityView | undefined>;
  /** All of both values of a difference, by its place in the report of that window. */
  change(
    connection: ConnectionId,
    request: Seq,
    place: number,
  ): Promise<readonly Piece[] | undefined>;
  /** The replay windows of all sessions of this connection, on whichever connection they are. */
  replays(connection: ConnectionId): Promise<readonly OtherWindow[]>;
}
