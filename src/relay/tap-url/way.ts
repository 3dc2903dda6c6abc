// What every connection of a tap by URL needs: where the agent is, and what records it; and how the head
// of a request goes on to it, and that of an answer back.
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Recorder } from '../spool/recorder.ts';
import type { Address } from '../transports/address.ts';

export interface Way {
  readonly address: Address;
  /** Begins the recording of one connection. */
  readonly begin: () => Recorder;
  /** It is closed. */
  readonly ended: (recorder: Recorder) => void;
}

/** Of one hop alone; and what would make a copy unreadable: a packed body, a packed socket. */
const NOT_ONWARD =
  /^(?:host|connection|keep-alive|proxy-connection|upgrade|te|trailer|expect|accept-encoding|sec-websocket-extensions)$/i;
const NOT_BACK = /^(?:connection|keep-alive|proxy-connection|upgrade|trailer)$/i;

/** A request as it goes on, and the head that it goes on with: names and values in turn. */
interface Onward {
  readonly asked: ClientRequest;
  readonly head: readonly string[];
}

/** The same request to the agent, without its body. `more`: what its own hop needs. */
export function goOn(
  { method, rawHeaders, url: target = '' }: IncomingMessage,
  { url, headers: given }: Address,
  more: readonly string[] = [],
): Onward {
  const ours = new Set(given.map(({ name }) => name.toLowerCase()));
  const theirs = pairs(rawHeaders).filter(
    ([name]) => !NOT_ONWARD.test(name) && !ours.has(name.toLowerCase()),
  );
  const added = given.map(({ name, value }) => [name, value]);
  const head = ['Host', url.host, ...more, ...theirs.flat(), ...added.flat()];
  const query = /\?.*$/s.exec(target)?.[0] ?? '';
  const asked = (/^(?:https|wss):$/.test(url.protocol) ? secureRequest : request)({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port,
    path: url.pathname + (url.search || query),
    ...{ method, headers: head, setHost: false },
  });
  return { asked, head };
}

/** The head of an answer as it goes back. */
export function backHead({ rawHeaders }: IncomingMessage): string[] {
  return pairs(rawHeaders)
    .filter(([name]) => !NOT_BACK.test(name))
    .flat();
}

/** One value of a header; undefined where it is missing or empty. */
export function headerIn({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function pairs(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : []));
}
