// Which methods there are, in which version and from which side, and the names of one's own. Family
// `method` of the catalogue, `update/wrong-version` and `ext/unadvertised`.
import { isObject } from '../../acp/json.ts';
import type { Json } from '../../acp/message.ts';
import { METHODS, methodsNamed, supportOf, type Role, type Version } from '../../acp/methods.ts';
import { oddMethod } from '../../acp/schema/envelope.ts';
import type { SchemaRemark } from '../../acp/schema/frame-check.ts';
import { type Connection, fact } from '../connection.ts';
import { ignoresAnswer } from '../init/handshake.ts';
import { onAnswer, onUpdate } from '../listen.ts';
import { rulesOf, fail, undecidable, type Fold } from '../rule.ts';
import { newerMethod } from '../unknown.ts';
import { onCall, onRemarks, told, type CallStep } from '../remarks.ts';

/** What a method is to the side that sends it. `own`: outside of ACP by its name. */
type Standing =
  'fine' | 'own' | 'protocol-level' | 'removed' | 'unknown' | 'other-version' | 'other-side';

/** Methods that earlier unstable schemas had, and what became of them. */
export const REMOVED: ReadonlyMap<string, string> = new Map([
  ...['start', 'suggest', 'close', 'accept', 'reject'].map((name) => nes(`nes/${name}`)),
  ...['didOpen', 'didChange', 'didClose', 'didSave', 'didFocus'].map((name) =>
    nes(`document/${name}`),
  ),
  ['mcp/connect', 'which the unstable schema had until `mcp/message` did without it'],
  ['mcp/disconnect', 'which the unstable schema had until `mcp/message` did without it'],
  ['session/set_model', 'which the unstable schema of v1 had until config options took its place'],
]);

function nes(name: string): [string, string] {
  return [name, 'of the next edit suggestions, which the unstable schemas had and dropped'];
}

function standingOf(name: string, from: Role, version: Version | undefined): Standing {
  const rows = methodsNamed(name);
  if (rows.length === 0) {
    if (name.startsWith('_')) return 'own';
    if (name.startsWith('$/')) return 'protocol-level';
    return REMOVED.has(name) ? 'removed' : 'unknown';
  }
  const here = version === undefined ? rows : rows.filter((row) => supportOf(row, version));
  if (here.length === 0) return 'other-version';
  return here.some((row) => row.from === from || row.from === 'both') ? 'fine' : 'other-side';
}

/** Standings of the methods ACP has, so that a flood of updates looks nothing up. */
const STANDINGS: ReadonlyMap<string, Standing> = new Map(
  METHODS.flatMap(({ name }) =>
    (['client', 'agent'] as const).flatMap((from) =>
      ([1, 2, undefined] as const).map((version) => [
        `${name} ${from} ${version}`,
        standingOf(name, from, version),
      ]),
    ),
  ),
);

function standing({ method, from }: CallStep, { version }: Connection): Standing {
  if (method === 'session/update' && from === 'agent') return 'fine';
  return STANDINGS.get(`${method} ${from} ${version}`) ?? standingOf(method, from, version);
}

function words(
  { method, from, message: { kind } }: CallStep,
  version: Version | undefined,
): string {
  return oddMethod(version ?? 1, from, method, kind) ?? `\`${method}\``;
}

/** Fields that unstable schemas had and dropped: a session's models, a sign-in's variables, NES. */
const FORMER =
  /^\/result\/(?:models|authMethods\/\d+\/(?:vars|link))$|^\/(?:params|result)\/(?:client|agent)?[cC]apabilities\/(?:nes|positionEncodings?)$/;

export function isOfEarlierDraft(
  remark: SchemaRemark,
): remark is SchemaRemark & { readonly code: 'unknown-field' } {
  const { kind, code, pointer } = remark;
  return kind === 'unknown-field' && code === 'unknown-field' && FORMER.test(pointer);
}

/** Variants of `session/update` that only one version has, and what the other has in their place. */
const ONLY: Readonly<Record<Version, ReadonlyMap<string, string>>> = {
  1: new Map([
    ['tool_call', '`tool_call_update`, which creates too'],
    ['plan', '`plan_update`'],
    ['current_mode_update', '`config_option_update`'],
  ]),
  2: new Map([
    ['user_message', '`user_message_chunk`'],
    ['agent_message', '`agent_message_chunk`'],
    ['agent_thought', '`agent_thought_chunk`'],
    ['state_update', 'the answer to `session/prompt`'],
    ['tool_call_content_chunk', '`content` in a `tool_call_update`'],
    ['terminal_update', '`terminal/create`, by which a terminal is the client’s'],
    ['terminal_output_chunk', '`terminal/create`, by which a terminal is the client’s'],
    ['replay_complete', 'the answer to the restore, which ends its history'],
  ]),
};

/** A variant of `session/update` that the other version has and this one has not. */
export function isOfOtherVersion(variant: string, version: Version | undefined): boolean {
  return version !== undefined && ONLY[version === 1 ? 2 : 1].has(variant);
}

/** Keys of every `_meta` in the handshake; undefined: no handshake was seen. */
const announced = fact<Connection, { keys: ReadonlySet<string> | undefined }>(() => ({
  keys: undefined,
}));

export const announcedFold: Fold = [
  onAnswer(['initialize'], ({ params, result, from }, connection) => {
    if (from !== 'agent' || !isObject(result)) return;
    const keys = new Set<string>();
    gather(params, keys, 0);
    gather(result, keys, 0);
    announced.of(connection).keys = keys;
  }),
];

/** How deep capabilities are looked through for a `_meta`. */
const DEEP = 8;

function gather(value: Json | undefined, keys: Set<string>, depth: number): void {
  if (!isObject(value) || depth > DEEP) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === '_meta' && isObject(inner)) for (const name of Object.keys(inner)) keys.add(name);
    gather(inner, keys, depth + 1);
  }
}

/** `_zed.dev/workspace/open` is announced by `zed.dev`, `_auth/status_update` by `authStatus`. */
function isAnnounced(method: string, keys: ReadonlySet<string>): boolean {
  const flat = flattened(method);
  for (const key of keys) if (key !== '' && flat.startsWith(flattened(key))) return true;
  return false;
}

function flattened(name: string): string {
  return name.replaceAll(/[^a-z0-9]/gi, '').toLowerCase();
}

export const METHOD_RULES = rulesOf({ side: 'sender' })({
  'method/unknown': {
    severity: 'error',
    needs: 'nothing',
    clause: 'a method is one of ACP’s, or one of one’s own that begins with `_`',
    on: onCall((step, connection) =>
      standing(step, connection) === 'unknown'
        ? {
            ...fail(words(step, connection.version), '/method'),
            ...newerMethod(step.method, step, connection),
          }
        : 'pass',
    ),
  },
  'method/wrong-version': {
    severity: 'error',
    clause: 'a method belongs to the version that was agreed on',
    on: onCall((step, connection) => {
      if (standing(step, connection) !== 'other-version') return 'pass';
      // A client that was given another version than it speaks is init/continue-unsupported.
      if (ignoresAnswer(step, connection)) return undefined;
      return fail(words(step, connection.version), '/method');
    }),
  },
  'method/wrong-direction': {
    severity: 'error',
    needs: 'nothing',
    clause: 'a method is sent by the side that calls it, not by the one that handles it',
    on: onCall((step, connection) =>
      standing(step, connection) === 'other-side'
        ? fail(words(step, connection.version), '/method')
        : 'pass',
    ),
  },
  'method/unstable': {
    severity: 'hint',
    clause: 'what only the unstable schema has may change or go at any time',
    on: [
      ...onCall((step, connection) => {
        if (standing(step, connection) !== 'removed') return undefined;
        return fail(`\`${step.method}\`, ${REMOVED.get(step.method)}`, '/method');
      }),
      ...onRemarks((remark) => {
        if (remark.kind === 'unstable') return told(remark);
        if (!isOfEarlierDraft(remark)) return undefined;
        const { name, pointer } = remark;
        return fail(`\`${name}\` stood in an earlier unstable schema alone`, pointer);
      }),
    ],
  },
  'method/dollar-ignored': {
    severity: 'hint',
    needs: 'nothing',
    clause:
      'nothing hangs on a `$/…` message that ACP does not define: the other side may ignore it',
    on: onCall((step, connection) => {
      if (standing(step, connection) !== 'protocol-level') return 'pass';
      const { kind } = step.message;
      return fail(`the ${kind} \`${step.method}\`, which ACP does not define`, '/method');
    }),
  },
  'update/wrong-version': {
    side: 'agent',
    severity: 'error',
    clause: 'a session update is one of the version that was agreed on',
    on: onUpdate([...ONLY[1].keys(), ...ONLY[2].keys()], ({ variant }, { version }) => {
      const other = version === 1 ? 2 : 1;
      const instead = ONLY[other].get(variant);
      if (instead === undefined) return 'pass';
      return fail(
        `\`${variant}\` is an update of v${other}; v${version} has ${instead}`,
        '/params/update/sessionUpdate',
      );
    }),
  },
  'ext/unadvertised': {
    severity: 'hint',
    needs: 'capabilities',
    clause: 'a method of one’s own is announced in the `_meta` of capabilities',
    on: onCall((step, connection) => {
      const { method } = step;
      if (!method.startsWith('_')) return undefined;
      const { keys } = announced.of(connection);
      if (keys === undefined || isAnnounced(method, keys)) return 'pass';
      if (keys.size === 0)
        return fail(`\`${method}\`, and no \`_meta\` in the handshake`, '/method');
      const listed = [...keys].slice(0, 5).map((key) => `\`${key}\``);
      return undecidable(
        `the handshake announces ${listed.join(', ')}; whether \`${method}\` is among them only its author knows`,
        'the documentation of the extension',
        '/method',
      );
    }),
  },
});
