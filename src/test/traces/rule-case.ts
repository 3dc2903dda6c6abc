// A rule's two tiny traces: one that breaks it, one that does not. Beside its family's rules, so that
// the pair reads as the rule's definition.
import { expect, test } from 'vitest';
import type { Finding, Severity, Verdict } from '../../rules/finding.ts';
import { checkTrace, type TraceCheckOptions } from '../../rules/check-trace.ts';
import { loadRemarks } from '../../rules/steps.ts';
import type { EditionId } from '../../acp/editions/edition.ts';
import { World } from '../../rules/connection.ts';
import { draw, untimed } from './draw.ts';

/** Handshakes to begin a drawing with, three events each: start, request, answer. */
export const V1 = `
  start agent
  client →0 initialize {"protocolVersion":1,"clientCapabilities":{"fs":{"readTextFile":true,"writeTextFile":true},"terminal":true,"session":{"configOptions":{"boolean":{}},"notices":{},"compaction":{}},"elicitation":{"form":{},"url":{}}},"clientInfo":{"name":"c","version":"1"}}
  agent ←0 result {"protocolVersion":1,"agentCapabilities":{"loadSession":true,"promptCapabilities":{"image":true},"sessionCapabilities":{"list":{},"resume":{},"close":{},"delete":{}}},"agentInfo":{"name":"a","version":"1"},"authMethods":[]}
`;
export const V2 = `
  start agent
  client →0 initialize {"protocolVersion":2,"info":{"name":"c","version":"1"},"capabilities":{"elicitation":{"form":{},"url":{}}}}
  agent ←0 result {"protocolVersion":2,"info":{"name":"a","version":"1"},"capabilities":{"session":{"prompt":{"image":{}},"mcp":{"stdio":{}},"delete":{}}}}
`;
/** The same and a session `s1`: five events each. */
export const V1_SESSION = `${V1}
  client →1 session/new {"cwd":"/w","mcpServers":[]}
  agent ←1 result {"sessionId":"s1"}
`;
export const V2_SESSION = `${V2}
  client →1 session/new {"cwd":"/w"}
  agent ←1 result {"sessionId":"s1"}
`;

const remarksOf = await loadRemarks();

interface Broken {
  /** One trace, or several of one agent that are checked together; the last one is judged. */
  readonly trace: string | readonly string[];
  /** Its frames, by seq. */
  readonly at: readonly number[];
  readonly seen?: string | RegExp;
  readonly due?: string | RegExp;
  readonly pointer?: string;
  readonly severity?: Severity;
  readonly side?: 'client' | 'agent';
  /** `fail` where nothing is said. */
  readonly verdict?: Verdict;
  readonly edition?: EditionId;
}

export interface RuleCase {
  readonly breaks: Broken | readonly Broken[];
  /** Traces the rule has nothing to say of; at least one of them is judged by it. */
  readonly holds: string | readonly (string | readonly string[])[];
  /** The edition of the traces that hold. */
  readonly edition?: EditionId;
}

/** Findings of a rule in a drawing, or in the last of several drawings. */
export function found(
  rule: string,
  trace: string | readonly string[],
  options: TraceCheckOptions = {},
  drawn = draw,
): readonly Finding[] {
  const world = new World();
  const traces = typeof trace === 'string' ? [trace] : trace;
  let last: readonly Finding[] = [];
  for (const [i, picture] of traces.entries())
    last = checkTrace(drawn(picture), { remarksOf, ...options, world, name: `c${i + 1}` }).findings;
  return last.filter((finding) => finding.rule === rule);
}

/** `title` tells several cases of one rule apart. */
export function ruleCase(rule: string, { breaks, holds, edition }: RuleCase, title = ''): void {
  const name = title === '' ? rule : `${rule}: ${title}`;
  const broken: readonly Broken[] = 'trace' in breaks ? [breaks] : breaks;
  for (const { trace, at, verdict = 'fail', edition: under, ...rest } of broken)
    test(`${name} is ${verdict === 'fail' ? 'broken' : 'undecidable'}`, () => {
      const findings = found(rule, trace, under === undefined ? {} : { edition: under });
      expect(findings.map(({ verdict: is, seqs }) => ({ is, seqs }))).toEqual([
        { is: verdict, seqs: at },
      ]);
      const { seen, due, ...exact } = rest;
      expect(findings[0]).toMatchObject(exact);
      if (seen !== undefined) expect(findings[0]?.seen).toMatch(seen);
      if (due !== undefined) expect(findings[0]?.due).toMatch(due);
    });
  const held = typeof holds === 'string' ? [holds] : holds;
  test(`${name} is kept`, () => {
    const options = { passes: true, ...(edition === undefined ? {} : { edition }) };
    const findings = held.map((trace) => found(rule, trace, options));
    expect(findings.flat().filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
    expect(findings.flat().length, 'at least one of the traces is judged').toBeGreaterThan(0);
  });
  test(`${name} is not said to be broken where nobody knows the times`, () => {
    const options = edition === undefined ? {} : { edition };
    const findings = held.flatMap((trace) =>
      found(rule, trace, options, (one) => untimed(draw(one))),
    );
    expect(findings.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  });
}
