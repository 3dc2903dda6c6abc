// A small trace drawn as text, so that a test reads as a story. One line, one event:
//
//   start my-agent --acp
//   client  →0 initialize {"protocolVersion":1}          asks, with this id token
//   agent   ←0 result {"protocolVersion":1}              answers it
//   agent   ←1 error -32602 Invalid params {"x":1}       or so; data last, if any
//   client  →2 session/prompt s1 "Hello"                 bare word: sessionId; string: the prompt
//   agent   update s1 agent_message_chunk "Hel" "lo"     a frame a string
//   agent   update s1 agent_message_chunk m1 "Hi" ×3     with messageId; three frames alike
//   agent   update s1 tool_call {"toolCallId":"t1"}      JSON is merged in
//   client  session/cancel s1                            no id: a notification
//   agent@s1 update s1 agent_message_chunk "Hi"          over HTTP, on the stream of s1; agent@: on the connection's
//   client@post/s1 →2 session/prompt s1 "Hi"           as the body of a POST with this session; @post/: without;
//   client@socket/ →0 initialize {}                    over WebSocket; @socket/binary: as a binary message
//   transport {"step":"answered","status":202,"of":4}  what the transport did
//   client(composer) raw {not json                       any words, any origin
//   agent   bytes ff fe                                  a line by its bytes, in hex
//   agent   cut {"jsonrpc"                               the stream ended in this line
//   stderr  some words
//   +250ms                                               the next event comes 250 ms later
//   gap 3 the disk was full
//   sleep 8000 0                                         nothing ran for 8 s; the times count none of it
//   mark 2 look here
//   exit 0                                               or: exit SIGKILL, exit problem Not found.
//   exit 1 after SIGTERM                                 it was told to; by the client: after stdin by client
//
// seq counts from 1; each event comes 1 ms after the one before. Lines of `//` are comments.
import type { Json, JsonObject } from '../../acp/message.ts';
import { millis } from '../../lib/time.ts';
import { encodeUtf8 } from '../../lib/utf8.ts';
import {
  seq,
  type Frame,
  type EndRequest,
  type Line,
  type Origin,
  type Side,
  type TraceEvent,
  type Transport,
  type Via,
} from '../../trace/event.ts';
import { RecorderReader } from '../../trace/import/recorder.ts';
import { lineOf, lineText } from '../../trace/line.ts';

/** Events without their stamp, as the parts of a drawing give them. */
type Unstamped<E> = E extends TraceEvent ? Omit<E, 'seq' | 'at'> : never;
type Drawn = Unstamped<TraceEvent>;

/** Throws on a line that is none of the above: a broken drawing is a broken test. */
export function draw(picture: string): TraceEvent[] {
  const events: TraceEvent[] = [];
  let at = -1;
  let step = 1;
  for (const line of picture.split('\n').map((text) => text.trim())) {
    if (line === '' || line.startsWith('//')) continue;
    const pause = /^\+(\d+)ms$/.exec(line);
    if (pause) {
      step = Number(pause[1]);
      continue;
    }
    for (const drawn of eventsOf(line)) {
      at += step;
      step = 1;
      events.push({ ...drawn, seq: seq(events.length + 1), at: millis(Math.max(0, at)) });
    }
  }
  return events;
}

/** The same messages in arrays: up to `most` that one side sent in a row are one line. */
export function inArrays(events: readonly TraceEvent[], most: number): TraceEvent[] {
  const lines: (TraceEvent | Frame[])[] = [];
  for (const event of events) {
    const last = lines.at(-1);
    if (event.type !== 'frame') lines.push(event);
    else if (Array.isArray(last) && last.length < most && last[0]?.from === event.from)
      last.push(event);
    else lines.push([event]);
  }
  return lines.map((one, at): TraceEvent => {
    if (!Array.isArray(one)) return { ...one, seq: seq(at + 1) };
    const text = `[${one.map(({ line }) => lineText(line)).join(',')}]`;
    return { ...(one[0] as Frame), seq: seq(at + 1), line: { text } };
  });
}

/** The same events as a tool hands on that wrote no times. */
export function untimed(events: readonly TraceEvent[]): TraceEvent[] {
  return events.map(({ at: _, ...event }) => event);
}

/** Reads the recorder format, `{"t","dir","raw"}` one a line; anything else there is an error. */
export function drawRecorder(ndjson: string): TraceEvent[] {
  const reader = new RecorderReader();
  return [...reader.push(encodeUtf8(ndjson)), ...reader.end()].map((item) => {
    if ('problem' in item) throw new Error(`draw: line ${item.line} is ${item.problem}`);
    return item.event;
  });
}

function eventsOf(line: string): Drawn[] {
  const [word = '', rest = ''] = cutWord(line);
  switch (word) {
    case 'start':
      return [{ type: 'start', argv: rest.split(' '), cwd: '/w' }];
    case 'transport':
      return [
        { type: 'transport', ...(JSON.parse(rest) as Omit<Transport, 'type' | 'seq' | 'at'>) },
      ];
    case 'stderr':
      return [{ type: 'stderr', line: { text: rest } }];
    case 'exit': {
      const [how, sentence] = cutWord(rest);
      if (how === 'problem') return [{ type: 'exit', problem: sentence }];
      const end = /^\d+$/.test(how) ? { code: Number(how) } : { signal: how };
      const [, sent, by] = /^after (\S+)( by client)?$/.exec(sentence) ?? [];
      const asked = sent === undefined ? {} : { sent: sent as EndRequest };
      return [{ type: 'exit', ...end, ...asked, ...(by && { by: 'client' }) }];
    }
    case 'gap': {
      const [count, reason] = cutWord(rest);
      return [{ type: 'gap', count: Number(count), reason }];
    }
    case 'sleep': {
      const [ms, counted] = cutWord(rest);
      return [{ type: 'sleep', ms: millis(Number(ms)), counted: millis(Number(counted)) }];
    }
    case 'mark': {
      const [target, label] = cutWord(rest);
      return [{ type: 'mark', target: seq(Number(target)), label }];
    }
  }
  const side = /^(client|agent)(?:\((\w+)\))?(?:@(?:(post|socket)\/)?(\w*))?$/.exec(word);
  if (!side) throw new Error(`draw: "${line}" begins with no word of draw.ts`);
  const from = side[1] as Side;
  const origin = (side[2] ?? 'peer') as Origin;
  const via = side[4] === undefined ? {} : { via: viaOf(side[4], side[3]) };
  return linesOf(rest).map((drawn): Omit<Frame, 'seq' | 'at'> => {
    return { type: 'frame', from, origin, ...drawn, ...via };
  });
}

function viaOf(session: string, way: string | undefined): Via {
  if (way === 'socket') return { stream: 'socket', ...(session === 'binary' && { binary: true }) };
  if (way === 'post') return { stream: 'post', ...(session !== '' && { session }) };
  return session === '' ? { stream: 'connection' } : { stream: 'session', session };
}

function linesOf(text: string): { line: Line; cut?: true }[] {
  const [word, rest] = cutWord(text);
  if (word === 'raw') return [{ line: { text: rest } }];
  if (word === 'cut') return [{ line: { text: rest }, cut: true }];
  if (word === 'bytes') return [{ line: lineOf(bytesOfHex(rest)) }];

  const times = /\s+×(\d+)$/.exec(text);
  const once = times ? text.slice(0, times.index) : text;
  const lines = messagesOf(once).map((message) => ({ line: { text: message } }));
  return Array.from({ length: Number(times?.[1] ?? 1) }, () => lines).flat();
}

function messagesOf(text: string): string[] {
  const [word, rest] = cutWord(text);
  if (word === 'update')
    return updatesOf(rest).map((params) => notification('session/update', params));
  const id = word.slice(1);
  if (word.startsWith('→')) {
    const [method, args] = cutWord(rest);
    const params = paramsOf(method, args);
    const tail = params === undefined ? '' : `,"params":${params}`;
    return [`{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)}${tail}}`];
  }
  if (word.startsWith('←')) return [`{"jsonrpc":"2.0","id":${id},${answerOf(rest)}}`];
  return [notification(word, paramsOf(word, rest))];
}

function notification(method: string, params: string | undefined): string {
  const tail = params === undefined ? '' : `,"params":${params}`;
  return `{"jsonrpc":"2.0","method":${JSON.stringify(method)}${tail}}`;
}

function answerOf(text: string): string {
  const [word, rest] = cutWord(text);
  if (word === 'result') return `"result":${rest || '{}'}`;
  const error = /^error (-?\d+) ([^{]*)(\{.*\})?$/.exec(text);
  if (!error) throw new Error(`draw: "${text}" is neither a result nor an error`);
  const [, code = '', message = '', data] = error;
  const tail = data === undefined ? '' : `,"data":${data}`;
  return `"error":{"code":${code},"message":${JSON.stringify(message.trim())}${tail}}`;
}

/** JSON alone stays exactly as it was drawn. */
function paramsOf(method: string, args: string): string | undefined {
  if (args === '') return undefined;
  if (args.startsWith('{') || args.startsWith('[')) return args;
  const [sessionId, rest] = cutWord(args);
  const { texts, json } = valuesOf(rest);
  const prompt = texts.length > 0 ? { prompt: texts.map(textBlock) } : {};
  if (texts.length > 0 && method !== 'session/prompt')
    throw new Error(`draw: a string says nothing in ${method}`);
  return JSON.stringify({ sessionId, ...prompt, ...json });
}

function updatesOf(text: string): string[] {
  const [sessionId, afterSession] = cutWord(text);
  const [sessionUpdate, afterVariant] = cutWord(afterSession);
  const named = /^[^"{\s]+/.exec(afterVariant)?.[0];
  const { texts, json } = valuesOf(afterVariant.slice(named?.length ?? 0));
  const id = named === undefined ? {} : { messageId: named };
  const update = (content: JsonObject) =>
    JSON.stringify({ sessionId, update: { sessionUpdate, ...id, ...content, ...json } });
  if (texts.length === 0) return [update({})];
  if (sessionUpdate.endsWith('_chunk'))
    return texts.map((part) => update({ content: textBlock(part) }));
  return [update({ content: texts.map(textBlock) })];
}

/** Strings, and at most one object, separated by spaces. */
function valuesOf(text: string): { texts: string[]; json: JsonObject } {
  const texts: string[] = [];
  let rest = text.trim();
  while (rest.startsWith('"')) {
    const string = /^"(?:[^"\\]|\\.)*"/.exec(rest)?.[0];
    if (string === undefined) throw new Error(`draw: no end of the string in ${rest}`);
    texts.push(JSON.parse(string) as string);
    rest = rest.slice(string.length).trim();
  }
  return { texts, json: rest === '' ? {} : (JSON.parse(rest) as JsonObject) };
}

function textBlock(text: string): Json {
  return { type: 'text', text };
}

function cutWord(text: string): [word: string, rest: string] {
  const found = /^(\S+)\s*([^]*)$/.exec(text);
  return [found?.[1] ?? '', found?.[2] ?? ''];
}

function bytesOfHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.split(/\s+/), (byte) => parseInt(byte, 16));
}
