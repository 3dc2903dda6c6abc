// Connections of HTTP made by hand, whose event streams are dropped and opened again: what came twice, what
// is lost, and what a new connection finds. Cursors are those of the draft of resumable transports.
import { initializeParams } from '../../../acp/capabilities.ts';
import { get, obj, parseJson, str } from '../../../acp/json.ts';
import { requestLine } from '../../../acp/lines.ts';
import type { Json } from '../../../acp/message.ts';
import type { AnswerByHand, HttpByHand, NewsByHand } from '../../peer.ts';
import { DEFAULT_SETTINGS } from '../../settings.ts';
import { saidText, textBlocks } from '../../turn.ts';
import { CannotAsk, fail, info, pass, warn, type ProbeVerdict } from '../probe.ts';
import { mustBeRestored, replaying, restoredOf, savedSession } from '../restore/restored.ts';
import type { ProbeWorld } from '../world.ts';

export const JSON_TYPE = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};
export const STREAM = { accept: 'text/event-stream' };
export const CONNECTION_HEADER = 'acp-connection-id';
export const SESSION_HEADER = 'acp-session-id';
/** How often a stream is asked for that somebody is still said to read. */
const MOST_TRIES = 20;

/** What had to be answered for the question was refused: a sentence. */
export class WrongStatus extends Error {}

export const messageLine = (message: Readonly<Record<string, Json>>) =>
  JSON.stringify({ jsonrpc: '2.0', ...message });

export function initializeLine({ version, settings }: ProbeWorld): string {
  const params = initializeParams(version, DEFAULT_SETTINGS.advertise, settings.name);
  return requestLine(0, 'initialize', params);
}

/** The message that came; undefined: none did, or it is no JSON. */
export function saidIn(news: NewsByHand): Json | undefined {
  return 'text' in news ? parseJson(news.text) : undefined;
}

export class HandConnection {
  readonly id: string;
  readonly #http: HttpByHand;
  readonly #world: ProbeWorld;

  private constructor(id: string, http: HttpByHand, world: ProbeWorld) {
    this.id = id;
    this.#http = http;
    this.#world = world;
  }

  static async open(world: ProbeWorld, http: HttpByHand): Promise<HandConnection> {
    const body = initializeLine(world);
    const met = await http.ask({ method: 'POST', headers: JSON_TYPE, body });
    const id = met.header(CONNECTION_HEADER);
    met.end();
    if (met.status === 200 && id !== undefined) return new HandConnection(id, http, world);
    const without = id === undefined ? ' without Acp-Connection-Id' : '';
    throw new WrongStatus(
      `initialize by POST got ${met.status}${without}. Expected: 200 with that header.`,
    );
  }

  async say(message: Readonly<Record<string, Json>>, session?: string): Promise<void> {
    const headers = { ...JSON_TYPE, ...this.#names(session) };
    const { status, end } = await this.#http.ask({
      method: 'POST',
      headers,
      body: messageLine(message),
    });
    end();
    if (status === 202) return;
    throw new WrongStatus(`${str(message, 'method')} by POST got ${status}. Expected: 202.`);
  }

  /** Opens a stream; while the reader before is not known to be gone, it is asked for again. */
  async read(session?: string, lastId?: string): Promise<AnswerByHand> {
    const cursor = lastId === undefined ? {} : { 'last-event-id': lastId };
    const headers = { ...STREAM, ...this.#names(session), ...cursor };
    for (let tries = 1; ; tries++) {
      const stream = await this.#http.ask({ method: 'GET', headers });
      if (stream.status !== 409 || tries === MOST_TRIES) return stream;
      await stream.next(this.#world.settings.quiet);
      stream.end();
    }
  }

  /** The same, where only a stream that opens is of use. */
  async mustRead(session?: string, lastId?: string): Promise<AnswerByHand> {
    const stream = await this.read(session, lastId);
    if (stream.status === 200) return stream;
    stream.end();
    const which = session === undefined ? 'the connection' : 'a session';
    throw new WrongStatus(`The stream of ${which} got ${stream.status}. Expected: 200.`);
  }

  async end(): Promise<void> {
    const headers = this.#names();
    (await this.#http.ask({ method: 'DELETE', headers })).end();
  }

  #names(session?: string) {
    return {
      [CONNECTION_HEADER]: this.id,
      ...(session !== undefined && { [SESSION_HEADER]: session }),
    };
  }
}

/** Makes a session; its answer comes on the connection's stream, which is left open. */
async function newSession(world: ProbeWorld, connection: HandConnection) {
  const stream = await connection.mustRead();
  await connection.say({ id: 1, method: 'session/new', params: world.given() });
  const news = await stream.next(world.settings.patience);
  const sessionId = str(obj(saidIn(news), 'result'), 'sessionId');
  if (sessionId !== undefined) return { stream, news, sessionId };
  stream.end();
  await connection.end();
  throw new CannotAsk('session/new gave no session on the stream of the connection.');
}

/** What comes until it is silent for so long. */
async function rest(stream: AnswerByHand, ms: number): Promise<string[]> {
  const texts: string[] = [];
  for (;;) {
    const news = await stream.next(ms);
    if (!('text' in news)) return texts;
    texts.push(news.text);
  }
}

export async function reattach(world: ProbeWorld, http: HttpByHand): Promise<ProbeVerdict> {
  const { settings } = world;
  const connection = await HandConnection.open(world, http);
  const { stream, sessionId } = await newSession(world, connection);
  const first = await connection.mustRead(sessionId);
  settings.budget.take();
  const params = { sessionId, prompt: textBlocks(settings.texts.long) };
  await connection.say({ id: 2, method: 'session/prompt', params }, sessionId);
  const begun = await first.next(settings.turnPatience);
  // What is on its way with it came before the stream was dropped too.
  const before = 'text' in begun ? [begun.text, ...(await rest(first, 0))] : [];
  first.end();
  if (before.length === 0) throw new CannotAsk('Nothing came on the stream of a session at work.');
  const again = await connection.mustRead(sessionId);
  const next = await again.next(settings.turnPatience);
  await connection.say({ method: 'session/cancel', params: { sessionId } }, sessionId);
  const behind = 'text' in next ? [next.text, ...(await rest(again, settings.quiet))] : [];
  again.end();
  stream.end();
  await connection.end();
  // An agent may well say the same word twice: what it said once before is told apart.
  const once = before.filter((text, _, all) => all.indexOf(text) === all.lastIndexOf(text));
  const twice = behind.filter((text) => once.includes(text));
  const counted = `${before.length} of its messages came before it was dropped, ${behind.length} behind`;
  if (twice.length > 0)
    return fail(`${counted}, and ${twice.length} of those had come before: ${twice[0]}`);
  if (behind.length === 0)
    return info(`${counted}: what was said meanwhile, and afterwards, is lost.`);
  return pass(`${counted}, and none of them twice.`);
}

export async function lastEventId(world: ProbeWorld, http: HttpByHand): Promise<ProbeVerdict> {
  const { patience } = world.settings;
  const connection = await HandConnection.open(world, http);
  const { stream, news } = await newSession(world, connection);
  stream.end();
  try {
    const id = 'text' in news ? news.id : undefined;
    const transport = obj(world.offered.agentCapabilities, 'transport');
    if (id === undefined)
      return get(transport, 'resumable') === undefined
        ? info(
            'Its events have no ids, and none are advertised: what a dropped stream had is lost.',
          )
        : fail('It advertises streams that can be resumed, and its events have no ids.');
    await connection.say({ id: 2, method: 'session/new', params: world.given() });
    const again = await connection.mustRead(undefined, id);
    const next = await again.next(patience);
    again.end();
    if ('text' in news && 'text' in next && next.text === news.text)
      return fail(`Behind the id ${id} the message of that id came once more.`);
    if (get(saidIn(next), 'id') !== 2)
      return fail(`Behind the id ${id}, what was answered while nobody read did not come.`);
    const unknown = await connection.read(undefined, 'acp-scope-probe');
    unknown.end();
    if (unknown.status === 200)
      return warn(
        'An id that no event had got a stream. Expected: 409; otherwise nobody sees which events are missing.',
      );
    return pass(
      `Behind the id ${id} came what was answered while nobody read; an unknown id got ${unknown.status}.`,
    );
  } finally {
    await connection.end();
  }
}

export async function reconnect(world: ProbeWorld): Promise<ProbeVerdict> {
  const { marker } = await savedSession(world);
  const restored = await restoredOf(world, replaying(world));
  mustBeRestored('load/roundtrip or resume2/start', restored);
  const { all, answered, connection } = restored;
  if (saidText(all, 'agent').includes(marker))
    return pass('What the agent said on the connection before came back on a new one.', answered);
  const spots = all.map(({ seq }) => ({ trace: connection.trace, seqs: [seq] }));
  return fail(
    'What the agent said on the connection before did not come back on a new one.',
    answered,
    ...spots,
  );
}
