import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { indexedTrace, type IndexedTrace } from '../indexed-trace.ts';
import type { TraceEvent } from '../../trace/event.ts';
import { draw, drawRecorder } from '../../test/traces/draw.ts';
import { reconnectTruth } from './reconnect.ts';

function source(trace: string | readonly TraceEvent[], name = 'c'): IndexedTrace {
  return indexedTrace(typeof trace === 'string' ? draw(trace) : trace, name);
}

function truth(before: string, after: string) {
  return reconnectTruth(source(before, 'a'), source(after, 'b'), 's');
}

const fates = (before: string, after: string) =>
  truth(before, after).open.map(({ kind, fate, why }) => `${kind}: ${fate}, ${why}`);

const V1 = `
  client →0 initialize {"protocolVersion":1}
  agent  ←0 result {"protocolVersion":1}`;
const V2 = `
  client →0 initialize {"protocolVersion":2}
  agent  ←0 result {"protocolVersion":2}`;

/** A tool call is under way and a permission is open: #5 to #7. */
const CUT = `${V1}
  client →1 session/new {"cwd":"/w","mcpServers":[]}
  agent  ←1 result {"sessionId":"s"}
  client →2 session/prompt s "Mend it"
  agent  update s tool_call {"toolCallId":"t1","title":"Edit a.ts","status":"pending"}
  agent  →0 session/request_permission {"sessionId":"s","toolCall":{"toolCallId":"t1","title":"Edit a.ts"},"options":[]}
  exit SIGKILL`;
const LOAD = '  client →1 session/load {"sessionId":"s","cwd":"/w","mcpServers":[]}';
const LOADED = '  agent  ←1 result {}';

describe('v1', () => {
  test('where nothing was open there is nothing to tell', () => {
    const quiet = `${V1}
      client →1 session/prompt s "Hi"
      agent  update s tool_call {"toolCallId":"t1","title":"Look","status":"completed"}
      agent  ←1 result {"stopReason":"end_turn"}`;
    expect(truth(quiet, `${V1}\n${LOAD}\n${LOADED}`).open).toEqual([]);
  });

  test('a replay that leaves out what was open made it silently gone', () => {
    const after = `${V1}
      ${LOAD}
      agent update s user_message_chunk "Another thing"
      ${LOADED}`;
    expect(fates(CUT, after)).toEqual([
      'turn: silently gone, the replay does not hold its prompt',
      'permission: silently gone, not asked again, and nothing replayed tells of it',
      'tool: silently gone, the replay does not hold this tool call',
    ]);
  });

  test('a tool call that the user denied is not open, and one that goes on after the answer is', () => {
    const asked = (outcome: string, since = '') => `${V1}
      client →2 session/prompt s "Mend it"
      agent  →0 session/request_permission {"sessionId":"s","toolCall":{"toolCallId":"t1","title":"Edit a.ts","status":"pending"},"options":[{"optionId":"no","name":"No","kind":"reject_once"},{"optionId":"yes","name":"Yes","kind":"allow_once"}]}
      client ←0 result {"outcome":${outcome}}
      ${since}
      agent  ←2 result {"stopReason":"end_turn"}
      exit SIGKILL`;
    const selected = (optionId: string) => `{"outcome":"selected","optionId":"${optionId}"}`;
    const goesOn = 'agent update s tool_call_update {"toolCallId":"t1","status":"in_progress"}';
    const open = (before: string) =>
      truth(before, `${V1}\n${LOAD}\n${LOADED}`).open.map(({ words }) => words);
    expect(open(asked(selected('no')))).toEqual([]);
    expect(open(asked('{"outcome":"cancelled"}'))).toEqual([]);
    expect(open(asked(selected('yes')))).toEqual(['the tool call “Edit a.ts”, pending']);
    expect(open(asked(selected('no'), goesOn))).toEqual(['the tool call “Edit a.ts”, in_progress']);
  });

  test('a tool call that comes back failed settles itself and its permission', () => {
    const after = `${V1}
      ${LOAD}
      agent update s user_message_chunk "Mend it"
      agent update s tool_call {"toolCallId":"t1","title":"Edit a.ts","status":"failed"}
      ${LOADED}`;
    expect(fates(CUT, after)).toEqual([
      'turn: cannot be known, its prompt was replayed; v1 does not say whether the turn runs',
      'permission: settled, its tool call is failed',
      'tool: settled, it is failed',
    ]);
    const { open } = truth(CUT, after);
    expect(open[2]).toMatchObject({
      before: [
        { connection: 'a', seq: 6 },
        { connection: 'a', seq: 7 },
      ],
      after: [{ connection: 'b', seq: 5 }],
    });
  });

  test('a permission that is asked again is seen again, as is its tool call', () => {
    const after = `${V1}
      ${LOAD}
      agent update s tool_call {"toolCallId":"t1","title":"Edit a.ts","status":"pending"}
      ${LOADED}
      agent →0 session/request_permission {"sessionId":"s","toolCall":{"toolCallId":"t1"},"options":[]}`;
    expect(fates(CUT, after).slice(1)).toEqual([
      'permission: seen again, asked again',
      'tool: seen again, it is pending',
    ]);
  });

  test('a tool call left pending with nobody asking is told', () => {
    const after = `${V1}
      ${LOAD}
      agent update s tool_call {"toolCallId":"t1","title":"Edit a.ts","status":"pending"}
      ${LOADED}`;
    expect(fates(CUT, after)[1]).toBe(
      'permission: silently gone, its tool call is pending, and nobody asks',
    );
  });

  test('a status that the protocol does not know says no end', () => {
    const status = (of: string) => CUT.replace('"status":"pending"', `"status":"${of}"`);
    const after = `${V1}
      ${LOAD}
      agent update s tool_call {"toolCallId":"t1","title":"Edit a.ts","status":"_queued"}
      ${LOADED}`;
    expect(fates(status('_queued'), after).slice(1)).toEqual([
      'permission: silently gone, its tool call is _queued, and nobody asks',
      'tool: seen again, it is _queued',
    ]);
  });

  test('without a replay nothing can be known', () => {
    const after = `${V1}
      client →1 session/resume {"sessionId":"s","cwd":"/w"}
      ${LOADED}`;
    expect(fates(CUT, after)).toEqual([
      'turn: cannot be known, nothing was replayed, and v1 does not say whether a turn runs',
      'permission: cannot be known, nothing was replayed that could tell',
      'tool: cannot be known, nothing was replayed that could tell',
    ]);
  });

  test('what a later prompt brings says nothing of what was open, but that prompts are taken', () => {
    const after = `${V1}
      ${LOAD}
      ${LOADED}
      client →2 session/prompt s "Go on"
      agent  update s tool_call {"toolCallId":"t1","status":"completed"}
      agent  ←2 result {"stopReason":"end_turn"}`;
    const { open, takesPrompts, prompt } = truth(CUT, after);
    expect(open.map(({ fate }) => fate)).toEqual(Array(3).fill('cannot be known'));
    expect({ takesPrompts, prompt }).toEqual({
      takesPrompts: 'yes',
      prompt: { connection: 'b', seq: 5 },
    });
  });

  test('a rejected restore leaves all unknown', () => {
    const after = `${V1}\n${LOAD}\n  agent ←1 error -32002 Not found`;
    expect(fates(CUT, after)[0]).toBe('turn: cannot be known, the session was not restored');
  });
});

describe('v2', () => {
  const cut = `${V2}
    client →2 session/prompt s "Mend it"
    agent  ←2 result {"messageId":"u1"}
    agent  update s state_update {"state":"running","background":[{"type":"terminal","terminalId":"x1"}]}
    agent  update s terminal_update {"terminalId":"x1","command":"npm test"}`;
  const resumed = (told: string) => `${V2}
    client →1 session/resume {"sessionId":"s","cwd":"/w","replayFrom":{"type":"start"}}
    ${told}
    agent  ←1 result {}`;

  test('the state that every resume must tell settles the turn', () => {
    const idle = 'agent update s state_update {"state":"idle"}';
    expect(fates(cut, resumed(idle))[0]).toBe('turn: settled, the agent says that it is idle');
    const running = 'agent update s state_update {"state":"running"}';
    expect(fates(cut, resumed(running))[0]).toBe('turn: seen again, the agent says running');
  });

  test('terminals and background work are followed', () => {
    const ended = `agent update s terminal_update {"terminalId":"x1","exitStatus":{"exitCode":0}}
      agent update s state_update {"state":"idle","background":[]}`;
    expect(fates(cut, resumed(ended)).slice(1)).toEqual([
      'terminal: settled, it is ended',
      'background: settled, it is ended',
    ]);
    const dropped = `agent update s user_message u1 "Mend it"
      agent update s state_update {"state":"idle","background":[]}`;
    expect(fates(cut, resumed(dropped)).slice(1)).toEqual([
      'terminal: silently gone, the replay does not hold this terminal',
      'background: silently gone, no longer listed, and not ended',
    ]);
    const listed =
      'agent update s state_update {"state":"idle","background":[{"type":"terminal","terminalId":"x1"}]}';
    expect(fates(cut, resumed(listed))[2]).toBe('background: seen again, listed again');
    // claude-agent-acp shows a terminal before its command is allowed.
    const shown = 'agent update s terminal_update {"terminalId":"x1","command":"npm test"}';
    expect(fates(cut, resumed(shown))[1]).toBe(
      'terminal: seen again, it is shown without an exit status',
    );
  });

  test('of background work of an unknown type nobody can tell whether it is the same', () => {
    const job = 'agent update s state_update {"state":"idle","background":[{"type":"_job"}]}';
    expect(fates(`${cut}\n${job}`, resumed(job)).at(-1)).toBe(
      'background: cannot be known, background work of a type that is not known',
    );
  });
});

test('whatever is left of two traces, each thing has one fate and frames of its own trace', () => {
  const before = draw(CUT);
  const after = draw(`${V1}
    ${LOAD}
    agent update s user_message_chunk "Mend it"
    agent update s tool_call {"toolCallId":"t1","title":"Edit a.ts","status":"failed"}
    ${LOADED}
    client →2 session/prompt s "Go on"
    agent ←2 error -32603 Broken`);
  fc.assert(
    fc.property(fc.subarray(before), fc.subarray(after), (some, others) => {
      const { open } = reconnectTruth(source(some, 'a'), source(others, 'b'), 's');
      for (const thing of open) {
        expect(thing.before.every(({ seq }) => some.some((event) => event.seq === seq))).toBe(true);
        expect(thing.after.every(({ seq }) => others.some((event) => event.seq === seq))).toBe(
          true,
        );
        if (thing.fate !== 'cannot be known') expect(thing.after).not.toEqual([]);
      }
    }),
  );
});

describe('real agents, killed while a permission is open and loaded again', () => {
  const read = (path: string) =>
    drawRecorder(
      readFileSync(
        fileURLToPath(new URL(`../../test/fixtures/${path}.ndjson`, import.meta.url)),
        'utf8',
      ),
    );
  const fatesOf = (agent: string) => {
    const before = source(read(`${agent}/permission-cut-v1`), 'a');
    const after = source(read(`${agent}/permission-cut-load-v1`), 'b');
    const [session] = before.index.facts().sessions;
    const { open, takesPrompts } = reconnectTruth(before, after, session?.sessionId ?? '');
    return [...open.map(({ kind, fate, why }) => `${kind}: ${fate}, ${why}`), takesPrompts];
  };

  test('codex-acp replays the tool call as completed', () => {
    expect(fatesOf('codex-acp/0.16.0')).toEqual([
      'turn: cannot be known, its prompt was replayed; v1 does not say whether the turn runs',
      'permission: settled, its tool call is completed',
      'tool: settled, it is completed',
      'yes',
    ]);
  });

  test('opencode replays the tool call in progress, and asks no more', () => {
    expect(fatesOf('opencode/1.18.33')).toEqual([
      'turn: cannot be known, its prompt was replayed; v1 does not say whether the turn runs',
      'permission: silently gone, its tool call is in_progress, and nobody asks',
      'tool: seen again, it is in_progress',
      'yes',
    ]);
  });
});
