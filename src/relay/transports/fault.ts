// Why an agent cannot be reached, or went away, as sentences that name the cause and the fix.
import { maxHeaderSize } from 'node:http';
import type { Problem } from '../../link/messages.ts';
import type { Address } from './address.ts';

const MOST_QUOTED = 200;

/** Behind an answer that anything on the web could have given. */
export const NO_ACP = ' It may be no ACP server: check the path of the URL.';

export const IS_MCP = ' It names an Mcp-Session-Id: that is a server of tools (MCP), and no agent.';

/** Of the network or of TLS. */
export function networkFault(error: Error, { shown, url }: Pick<Address, 'shown' | 'url'>): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ECONNREFUSED':
      return `Nothing listens at ${shown}. Start the agent there, or check the port.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host ${url.hostname} is not known. Check the URL ${shown}.`;
    case 'ECONNRESET':
    case 'EPIPE':
      return `${shown} broke the connection (${code}). The log of its server may tell why.`;
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `${shown} cannot be reached (${code}). Check the host and what stands between.`;
    default:
      if (/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS/.test(code))
        return `The certificate of ${url.host} is not trusted (${code}). Give its authority with NODE_EXTRA_CA_CERTS=FILE.`;
      if (code === 'HPE_HEADER_OVERFLOW')
        return `${shown} answered with more headers than are read (${maxHeaderSize >> 10} KiB). Its server sets too many, or what stands between does.`;
      if (code.startsWith('HPE_'))
        return `What listens at ${shown} does not speak HTTP (${code}). Check the port.`;
      if (/EPROTO|ERR_SSL/.test(code))
        return `${url.host} does not speak TLS (${code}). Use ${url.protocol === 'wss:' ? 'ws' : 'http'}://, or its other port.`;
      if (error instanceof SlowError)
        return `${shown} gave no answer within ${error.ms / 1000} s, not even a status. Its server may hang: its log may tell where.`;
      return `${shown} cannot be used: ${code === '' ? error.message : code}.`;
  }
}

/** No status came in time. */
export class SlowError extends Error {
  readonly ms: number;
  constructor(ms: number) {
    super('no status in time');
    this.ms = ms;
  }
}

interface Refused {
  readonly status: number;
  readonly shown: string;
  /** Masked. */
  readonly location?: string | undefined;
  /** The beginning of what its server says. */
  readonly body?: string;
  readonly isStream?: true;
}

/** The sentence for an unexpected HTTP status. */
export function statusFault({ body = '', ...refused }: Refused): string {
  return `${statusWords(refused)}${saysWords(body)}`;
}

/** What the server says, behind a sentence about it. */
export function saysWords(body: string): string {
  const words = body.replace(/\s+/g, ' ').trim();
  if (words === '') return '';
  return ` It says: “${words.length > MOST_QUOTED ? `${words.slice(0, MOST_QUOTED)}…` : words}”`;
}

function statusWords({ status, shown, location, isStream }: Refused): string {
  const said = `${isStream ? `The event stream of ${shown}` : shown} answered ${status}`;
  if (status >= 300 && status < 400)
    return location === undefined
      ? `${said}, a redirect, and names no place.${NO_ACP}`
      : `${said} and points to ${location}. Redirects are not followed, because they would take headers along: give that URL if you trust it.`;
  if (isStream && status === 405)
    return `${said}: no GET is taken at this path, and what the agent says comes on it. Its server must serve both.`;
  switch (status) {
    case 401:
    case 403:
      return `${said}: it wants other credentials. Give them in a header, such as Authorization.`;
    case 404:
    case 410:
      return `${said}: there is no ACP at this path, or the connection is not known there any more.`;
    case 405:
    case 426:
      return `${said}: it takes no such request here. Try the other transport: ws:// or http://.`;
    case 406:
      return `${said}: it has no event stream (text/event-stream) to give.`;
    case 409:
      return `${said}: the stream has another reader, or the cursor of a reconnect is not known.`;
    case 415:
      return `${said}: it takes no application/json.${NO_ACP}`;
    case 200:
      return `${said} instead of a WebSocket. Try http://, or check the path of the URL.`;
    default:
      return `${said}.`;
  }
}

export function unreachable(message: string): { readonly ok: false; readonly problem: Problem } {
  return { ok: false, problem: { code: 'io', message } };
}
