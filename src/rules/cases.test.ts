// Small traces after public reports and classes of faults: each fault is named once, at the right side and frames.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { fidelityOf } from '../model/fidelity/fidelity.ts';
import { senders } from '../model/senders.ts';
import { REPORTS } from '../test/cases/reports.ts';
import { sourcesOf } from '../test/traces/fidelity-sources.ts';
import type { TraceEvent } from '../trace/event.ts';
import { AnyReader } from '../trace/import/sniff.ts';
import { checkTrace } from './check-trace.ts';
import { World } from './connection.ts';
import type { Finding } from './finding.ts';
import { loadRemarks } from './steps.ts';

const CASES = fileURLToPath(new URL('../test/cases', import.meta.url));
const remarksOf = await loadRemarks();

function read(name: string): readonly TraceEvent[] {
  const reader = new AnyReader(senders);
  const items = [...reader.push(readFileSync(join(CASES, name))), ...reader.end()];
  return items.flatMap((item) => ('event' in item ? [item.event] : []));
}

function all(names: readonly string[]): readonly Finding[] {
  const world = new World();
  const checked = names.map((name, at) =>
    checkTrace(read(name), { remarksOf, world, name: `c${at + 1}` }),
  );
  return checked.at(-1)?.findings ?? [];
}

function isHint({ verdict, severity }: Finding): boolean {
  return verdict !== 'undecidable' && severity === 'hint';
}

function words({ rule, verdict, severity, side, seqs }: Finding): string {
  return [verdict === 'fail' ? severity : verdict, side, rule, ...seqs].join(' ');
}

/** Returns the findings of the last trace that a rule fails or leaves open, without hints. */
function found(names: readonly string[]): readonly string[] {
  return all(names)
    .filter((one) => !isHint(one))
    .map(words);
}

/** Returns the hints of the last trace. */
function hints(names: readonly string[]): readonly string[] {
  return all(names).filter(isHint).map(words);
}

test.each<readonly [string, readonly string[], readonly string[]]>([
  [
    'an agent never answers a prompt to a forked session',
    ['traces/07-fork-never-answers-prompt/trace.ndjson'],
    ['warning agent rpc/response-missing 10 11 12'],
  ],
  [
    'the turn of a closed session goes on and does not end as cancelled',
    ['traces/09-closed-session-goes-on/trace.ndjson'],
    ['error agent close/cancel-first 7 9 11'],
  ],
  [
    'an agent answers a cancel with an error and runs on',
    ['traces/14-cancel-refused-and-ignored/trace.ndjson'],
    ['error agent cancel/prompt-result 7 9 12', 'error agent rpc/response-to-notification 8'],
  ],
  [
    'an agent requires authentication after it succeeded',
    ['traces/15-authenticate-noop/trace.ndjson'],
    ['error agent auth/still-required 8'],
  ],
  [
    'an image goes to an agent that takes none',
    ['traces/16-image-not-taken/trace.ndjson'],
    ['error client cap/prompt-content 5'],
  ],
  [
    'a client names an MCP server over a transport that the agent does not advertise',
    ['traces/17-http-mcp-not-advertised/trace.ndjson'],
    ['error client cap/mcp-transport 3'],
  ],
  [
    'a mode is set, and no update follows, which nothing requires',
    ['traces/24-set-mode-no-notification/trace.ndjson'],
    [],
  ],
  [
    'an agent may reject the load of a session that was never prompted',
    [
      'traces/29-load-falls-back-mode-lost/a.ndjson',
      'traces/29-load-falls-back-mode-lost/b.ndjson',
    ],
    [],
  ],
  [
    'a replay alone has answers and no prompts',
    ['classes/C-control-no-user-turns.ndjson'],
    ['warning agent replay/user-turns-missing 3 7'],
  ],
  ['an agent of v2 need not keep its history', ['classes/C-control-without-child.ndjson'], []],
  [
    'a second replay has another answer without ids',
    ['classes/D-without-ids-is-told.ndjson'],
    ['warning agent replay/missing-history 9 12'],
  ],
  [
    'pi-acp replays another title, and not all of its words',
    ['sessions/pi-live.acptrace.jsonl', 'sessions/pi-load.acptrace.jsonl'],
    ['error agent replay/unfaithful 7', 'warning agent replay/missing-history 4 11'],
  ],
  [
    'gemini-cli replays after its response',
    ['sessions/gm-live.acptrace.jsonl', 'sessions/gm-load.acptrace.jsonl'],
    ['error agent replay/after-response 7 8 9 10 12 13 14 11', 'warning agent replay/unfaithful 5'],
  ],
  [
    'a load of gemini-cli alone does not say that nobody sent a prompt',
    ['sessions/gm-load.acptrace.jsonl'],
    [
      'warning agent replay/after-response 7 11 13',
      'undecidable agent replay/after-response 8 9 10 12 14',
    ],
  ],
  [
    'a second replay cuts a message that has the same id',
    ['classes/D-second-replay-cut-same-id.ndjson'],
    ['warning agent replay/missing-history 9 11 12'],
  ],
  [
    'a second replay gives a message id other words',
    ['classes/D-second-replay-other-text-same-id.ndjson'],
    ['warning agent replay/unfaithful 11'],
  ],
  [
    'a replay with a child session lacks all prompts',
    ['classes/C-replay-with-child-no-user-turns.ndjson'],
    ['warning agent replay/user-turns-missing 3 10'],
  ],
  [
    'a second replay with a child session brings nothing of its parent',
    ['classes/C-replay-with-child-second-lacks-all.ndjson'],
    [],
  ],
  [
    'the text of a cancelled turn is replayed with other words inside',
    ['classes/G-live-cancelled.ndjson', 'classes/G-load-other-words.ndjson'],
    ['error agent replay/unfaithful 5'],
  ],
  [
    'a prompt that the agent did not echo is replayed with more words',
    ['classes/H-live.ndjson', 'classes/H-load-appended.ndjson'],
    ['undecidable agent replay/unfaithful 4'],
  ],
  [
    'a line separator inside a string is no line break',
    ['traces/06a-line-separator-inside-a-line/trace.ndjson'],
    [],
  ],
  [
    'two halves of one message are one finding',
    ['traces/06b-line-cut-in-two/trace.ndjson'],
    ['error agent frame/embedded-newline 6 7'],
  ],
  [
    'a response on stderr belongs to the request without a response',
    ['traces/11-frames-on-stderr/trace.ndjson'],
    ['warning agent rpc/response-missing 1 2', 'undecidable agent init/refused 1'],
  ],
  [
    'the last lines of stderr belong to the silence after them',
    ['traces/25-line-over-64k/trace.ndjson'],
    ['warning agent rpc/response-missing 5 6 7 8 9 10'],
  ],
  [
    'a prompt stays open after another session was made',
    ['traces/27-second-session-kills-first/trace.ndjson'],
    ['warning agent rpc/response-missing 5 12 13'],
  ],
  [
    'two messages with ids become one message without an id',
    [
      'traces/01b-adjacent-messages-melt/live.ndjson',
      'traces/01b-adjacent-messages-melt/load.ndjson',
    ],
    ['warning agent replay/message-id-missing 4 5 6'],
  ],
  [
    'a forked session is denied by its next prompt',
    ['traces/08-fork-not-found/trace.ndjson'],
    ['error agent setup/open-session-denied 9 10 11'],
  ],
  [
    'a resumed session is denied by its next prompt',
    ['traces/28b-resumed-then-session-not-found/trace.ndjson'],
    ['error agent setup/open-session-denied 4 5 6'],
  ],
  [
    'a session that was prompted and closed is denied by its restore',
    ['classes/F-known-session-not-found.ndjson'],
    ['error agent load/known-refused 4 10 11'],
  ],
  [
    'a prompt has no answer, and the turns after it have one',
    ['classes/E-prompt-never-answered.ndjson'],
    ['warning agent rpc/response-missing 5'],
  ],
  [
    'two prompts overlap, and the first has no answer',
    ['traces/10-two-prompts-first-lost/trace.ndjson'],
    ['warning client prompt/overlap 5 7', 'warning agent rpc/response-missing 5 10'],
  ],
  ['a response writes the id 1e3 as 1000', ['classes/P-integral-exponent-id.ndjson'], []],
  [
    'a fork has another working directory than its source',
    ['classes/R-fork-in-another-folder-v2.ndjson'],
    [],
  ],
  [
    'a config option is offered, and the method that sets it is not there',
    ['traces/13-config-options-without-method/trace.ndjson'],
    ['error agent config/refused 4 5 6'],
  ],
  [
    'a client selects an option that was not offered, and the agent completes the tool call',
    ['traces/03-option-never-offered/trace.ndjson'],
    ['error client perm/unknown-option 7 8', 'warning agent perm/proceed-anyway 7 8 9'],
  ],
  [
    'a client sets a mode in a session without modes',
    ['drafts/mode-not-offered.ndjson'],
    ['warning client mode/no-modes 5'],
  ],
  [
    'a permission request empties the input of its tool call',
    ['traces/21-permission-empties-raw-input/trace.ndjson'],
    ['warning agent tool/emptied 7 8'],
  ],
  [
    'an update empties the input of its tool call',
    ['drafts/tool-fields-emptied.ndjson'],
    ['warning agent tool/emptied 6 7'],
  ],
  [
    'the status of a tool call goes back inside a replay',
    ['classes/J-status-regress-in-replay.ndjson'],
    ['warning agent tool/status-regress 6 7'],
  ],
  [
    'an agent never releases a terminal that has exited',
    ['traces/04-terminal-not-released/trace.ndjson'],
    ['warning agent xterm/unreleased 8 14'],
  ],
  [
    'an agent works on its own and never says that it runs',
    ['classes/K-own-work-without-running.ndjson'],
    ['warning agent state/running-missing 11 12'],
  ],
  [
    'a method that is not advertised fails with an internal error',
    ['classes/L-unadvertised-list-internal-error.ndjson'],
    ['error client cap/session-method 3', 'warning agent rpc/unknown-method-code 4'],
  ],
  [
    'a client asks for a version of MCP',
    ['traces/19-mcp-version-string/trace.ndjson'],
    ['error client init/version-type 1'],
  ],
  [
    'a client never answers a permission request that the agent withdrew',
    ['classes/I-withdrawn-permission-never-answered.ndjson'],
    ['error client cancel/request-unanswered 7 8'],
  ],
  [
    'an excerpt begins after the request that its first response answers',
    ['traces/32-excerpt-from-the-middle/trace.ndjson'],
    ['undecidable agent rpc/response-unknown-id 2'],
  ],
  [
    'a log has the client’s direction alone',
    ['logs/21-stdin.log'],
    [
      'undecidable client init/early-request 2',
      'undecidable client init/early-request 3',
      'undecidable client rpc/response-unknown-id 4',
      'undecidable agent rpc/response-missing 1',
      'undecidable agent rpc/response-missing 2',
      'undecidable agent rpc/response-missing 3',
      'undecidable agent init/refused 1',
    ],
  ],
  [
    'a log has the agent’s direction alone',
    ['logs/21-stdout.log'],
    [
      'undecidable agent rpc/response-unknown-id 1 2 5',
      'undecidable client rpc/response-missing 4',
    ],
  ],
  [
    'a logger cut messages off',
    ['logs/22-cut-lines.log'],
    ['undecidable agent rpc/response-unknown-id 10'],
  ],
  ...[
    '02b-rust-tracing-ansi.log',
    '10-issue-markdown.md',
    '16-wrapped-objects.jsonl',
    '20-journald.log',
    '26-two-processes.log',
  ].map((name) => [`a sound log: ${name}`, [`logs/${name}`], []] as const),
  ['an agent is asked for version 0', ['classes/B-version-0.ndjson'], []],
  [
    'a client continues in version 1 with an agent that chose version 2',
    ['traces/20-goes-on-with-version-2/trace.ndjson'],
    ['warning client init/continue-unsupported 3', 'warning client init/continue-unsupported 5'],
  ],
  ['an agent has session cursors', ['drafts/cursors-v1.ndjson'], []],
  ['a client sends initial config options', ['drafts/initial-config-v1.ndjson'], []],
  [
    'an agent misspells a field of `systemPrompt`',
    ['drafts/system-prompt-v1.ndjson'],
    ['warning agent shape/extra-root-field 2'],
  ],
  [
    'an `initialize` with an odd capability fails',
    ['drafts/init-bad-caps-refused.ndjson'],
    ['warning client schema/params 1'],
  ],
  ['a replay ends with `replay_complete`', ['drafts/rc-good.ndjson'], []],
  ['a replay of nothing ends with `replay_complete`', ['drafts/rc-empty.ndjson'], []],
  ['a whole replay precedes a failure', ['drafts/rc-then-error.ndjson'], []],
  [
    'an agent that never sends `replay_complete` follows an older text',
    ['drafts/rc-missing-on-success.ndjson'],
    [],
  ],
  [
    '`replay_complete` comes after the response',
    ['drafts/rc-after.ndjson'],
    ['error agent replay/complete-order 8'],
  ],
  [
    '`replay_complete` comes twice',
    ['drafts/rc-twice.ndjson'],
    ['error agent replay/complete-order 7'],
  ],
])('%s', (_, names, expected) => {
  expect(found(names)).toEqual(expected);
});

test('lines of two connections blame nobody where no line says of which it is', () => {
  const verdicts = found(['logs/27-two-connections-later.log']).map((one) => one.split(' ')[0]);
  expect(new Set(verdicts)).toEqual(new Set(['undecidable']));
});

test.each(REPORTS)('%s: %s', (_, __, file, expected, expectedHints = []) => {
  const names = [`reports/${file}.ndjson`];
  expect(found(names)).toEqual(expected);
  expect(hints(names)).toEqual(expect.arrayContaining([...expectedHints]));
});

test.each([
  ['traces/22-result-only-in-raw-output/trace.ndjson', 'tool/raw-output-only', [7]],
  ['classes/M-extra-field-on-envelope.ndjson', 'rpc/extra-member', [6, 7]],
  ['drafts/init-bad-caps-refused.ndjson', 'init/refused', [1, 2]],
])('%s has the hint %s', (name, rule, seqs) => {
  const { findings } = checkTrace(read(name), { remarksOf });
  const told = findings.filter((one) => one.verdict === 'fail' && one.rule === rule);
  expect(told.flatMap((one) => [...one.seqs]).sort((a, b) => a - b)).toEqual(seqs);
  expect(told.every(({ severity, side }) => severity === 'hint' && side === 'agent')).toBe(true);
});

test('a replay without `replay_complete` violates the text of November 2026', () => {
  const trace = read('drafts/rc-missing-on-success.ndjson');
  const { findings } = checkTrace(trace, { remarksOf, edition: 'v2-2026-11' });
  const failed = findings.filter(({ verdict }) => verdict === 'fail');
  expect(failed).toMatchObject([{ rule: 'replay/complete-missing', severity: 'error' }]);
});

test('a second replay that brings nothing of the parent is told as a hint in v2', () => {
  const { findings } = checkTrace(read('classes/C-replay-with-child-second-lacks-all.ndjson'));
  const rules = findings.filter(({ verdict }) => verdict === 'fail').map(({ rule }) => rule);
  expect(rules).toEqual(expect.arrayContaining(['replay/empty', 'replay/missing-history-v2']));
});

test.each([
  ['traces/01-replay-messages-melt', 'lossy'],
  ['traces/01b-adjacent-messages-melt', 'lossy'],
  ['traces/30-load-skips-tools', 'lossy'],
])('%s is %s', (folder, verdict) => {
  const sources = sourcesOf([`${folder}/live.ndjson`, `${folder}/load.ndjson`].map(read));
  expect(fidelityOf(sources).windows.map((window) => window.verdict)).toEqual([verdict]);
});

test('a restore without child sessions leaves a later restore with them comparable', () => {
  const names = ['live', 'load', 'c65'].map((part) => `sessions/cl-${part}.acptrace.jsonl`);
  const { windows } = fidelityOf(sourcesOf(names.map(read)));
  expect(windows.map((window) => window.verdict)).toEqual(['undecidable', 'lossy']);
});

test('a lost answer is named although another turn had a child session that the restore cannot show', () => {
  const names = ['live', 'load'].map((part) => `sessions/cx-${part}.acptrace.jsonl`);
  const [window] = fidelityOf(sourcesOf(names.map(read))).windows;
  expect(window).toMatchObject({ verdict: 'lossy', children: [{ verdict: 'undecidable' }] });
  expect(window?.shortfall?.weight).toBe('warning');
  expect(window?.differences).toContainEqual(
    expect.objectContaining({ kind: 'missing', of: 'agent', verdict: 'lossy' }),
  );
  expect(found(names)).toContainEqual(
    expect.stringMatching(/^warning agent replay\/missing-history /),
  );
});

test('a chunk that an intercept dropped is no fault of a replay on another connection', () => {
  const names = ['live', 'load'].map((part) => `sessions/tap-${part}.acptrace.jsonl`);
  const { windows } = fidelityOf(sourcesOf(names.map(read)));
  expect(windows).toMatchObject([{ verdict: 'cosmetic', intercepted: true, faults: [] }]);
  expect(found(names).filter((one) => one.includes('replay/'))).toEqual([]);
});
