// How agents were started before, and so are started again.
import { DEFAULT_SETTINGS, type ClientSettings } from '../../drive/settings.ts';
import { commandKey } from '../../lib/split-command.ts';
import type { Launch } from '../../link/messages.ts';
import type { ConnectionId } from '../../trace/event.ts';
import type { Parts } from '../parts.ts';
import type { KnownCommand } from '../messages.ts';
import { settingsOf } from './driving.ts';

export const UNKNOWN_COMMAND =
  'The command of this connection is not known. Start it from Connect.';

/** With the settings it was last started with. */
export async function lastSettings(parts: Parts, launch: Launch): Promise<ClientSettings> {
  const recents = await parts.store.recents();
  const same = recents.ok && recents.value.find(({ key }) => key === commandKey(launch));
  return same ? settingsOf(same.settings) : DEFAULT_SETTINGS;
}

/** How the agent of a connection is started again; undefined: nobody knows its command. */
export async function chosenFor(
  parts: Parts,
  connection: ConnectionId,
): Promise<KnownCommand | undefined> {
  const known = (await parts.driving.how(connection)) ?? recorded(parts, connection);
  // Typed again since, for another connection of the same command.
  const whole = known?.launch.withheld && parts.driving.whole(known.launch);
  return known && whole ? { ...known, launch: whole } : known;
}

/** A connection that another browser started: as far as its frames tell. */
function recorded({ catalog, traces }: Parts, connection: ConnectionId): KnownCommand | undefined {
  const facts = traces.get(connection)?.index.facts();
  const known = facts?.started;
  const started = known ?? catalog.live(connection);
  if (!started) return undefined;
  const name = catalog.get(connection)?.name ?? started.argv[0] ?? '';
  const { argv, cwd } = started;
  const withheld = known?.headers ?? known?.env;
  return {
    launch: { name, argv, cwd, env: {}, roots: [], ...(withheld && { withheld }) },
    // What is sent to it next was made for the version that it spoke.
    settings: { ...DEFAULT_SETTINGS, ask: facts?.handshake?.version === 1 ? 1 : 'highest' },
  };
}
