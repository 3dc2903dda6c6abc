// Small words of the restore form: when a session was last used, what its MCP servers are.
import { jsonFault } from '../../../acp/json-fault.ts';
import { str } from '../../../acp/json.ts';
import type { Json } from '../../../acp/message.ts';

/** `2 min`, `3 h`, `yesterday`, `18 Nov`, `18 Nov 2025`; as it is where it is no time. */
export function whenWords(iso: string, now: Date): string {
  const then = new Date(iso);
  if (Number.isNaN(then.getTime())) return iso;
  const minutes = Math.floor((now.getTime() - then.getTime()) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 12 * 60) return `${Math.floor(minutes / 60)} h`;
  const days = Math.round((startOfDay(now) - startOfDay(then)) / 86_400_000);
  if (days === 0) return 'today';
  if (days === 1) return 'yesterday';
  const year = then.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' as const };
  return then.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...year });
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

/**
 * What the typed servers are, or what is wrong with them; the line is sent as typed either way.
 * `needed`: the request breaks its schema without them.
 */
export function serversWords(
  text: string,
  needed = false,
): { readonly ok: boolean; readonly words: string } {
  if (text.trim() === '') return { ok: !needed, words: needed ? 'omitted: −32602' : 'omitted' };
  const fault = jsonFault(text);
  if (fault) return { ok: false, words: `not JSON: ${fault.what}, at ${fault.at + 1}` };
  const servers = JSON.parse(text) as Json;
  if (!Array.isArray(servers)) return { ok: false, words: 'expected an array' };
  if (servers.length === 0) return { ok: true, words: 'none' };
  const names = servers.map((server: Json) => str(server, 'name') ?? '?').join(', ');
  return { ok: true, words: names };
}
