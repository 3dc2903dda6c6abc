// What the client did in a trace, as a scenario's file.
import type { TraceSummary } from '../../engine/messages.ts';
import type { App } from '../app.svelte.ts';

export async function scenarioFile(
  app: App,
  { connection, name }: TraceSummary,
): Promise<{ readonly name: string; readonly text: string }> {
  const text = await app.engine.runs.scenarioFrom([connection], name);
  return { name: scenarioFileName(name), text };
}

/** `Bundled agent` → `bundled-agent.scenario.json`. */
export function scenarioFileName(name: string): string {
  const words = name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return `${words === '' ? 'trace' : words.slice(0, 80)}.scenario.json`;
}
