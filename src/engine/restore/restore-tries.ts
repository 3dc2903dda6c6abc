// Restores sent from the page, each on a fresh connection of the same launch as the one looked at.
import { PromptBudget } from '../../drive/prompt-budget.ts';
import { tryRestore, type Tried } from '../../drive/restore-try.ts';
import type { Surroundings } from '../../drive/client.ts';
import { connectionId } from '../../trace/event.ts';
import type { Chosen } from '../connections/driving.ts';
import { hostCall } from '../connections/host-calls.ts';
import type { RestoreAsk } from '../messages.ts';
import { pageLauncher } from '../runs/page-launcher.ts';
import type { Parts } from '../parts.ts';

/** Two prompts are the most that one try can need. */
const MOST_PROMPTS = 2;

export function tryInPage(
  parts: Parts,
  { launch, settings }: Chosen,
  version: string,
  { run, label, version: asked, parts: line, then }: RestoreAsk,
): Promise<Tried> {
  let started: string | undefined;
  const launcher = pageLauncher(parts, launch, run);
  const host: Surroundings['host'] = async (method, params) => {
    const call = hostCall(method, params);
    if (!('call' in call)) return { ok: false, error: call };
    return parts.calls.host(connectionId(started ?? ''), call.call);
  };
  return tryRestore(
    { label, version: asked, parts: line, ...(then && { then }) },
    {
      launcher: {
        async launch(wish) {
          const launched = await launcher.launch(wish);
          if (launched.ok) started = launched.agent.trace;
          return launched;
        },
      },
      name: { name: 'acp-scope', title: 'ACP Scope', version },
      budget: new PromptBudget(then ? MOST_PROMPTS : 0),
      // The agent must see the client it saw before, but nobody sits here to answer it.
      offer: settings.advertise,
      settings: { advertise: settings.advertise },
      host,
    },
  );
}
