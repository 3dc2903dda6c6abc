// How faithful the replay of a window is, in its word: for lists that show many windows.
import type { FidelityVerdict } from '../diff/report.ts';
import type { ConnectionId, Seq } from '../trace/event.ts';
import type { App } from './app.svelte.ts';

/** Undefined: there is no such window. */
export async function fidelityWord(
  { engine }: App,
  connection: ConnectionId,
  request: Seq,
): Promise<FidelityVerdict | undefined> {
  return (await engine.fidelity(connection, request))?.report.verdict;
}
