// How faithful the replay of a window is, in its word and its sentence: for lists that show many
// windows.
import type { FidelityWindow } from '../../diff/fidelity/report/report.ts';
import type { ConnectionId, Seq } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';

/** Undefined: there is no such window. */
export async function fidelityWord(
  { engine }: App,
  connection: ConnectionId,
  request: Seq,
): Promise<Pick<FidelityWindow, 'verdict' | 'sentence' | 'shortfall'> | undefined> {
  return (await engine.fidelity.of(connection, request))?.report;
}
