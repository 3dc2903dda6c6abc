// What is known of a connection beside its frames: handshake, sign-in, who waits, how it ended.
import { clientOffer } from '../../acp/capabilities.ts';
import {
  CODE,
  type Failure,
  type Request,
  type Success,
  type Json,
  type JsonObject,
} from '../../acp/message.ts';
import { obj, objects, str, arr, get, isObject, num } from '../../acp/json.ts';
import { OPENERS } from '../../acp/methods.ts';
import { defined } from '../../lib/defined.ts';
import { withoutSecrets } from '../../lib/secrets/arguments.ts';
import type { Millis } from '../../lib/time.ts';
import type { PlacedQuestion } from './exchanges.ts';
import type {
  ConnectionFacts,
  HandshakeView,
  OpenRequest,
  PermissionOption,
  AuthMethod,
} from './facts-view.ts';
import { InterceptFold } from './intercept.ts';
import { errorWords } from '../words.ts';
import {
  seq,
  isMember,
  timeOf,
  type ConnectionId,
  type Exit,
  type Frame,
  type Gap,
  type Line,
  type Start,
  type TraceEvent,
} from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';

const LAST_WORDS = 20;
/** Longest line of stderr that is kept as last words. */
const LAST_WORD_LENGTH = 2000;

/** Requests whose success shows that no sign-in is missing any more. */
const SIGNED_IN: ReadonlySet<string> = new Set(['authenticate', 'auth/login', ...OPENERS]);

export class Facts {
  private readonly connection: ConnectionId;
  handshake: HandshakeView | undefined;
  private signIn: ConnectionFacts['signIn'];
  private exit: ConnectionFacts['exit'];
  private start: ConnectionFacts['started'];
  private readonly intercept = new InterceptFold();
  private readonly lastWords: string[] = [];
  private frames = 0;
  private missing = 0;
  private firstFrameAt: Millis | undefined;
  lastEventAt = 0 as Millis;

  constructor(connection: ConnectionId) {
    this.connection = connection;
  }

  /** The version spoken, or asked for while there is no answer. */
  get version(): number | undefined {
    return this.handshake?.version ?? this.handshake?.asked;
  }

  event(event: TraceEvent): void {
    this.lastEventAt = timeOf(event);
    if (!isMember(event)) this.intercept.take(event);
  }

  frame(frame: Frame): void {
    if (!isMember(frame)) this.frames++;
    if (frame.from === 'agent') this.firstFrameAt ??= timeOf(frame);
  }

  started({ argv, cwd, pid, headers, env }: Start): void {
    const plain = withoutSecrets(argv);
    const shown = plain.some((word, at) => word !== argv[at]) ? plain : undefined;
    this.start = defined({ argv, shown, cwd, pid, headers, env });
    this.exit = undefined;
  }

  exited({ seq: at, code, signal, problem, sent, by, left }: Exit): void {
    this.exit = defined({ seq: at, code, signal, problem, sent, by, left });
  }

  gap({ count, omitted }: Gap): void {
    if (!omitted) this.missing += count;
  }

  stderr(line: Line): void {
    this.lastWords.push(lineText(line).slice(0, LAST_WORD_LENGTH));
    if (this.lastWords.length > LAST_WORDS) this.lastWords.shift();
  }

  asked({ from, request }: PlacedQuestion, at: number): void {
    if (from !== 'client' || request.method !== 'initialize') return;
    this.handshake = askedHandshake(request.params, at);
    // Of imported files some hold several connections: what ended was another.
    this.exit = undefined;
  }

  answered(
    { from, request }: PlacedQuestion,
    answer: Success | Failure,
    askedAt: number,
    at: number,
  ): void {
    if (from !== 'client') return;
    if (answer.kind === 'failure') {
      const { code, message } = answer.error;
      if (code === CODE.authRequired) this.signIn = { seq: seq(at), message };
    } else if (SIGNED_IN.has(request.method)) this.signIn = undefined;
    if (request.method !== 'initialize' || this.handshake?.request !== askedAt) return;
    this.handshake =
      answer.kind === 'success'
        ? answeredHandshake(this.handshake, request.params, answer.result, at)
        : { ...this.handshake, answer: seq(at), error: errorWords(answer.error) };
  }

  view(
    sessions: ConnectionFacts['sessions'],
    listCursor: string | undefined,
    open: readonly OpenRequest[],
    asked: number,
  ): ConnectionFacts {
    const listed = open.filter(({ from }) => from === 'agent').length;
    return defined({
      connection: this.connection,
      handshake: this.handshake,
      signIn: this.signIn,
      sessions,
      listCursor,
      open,
      unlisted: asked - listed || undefined,
      exit: this.exit,
      lastWords: [...this.lastWords],
      started: this.start,
      intercept: this.intercept.view(),
      frames: this.frames,
      missing: this.missing,
      firstFrameAt: this.firstFrameAt,
      lastEventAt: this.lastEventAt,
    });
  }
}

/** What a person needs to answer an open request by hand. */
export function askOf({ method, params }: Request): Pick<OpenRequest, 'options' | 'elicitation'> {
  if (method === 'session/request_permission')
    return { options: objects(params, 'options').flatMap(optionOf) };
  if (method !== 'elicitation/create') return {};
  const message = str(params, 'message') ?? '';
  const mode = str(params, 'mode');
  const schema = obj(params, 'requestedSchema');
  const url = str(params, 'url');
  if (mode === 'form' && schema) return { elicitation: { mode, message, schema } };
  if (mode === 'url' && url !== undefined) return { elicitation: { mode, message, url } };
  return { elicitation: { mode: 'other', message } };
}

function optionOf(option: Parameters<typeof str>[0]): PermissionOption[] {
  const optionId = str(option, 'optionId');
  if (optionId === undefined) return [];
  const name = str(option, 'name') ?? optionId;
  return [{ optionId, name, kind: str(option, 'kind') ?? '' }];
}

// The handshake of a connection: what both sides said of themselves in `initialize`, in v1's words
// or v2's. The version spoken is the one the agent answered.

const NOTHING: JsonObject = {};

export function askedHandshake(params: Json | undefined, request: number): HandshakeView {
  return defined({
    request: seq(request),
    asked: num(params, 'protocolVersion'),
    client: partyOf(params, 'clientInfo'),
    clientCapabilities:
      clientOffer(params, num(params, 'protocolVersion') === 1 ? 1 : 2) ?? NOTHING,
    agentCapabilities: NOTHING,
    authMethods: [],
  });
}

/** The client's words for the version that was not chosen count for nothing. */
export function answeredHandshake(
  asked: HandshakeView,
  params: Json | undefined,
  result: Json,
  answer: number,
): HandshakeView {
  const version = num(result, 'protocolVersion');
  return defined({
    ...asked,
    answer: seq(answer),
    version,
    clientCapabilities: clientOffer(params, version === 1 ? 1 : 2) ?? NOTHING,
    agent: partyOf(result, 'agentInfo'),
    agentCapabilities: obj(result, 'agentCapabilities') ?? obj(result, 'capabilities') ?? NOTHING,
    authMethods: objects(result, 'authMethods').flatMap(authMethodOf),
  });
}

/** v1 gives each side's name its own key, v2 calls both `info`. */
function partyOf(value: Json | undefined, v1: string): HandshakeView['agent'] {
  const info = obj(value, v1) ?? obj(value, 'info');
  const name = str(info, 'name');
  if (name === undefined) return undefined;
  return defined({ name, version: str(info, 'version'), title: str(info, 'title') });
}

/** v1: `id`, type only where it is a terminal, env a map. v2: `methodId`, type always, env a list. */
function authMethodOf(method: JsonObject): AuthMethod[] {
  const id = str(method, 'methodId') ?? str(method, 'id');
  if (id === undefined) return [];
  const type = str(method, 'type') ?? 'agent';
  const known: AuthMethod['type'] = type === 'agent' || type === 'terminal' ? type : 'other';
  const env = get(method, 'env');
  const pairs = isObject(env)
    ? Object.entries(env)
    : objects(method, 'env').map((item): [string, Json] => [
        str(item, 'name') ?? '',
        get(item, 'value') ?? '',
      ]);
  return [
    defined({
      id,
      type: known,
      name: str(method, 'name') ?? id,
      description: str(method, 'description'),
      args: arr(method, 'args').filter((arg) => typeof arg === 'string'),
      env: Object.fromEntries(
        pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
      ),
    }),
  ];
}
