// Which capabilities were made use of on a connection, by the methods that need them, and how often
// such a request was refused.
import { capabilityAt, gateOf, isYes } from '../../acp/gate.ts';
import { nearestVersion } from '../../acp/handshake.ts';
import type { Role } from '../../acp/methods.ts';
import type { Seq } from '../../trace/event.ts';
import { CLIENT, ERR, FLAG, NTF, REQ } from '../columns.ts';
import type { TraceIndex } from '../trace-index.ts';

export interface CapabilityUse {
  /** Who has to advertise it, and where it stands in what that side says. */
  readonly by: Role;
  readonly path: string;
  readonly used: number;
  readonly refused: number;
  /** The last frame that made use of it. */
  readonly last: Seq;
  /** Of those that were refused, the last; undefined: none was. */
  readonly lastRefused?: Seq;
}

type Counted = { -readonly [K in keyof CapabilityUse]: CapabilityUse[K] };

/** Capabilities that no frame needed are left out. */
export function capabilityUse(index: TraceIndex): readonly CapabilityUse[] {
  const { columns, length, version, handshake } = index;
  const uses = new Map<string, Counted>();
  /** By sender and method; undefined: it needs nothing that a side advertises. */
  const needs = new Map<string, { readonly by: Role; readonly path: string } | undefined>();

  const need = (name: string, from: Role) => {
    const key = `${from} ${name}`;
    if (needs.has(key)) return needs.get(key);
    const gate = gateOf(name, from, nearestVersion(version));
    const said =
      gate?.by === 'agent' ? handshake?.agentCapabilities : handshake?.clientCapabilities;
    const path =
      gate?.paths.find((one) => said && isYes(capabilityAt(said, one))) ?? gate?.paths[0];
    const found = gate && path !== undefined ? { by: gate.by, path } : undefined;
    needs.set(key, found);
    return found;
  };

  for (let at = 0; at < length; at++) {
    const kind = columns.kind.get(at);
    if (kind !== REQ && (kind !== NTF || columns.has(at, FLAG.update))) continue;
    const from = columns.side.get(at) === CLIENT ? 'client' : 'agent';
    const needed = need(columns.nameOf(at), from);
    if (!needed) continue;
    const { by, path } = needed;
    const use = uses.get(`${by} ${path}`) ?? {
      by,
      path,
      used: 0,
      refused: 0,
      last: columns.seqOf(at),
    };
    uses.set(`${by} ${path}`, use);
    use.used++;
    use.last = columns.seqOf(at);
    const partner = columns.partnerOf(at);
    if (partner !== undefined && columns.kind.get(partner) === ERR) {
      use.refused++;
      use.lastRefused = columns.seqOf(at);
    }
  }
  return [...uses.values()];
}
