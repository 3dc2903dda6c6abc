// What the two messages of a handshake say, for the rules that compare them.
import { get, num } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { methodsNamed, supportOf, type Version } from '../../acp/methods.ts';
import type { Connection } from '../connection.ts';
import type { FrameStep } from '../step.ts';

/** `protocolVersion` of a request to initialize, or of its answer. */
export function versionIn(message: Json | undefined): number | undefined {
  return num(message, 'protocolVersion');
}

/** Versions asked for and chosen, once `initialize` was answered. */
export function negotiated({ handshake }: Connection): { asked?: number; chosen?: number } {
  if (handshake?.result === undefined) return {};
  const asked = versionIn(handshake.asked.request.params);
  const chosen = versionIn(handshake.result);
  return { ...(asked === undefined ? {} : { asked }), ...(chosen === undefined ? {} : { chosen }) };
}

/** A client calls what the version it asked for has, although the agent chose one that has it not. */
export function ignoresAnswer(
  { from, method }: Pick<FrameStep, 'from'> & { readonly method: string },
  connection: Connection,
): boolean {
  const { version } = connection;
  if (from !== 'client' || version === undefined) return false;
  const { asked, chosen } = negotiated(connection);
  if (asked === undefined || chosen !== version) return false;
  const meant: Version = asked >= 2 ? 2 : 1;
  const rows = methodsNamed(method);
  return rows.some((row) => supportOf(row, meant)) && !rows.some((row) => supportOf(row, version));
}

/** Whether the client's params are written in the shape of v2 alone. */
export function isV2Shaped(params: Json | undefined): boolean {
  const has = (key: string) => get(params, key) !== undefined;
  return (has('capabilities') || has('info')) && !has('clientCapabilities') && !has('clientInfo');
}
