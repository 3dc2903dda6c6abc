// Decides for all rules whether an unknown name is a fault or may belong to a newer protocol: an update, a field,
// a method, a value of a list or a type of content that no edition here has.
import { isOldRelease } from '../acp/editions/peers.ts';
import { newestDate } from '../acp/editions/editions.ts';
import { get, str } from '../acp/json.ts';
import { methodNames } from '../acp/methods.ts';
import type { SchemaRemark } from '../acp/schema/frame-check.ts';
import { slipOf } from '../acp/schema/remark.ts';
import type { Side } from '../trace/event.ts';
import type { Connection } from './connection.ts';
import type { RuleFault } from './rule.ts';
import type { FrameStep } from './steps.ts';

/** Returns what the fault becomes if a remark is about such a name; undefined: the rule counts as it is. */
export function newerRemark(
  remark: SchemaRemark,
  step: FrameStep,
  connection: Connection,
): Partial<RuleFault> | undefined {
  // The other version has it: no newer one is needed to know it.
  if (remark.lacking !== undefined || remark.spoken !== undefined) return undefined;
  switch (remark.code) {
    case 'unknown-field':
      return newerName(remark.name, meantBy(remark.meant), step, connection);
    case 'unknown-value': {
      const known = remark.known.map(({ value }) => value);
      return newerName(remark.name, known, step, connection);
    }
    default:
      return undefined;
  }
}

function meantBy(meant: string | undefined): readonly string[] {
  return meant === undefined ? [] : [meant];
}

/** The same for a method. */
export function newerMethod(
  method: string,
  step: FrameStep,
  connection: Connection,
): Partial<RuleFault> | undefined {
  return newerName(method, methodNames(), step, connection);
}

/** Returns a hint for a version that is newer than the newest edition; undefined: the sender is known to be older. */
export function newerVersion(
  version: number,
  step: FrameStep,
  connection: Connection,
): Partial<RuleFault> | undefined {
  if (isOld(step.from, connection, step)) return undefined;
  return {
    severity: 'hint',
    seen: `version ${version} ${unknownWords()}`,
    due: 'a version of that edition, or of a newer one that the sender follows',
    newer: true,
  };
}

function newerName(
  name: string,
  known: readonly string[],
  step: FrameStep,
  connection: Connection,
): Partial<RuleFault> | undefined {
  if (slipOf(name, known) !== undefined || isOld(step.from, connection, step)) return undefined;
  return {
    severity: 'hint',
    seen: `${JSON.stringify(name.slice(0, 60))} ${unknownWords()}`,
    due: 'a name of that edition, or of a newer one that the sender follows; a custom name begins with `_`',
    newer: true,
  };
}

function unknownWords(): string {
  return `is unknown to ACP Scope's newest edition (${newestDate().slice(0, 7)})`;
}

/** True if this side announced a release that is older than the newest edition. */
export function isOld(side: Side, { handshake }: Connection, step?: FrameStep): boolean {
  const message = side === 'client' ? handshake?.asked.request.params : handshake?.result;
  return isOldInfo(message) || (step?.method === 'initialize' && isOldInfo(bodyOf(step)));
}

/** What a handshake's own message announces is in no handshake yet. */
function bodyOf({ message }: FrameStep) {
  if (message.kind === 'success') return message.result;
  return message.kind === 'request' ? message.params : undefined;
}

function isOldInfo(message: ReturnType<typeof bodyOf>): boolean {
  return ['info', 'clientInfo', 'agentInfo'].some((key) => {
    const info = get(message, key);
    return isOldRelease(str(info, 'name'), str(info, 'version'));
  });
}
