// The page's calls about restores of a session, on whichever connection.
import type { ClientSurroundings } from '../../drive/client.ts';
import { PromptBudget } from '../../drive/prompt-budget.ts';
import { ownName } from '../../drive/settings.ts';
import { tryRestore, type Tried } from '../../drive/restore-try.ts';
import { chosenFor, UNKNOWN_COMMAND } from '../connections/launches.ts';
import type { KnownCommand } from '../messages.ts';
import { askedOfHost } from '../connections/host-calls.ts';
import type { RestoreAsk } from '../messages.ts';
import type { Parts } from '../parts.ts';
import { restoresOf } from './restores.ts';
import { sessionBackground } from './session-background.ts';
import { pageLauncher } from '../runs/page-launcher.ts';
import { timelineLook } from '../timeline/api-timeline.ts';
import { connectionId, type ConnectionId } from '../../trace/event.ts';

export function restoreApi(parts: Parts) {
  const { traces, driving } = parts;
  return {
    async candidates(connection: ConnectionId, sessionId: string) {
      return (await timelineLook(parts, connection)).folds.candidates(
        sessionId,
        traces.pins.letters(sessionId),
      );
    },

    /** `asking`: the connection it is to be restored on. */
    async background(sessionId: string, asking: ConnectionId) {
      return sessionBackground(parts, sessionId, asking);
    },

    async restores(sessionId: string) {
      return restoresOf(parts, sessionId);
    },

    /** Resolves when its connection has ended. */
    async tryRestore(ask: RestoreAsk): Promise<Tried> {
      const chosen = await chosenFor(parts, ask.like);
      if (!chosen) return { kind: 'failed', message: UNKNOWN_COMMAND };
      return tryInPage(parts, chosen, driving.version, ask);
    },
  };
}

/** Two prompts are the most that one try can need. */
const MOST_PROMPTS = 2;

function tryInPage(
  parts: Parts,
  { launch, settings }: KnownCommand,
  version: string,
  { run, label, version: asked, parts: line, then, takesChildren }: RestoreAsk,
): Promise<Tried> {
  let started: string | undefined;
  const launcher = pageLauncher(parts, launch, run);
  const host: ClientSurroundings['host'] = async (method, params) => {
    const call = askedOfHost(method, params);
    if (!('call' in call)) return { ok: false, error: call };
    return parts.calls.host(connectionId(started ?? ''), call.call);
  };
  return tryRestore(
    {
      ...{ label, version: asked, parts: line },
      ...(then && { then }),
      ...(takesChildren && { takesChildren }),
    },
    {
      launcher: {
        async launch(wish) {
          const launched = await launcher.launch(wish);
          if (launched.ok) started = launched.agent.trace;
          return launched;
        },
      },
      name: ownName(version),
      budget: new PromptBudget(then ? MOST_PROMPTS : 0),
      // The agent must see the client it saw before, but nobody sits here to answer it.
      offer: settings.advertise,
      settings: { advertise: settings.advertise },
      host,
    },
  );
}
