// A trace out of the page as a scenario: what its client did, to be done again.
import type { App } from '../../state/app.svelte.ts';
import type { TraceSummary } from '../../engine/messages.ts';
import { scenarioFile } from '../../state/runs/scenario-words.ts';
import { scenarioOf } from '../../state/runs/scenario.svelte.ts';
import { saveText } from '../sharing/save-file.ts';
import { showTest } from '../../state/runs/open.ts';

export async function saveScenario(app: App, trace: TraceSummary): Promise<void> {
  const { name, text } = await scenarioFile(app, trace);
  await saveText(app, name, text, 'application/json');
}

/** In the editor, to be run as it stands or changed. */
export async function editScenario(app: App): Promise<void> {
  await showTest(app, 'scenario');
  await scenarioOf(app).takeTrace();
}
