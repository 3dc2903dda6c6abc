import { describe, expect, test } from 'vitest';
import { indexedTrace } from '../../model/indexed-trace.ts';
import type { RedactionLevel } from '../../model/redact/levels.ts';
import { Redactor } from '../../model/redact/redactor.ts';
import { markdownReport } from '../../report/markdown.ts';
import { draw } from '../../test/traces/draw.ts';
import { recordings } from '../../test/traces/recordings.ts';
import { seq, type TraceEvent } from '../../trace/event.ts';
import { eventLine, isUnreadable, parseEvent, type Header } from '../../trace/format.ts';
import { checkTrace } from '../check-trace.ts';
import { findingKey, type Finding } from '../finding.ts';
import { loadRemarks } from '../steps.ts';
import { bundleOf, isSameFinding, type Bundle, type Wanted } from './bundle.ts';
import { bundleBrief, bundleDocument } from './document.ts';

const remarksOf = await loadRemarks();
const HEADER: Header = {
  ...{ format: 'acptrace', version: 1, created: '2026-11-21T10:41:00.000Z', clock: 'monotonic' },
  ...{ tool: 'acp-scope 0.1.0', argv: ['my agent', '--acp'] },
};

function findingsOf(events: readonly TraceEvent[]): readonly Finding[] {
  return checkTrace(events, { remarksOf }).findings;
}
function bundler(events: readonly TraceEvent[], level: RedactionLevel): (wanted: Wanted) => Bundle {
  const redactor = new Redactor({ level });
  for (const event of events) redactor.learnEvent(event);
  redactor.learned();
  const trace = indexedTrace(events, 'c1');
  const findings = findingsOf(events);
  return (wanted) => bundleOf({ trace, findings, wanted, edition: 'auto', remarksOf }, redactor);
}
function bundled(
  events: readonly TraceEvent[],
  wanted: Wanted,
  level: RedactionLevel = 'all',
): Bundle {
  return bundler(events, level)(wanted);
}
function told(bundle: Bundle) {
  const { redaction } = new Redactor({ level: 'all' });
  return { ...bundle, header: HEADER, file: 'e.acptrace.jsonl', tool: 'acp-scope 9', redaction };
}
const markdown = (bundle: Bundle) => markdownReport(bundleDocument(told(bundle)));
/** As they come back out of a file. */
function reread(events: readonly TraceEvent[]): readonly TraceEvent[] {
  return events.map((event) => {
    const read = parseEvent(eventLine(event));
    if (isUnreadable(read)) throw new Error(read.problem);
    return read;
  });
}

describe('the trace file of a finding shows the same finding at the same frames, and blames nobody else', () => {
  const rules = new Set<string>();
  test.each(recordings().map(({ name, events }) => [name, events] as const))('%s', (_, events) => {
    const bundle = bundler(events, 'no-secrets');
    const findings = findingsOf(events);
    const known = new Map(findings.map((one) => [findingKey(one), one.seqs]));
    for (const finding of findings.filter(({ verdict }) => verdict === 'fail')) {
      const { events: kept, shown, seqs } = bundle({ finding });
      expect({ rule: finding.rule, shown, seqs }).toEqual({
        ...{ rule: finding.rule, shown: true },
        seqs: finding.seqs,
      });
      const again = findingsOf(reread(kept)).filter(({ verdict }) => verdict === 'fail');
      expect(again.filter((one) => isSameFinding(one, finding))).toHaveLength(1);
      for (const one of again)
        expect(known.get(findingKey(one)) ?? [], `${finding.rule}: ${one.rule}`).toEqual(
          expect.arrayContaining([...one.seqs]),
        );
      rules.add(finding.rule);
    }
  });
  test('that was asked of many rules', () => expect(rules.size).toBeGreaterThan(20));
});

const LOADED = `
  start agent
  client  →0 initialize {"protocolVersion":1}
  agent   ←0 result {"protocolVersion":1,"agentInfo":{"name":"A","version":"3.1"},"agentCapabilities":{"loadSession":true}}
  client  →1 session/new {"cwd":"/other","mcpServers":[]}
  agent   ←1 result {"sessionId":"s2"}
  client  →2 session/prompt s2 "Of another session"
  agent   update s2 agent_message_chunk "an" "swer"
  agent   ←2 result {"stopReason":"end_turn"}
  client  →3 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
  agent   update s1 user_message_chunk "Hi"
  stderr  warn: history is long
  agent   ←3 result {}
  agent   update s1 user_message_chunk "too late"
  exit    0`;

test('a bundle holds the handshake, the restore and what was said on stderr, and not the other session', () => {
  const events = draw(LOADED);
  const seqs = events.flatMap(({ seq, type }) => (type === 'frame' && seq === 11 ? [seq] : []));
  const { events: kept, of } = bundled(events, { seqs });
  expect(kept.map(({ type, seq }) => `${type} ${seq}`)).toEqual([
    ...['start 1', 'frame 2', 'frame 3', 'gap 4', 'frame 10', 'frame 11', 'stderr 12', 'frame 13'],
    ...['gap 14', 'exit 15'],
  ]);
  expect(kept.find(({ type }) => type === 'gap')).toMatchObject({ count: 6, omitted: true });
  expect(of).toBe(15);
});

test('a bundle holds the restore that opened the session, where it was asked of in vain before', () => {
  const events = draw(`client →0 initialize {"protocolVersion":1}
  agent   ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}
  client  →1 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
  agent   ←1 error -32603 Not now
  client  →2 session/load {"sessionId":"s1","cwd":"/w","mcpServers":[]}
  agent   ←2 result {}
  client  →3 session/new {"cwd":"/other","mcpServers":[]}
  agent   ←3 result {"sessionId":"s2"}
  client  →4 session/prompt s2 "Of another session"
  agent   ←4 result {"stopReason":"end_turn"}
  client  →5 session/prompt s1 "Hi"
  agent   update s1 agent_message_chunk "Hello"
  agent   ←5 result {"stopReason":"end_turn"}`);
  const { events: kept } = bundled(events, { seqs: [seq(12)] });
  const frames = kept.flatMap((event) => (event.type === 'frame' ? [event.seq] : []));
  expect(frames).toEqual([1, 2, 3, 4, 5, 6, 11, 12, 13]);
});

test.each(['codex-acp/2.6.0', 'claude-agent-acp/0.100.0'])(
  'a bundle of what a child session of %s did holds what announced it, and not all that crossed',
  (agent) => {
    const events =
      recordings().find(({ name }) => name === `${agent}/child-live-v2.ndjson`)?.events ?? [];
    const { index } = indexedTrace(events, 'c1');
    const [child] = index.children.all();
    if (!child) throw new Error('the recording has a child session');
    const seqs = index.columns.seq;
    const own = events.flatMap((_, place) =>
      index.columns.session.get(place) === child.session.index + 1 ? [seq(seqs.get(place))] : [],
    );
    const last = own.at(-1) ?? seq(0);
    const { events: kept } = bundled(events, { seqs: [last] });
    const frames = kept.flatMap((event) => (event.type === 'frame' ? [event.seq] : []));
    expect(frames).toContain(seqs.get(child.announced));
    expect(frames).toContain(last);
    expect(frames.length).toBeLessThan(events.length / 2);
    const known = new Map(findingsOf(events).map((one) => [findingKey(one), one.seqs]));
    for (const one of findingsOf(kept).filter(({ verdict }) => verdict === 'fail'))
      expect(known.get(findingKey(one))).toEqual(expect.arrayContaining([...one.seqs]));
  },
);

test('a bundle whose frames cannot be understood by their turns holds their session, and no other', () => {
  const turn = (at: number) => {
    const session = `s${at % 4}`;
    const asked =
      at % 8 === 0 ? `session/load {"sessionId":"${session}"}` : `session/prompt ${session}`;
    return `client →${at} ${asked}
      agent update ${session} agent_message_chunk m${at} "of the answer"
      agent update ${session} tool_call {"toolCallId":"t${at}","title":"read","kind":"read","status":"pending"}
      agent update ${session} tool_call_update {"toolCallId":"t${at}","status":"completed"}
      agent ←${at} result {"stopReason":"end_turn"}`;
  };
  const events = draw(`client →0 initialize {"protocolVersion":1}
    agent ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true}}
    ${Array.from({ length: 20 }, (_, at) => turn(at + 1)).join('\n')}`);
  const last = events.at(-2);
  if (!last) throw new Error('the drawing is empty');
  const { events: kept } = bundled(events, { seqs: [last.seq] });
  const sessions = kept.flatMap((event) => {
    const text = 'line' in event && 'text' in event.line ? event.line.text : '';
    return /"sessionId":"(s\d)"/.exec(text)?.[1] ?? [];
  });
  expect(new Set(sessions)).toEqual(new Set(['s0']));
});

test('events that are left out by choice are none that are missing: what else is judged stays judged', () => {
  const events = draw(`client →0 initialize {"protocolVersion":1}
  agent ←0 result {"protocolVersion":1}
  gap 3 x
  agent ←9 result {}`);
  const verdict = (all: readonly TraceEvent[]) =>
    findingsOf(all).find(({ seqs: [first] }) => first === events.at(-1)?.seq)?.verdict;
  expect(verdict(events)).toBe('undecidable');
  const omitted = (event: TraceEvent) =>
    event.type === 'gap' ? { ...event, omitted: true as const } : event;
  expect(verdict(events.map(omitted))).toBe('fail');
});

test('the document names the clause, who speaks, the lines, the way there and how to see it again', () => {
  const events = draw(LOADED);
  const finding = findingsOf(events).find(({ rule }) => rule === 'replay/after-response');
  if (!finding) throw new Error('the drawing breaks the rule');
  const text = markdown(bundled(events, { finding }));
  expect(text).toContain('# Evidence: `replay/after-response`');
  expect(text).toContain(finding.source.url);
  expect(text).toContain(finding.source.quote?.slice(0, 40).replaceAll('`', '\\`'));
  expect(text).toContain('| agent | `A 3.1` |');
  expect(text).toMatch(/^#14 ← \{"jsonrpc":"2.0".*too late/m);
  expect(text).toMatch(/^#10 → {3}session\/load/m);
  expect(text).toMatch(/^#12 {5}stderr {2}warn: history is long/m);
  expect(text).toContain('`acp-scope check e.acptrace.jsonl --profile v1-2.4.0`');
  expect(text).toContain("`acp-scope replay e.acptrace.jsonl --as client -- 'my agent' --acp`");
});

test('for a language model it is the same story in fewer characters', () => {
  const events = draw(LOADED.replace('"too late"', `"${'too late '.repeat(300)}"`));
  const finding = findingsOf(events).find(({ rule }) => rule === 'replay/after-response');
  if (!finding) throw new Error('the drawing breaks the rule');
  const bundle = bundled(events, { finding });
  const brief = bundleBrief(told(bundle));
  expect(brief).toContain('rule replay/after-response');
  expect(brief).toMatch(/^\*#14← \{"method":"session\/update".*… ?\d+ more/m);
  expect(brief).toMatch(/^#4 … {2}6 events left out/m);
  expect(brief).not.toContain('jsonrpc');
  expect(brief.length).toBeLessThan(markdown(bundle).length / 2);
});

test('I-09 a secret told elsewhere in the trace stands neither in the file nor in its words', () => {
  const secret = 'zq-told-before-41';
  const events = draw(
    LOADED.replace(
      '"mcpServers":[]}',
      `"mcpServers":[{"name":"m","command":"x","args":[],"env":[{"name":"API_TOKEN","value":"${secret}"}]}]}`,
    ).replace('"too late"', `"with ${secret}"`),
  );
  const finding = findingsOf(events).find(({ rule }) => rule === 'replay/after-response');
  if (!finding) throw new Error('the drawing breaks the rule');
  const bundle = bundled(events, { finding }, 'no-secrets');
  const leaves = [markdown(bundle), bundleBrief(told(bundle)), ...bundle.events.map(eventLine)];
  expect(leaves.join('\n')).not.toContain(secret);
  expect(leaves.join('\n')).toContain('‹redacted:env:1›');
});

test('where what may leave does not show the finding, the bundle says so, and not what was seen', () => {
  const events = draw(`client →0 initialize {"protocolVersion":1}
  agent ←0 result {"protocolVersion":1}
  client →1 session/new {"cwd":"secret/relative","mcpServers":[]}
  agent ←1 result {"sessionId":"s1"}`);
  const finding = findingsOf(events).find(({ seen }) => seen.includes('secret/relative'));
  if (!finding) throw new Error('the drawing breaks a rule that quotes the folder');
  const bundle = bundled(events, { finding }, 'shape');
  expect(markdown(bundle)).not.toContain('secret/relative');
  expect(markdown(bundled(events, { finding }))).toContain('secret/relative');
});
