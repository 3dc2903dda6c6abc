// The registry holds the whole catalogue, each rule once, and each rule has its pair of tiny traces.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { CLAUSES } from '../model/restore/clauses.ts';
import type { Clause } from '../model/restore/clauses/clause.ts';
import { RULES, UNJUDGED } from './registry.ts';

/** Every rule there is to be, by family. A rule that is to be no more is taken out here. */
const CATALOGUE = {
  frame: 'not-json utf8 embedded-newline not-object batch batch-reply unterminated',
  rpc: 'version-tag shape params-type id-type id-null id-unsafe-int id-reuse response-unknown-id response-duplicate response-missing response-to-notification null-id-error request-as-notification error-shape error-code-range unknown-method-code',
  schema: 'params result update',
  method: 'unknown wrong-version wrong-direction unstable dollar-ignored',
  update: 'wrong-version',
  shape: 'other-version extra-root-field meta-type',
  enum: 'unprefixed',
  ext: 'unadvertised',
  init: 'first early-request early-accept agent-talks-first repeat version-too-high version-echo version-error continue-unsupported info-missing v2-shape-on-v1 load-vs-resume-caps',
  cap: 'session-method session-surface baseline-missing advertised-missing prompt-content additional-dirs mcp-transport client-fs client-terminal elicitation-mode elicitation-reply bool-config gated-update terminal-auth entity-cancel system-prompt archived-field',
  auth: 'unknown-method terminal-login no-surface login-unimplemented required-without-methods still-required duplicate-ids status-gated',
  setup:
    'cwd-absolute mcp-missing mcp-stdio-fields mcp-type-missing mcp-duplicate-name session-id-unique unknown-session unknown-session-reply update-unknown-session cwd-mismatch dirs-not-restored null-arrays null-result concurrent-restore',
  child:
    'unannounced not-gated ownership mutation cancel-ungated cancel-confirm listed reannounce replay-request',
  content: 'session-unknown',
  resume:
    'no-replay-without-cursor state-snapshot snapshot-is-not-completion cursor-unknown cursor-unknown-reply cursor-inclusive replay-on-v1 mode-config-lost',
  replay:
    'after-response missing-history missing-history-v2 empty order message-id-missing message-id-unstable message-id-collision chunks-without-reset user-turns-missing notice compaction-transient interactive-request open-tool duplicate complete-order complete-missing',
  load: 'before-first-prompt known-refused same-connection',
  prompt:
    'empty overlap update-after-turn open-tools-at-end receipt-id echo-missing echo-id-mismatch echo-content error-after-insert client-waits-answer',
  state:
    'running-missing idle-missing stop-reason-missing requires-action-exit requires-action-absent error-detail background-dropped background-unannounced',
  message: 'id-reopened mixed-ids',
  usage: 'range',
  tool: 'update-before-create duplicate-create status-regress first-title null-as-clear path-absolute diff-consistent cancel-confirm cap-after-final',
  term: 'base64 output-after-exit cwd-absolute',
  plan: 'partial',
  compaction: 'order',
  commands: 'name',
  perm: 'options unknown-option answer-after-cancel withdrawn-answer withdraw-missing proceed-anyway late-resume unknown-tool title-pollution',
  cancel:
    'prompt-result idle held-prompt unsolicited request-target request-unanswered stop-sending',
  close: 'update-after cancel-first unknown use-after',
  delete: 'idempotent still-listed',
  list: 'cursor-opaque cursor-error cwd-filter cwd-absolute duplicates not-null',
  mode: 'unknown no-modes',
  config: 'unknown unknown-reply complete current-value not-applied',
  title: 'normalised',
  fs: 'path limit not-found',
  xterm: 'unknown unreleased embed-after-release output-limit exit-missing',
  elicit: 'scope id-unique complete-unknown content secret-in-form url',
  mcp: 'envelope legacy',
  proxy: 'version role',
  http: 'init accepted headers stream-open wrong-stream status cookies',
  ws: 'first-frame',
};

const all = Object.entries(CATALOGUE).flatMap(([family, names]) =>
  names.split(' ').map((name) => `${family}/${name}`),
);
const there = [...RULES, ...UNJUDGED].map(({ id }) => id);

function twice(ids: readonly string[]): string[] {
  return ids.filter((id, i) => ids.indexOf(id) !== i);
}

test('no rule is there twice', () => {
  expect(twice(there)).toEqual([]);
  expect(twice(all)).toEqual([]);
});

test('the registry is the catalogue', () => {
  const known = new Set(all);
  const held = new Set(there);
  expect(
    there.filter((id) => !known.has(id)),
    'rules that CATALOGUE in registry.test.ts does not name: add them there',
  ).toEqual([]);
  expect(
    all.filter((id) => !held.has(id)),
    'rules that registry.ts does not hold: add their family there, or take them out of CATALOGUE',
  ).toEqual([]);
});

test('every rule has a ruleCase beside it', () => {
  const here = fileURLToPath(new URL('.', import.meta.url));
  const text = readdirSync(here, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && name !== 'registry.test.ts')
    .map((name) => readFileSync(here + name, 'utf8'))
    .join('\n');
  const cased = new Set([...text.matchAll(/ruleCase\(\s*'([^']+)'/g)].map(([, id]) => id));
  expect(
    RULES.map(({ id }) => id).filter((id) => !cased.has(id)),
    'rules without a ruleCase in a *.test.ts of src/rules: draw one that breaks and one that holds',
  ).toEqual([]);
});

test('what a rule asks is a clause: words, and no full stop', () => {
  const odd = [...RULES, ...UNJUDGED].filter(({ clause }) => !/\s.*[^.\s]$/.test(clause));
  expect(odd.map(({ id }) => id)).toEqual([]);
});

test('each clause on a restore names the rule that keeps it, of its versions', () => {
  const odd = Object.entries<Clause>(CLAUSES).flatMap(([id, { rule, versions }]) => {
    const kept = RULES.find((one) => one.id === rule);
    return rule === undefined || versions.every((one) => kept?.versions.includes(one)) ? [] : [id];
  });
  expect(odd).toEqual([]);
});
