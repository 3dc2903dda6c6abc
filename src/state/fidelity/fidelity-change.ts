// All of both values of a difference, as one text: asked for when somebody opens it.
import type { Piece } from '../../diff/text-change.ts';
import type { FidelityView } from '../../engine/fidelity/fidelity-messages.ts';
import type { App } from '../app.svelte.ts';

/** `place`: among the differences of the report. */
export async function fidelityChange(
  { engine }: App,
  { report, window }: FidelityView,
  place: number,
): Promise<readonly Piece[]> {
  return (await engine.fidelity.change(report.connection, window.request, place)) ?? [];
}
