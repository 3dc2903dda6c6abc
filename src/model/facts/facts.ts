// What is known of a connection beside its frames: handshake, sign-in, who waits, how it ended.
import { CODE, type Failure, type Request, type Success } from '../../acp/message.ts';
import { obj, objects, str } from '../../acp/json.ts';
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
} from './facts-view.ts';
import { HandshakeFold, handshakeView } from './handshake.ts';
import { InterceptFold } from './intercept.ts';
import {
  type Seq,
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
  readonly hello = new HandshakeFold();
  private greeted: HandshakeView | undefined;
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
    return this.hello.version;
  }

  get handshake(): HandshakeView | undefined {
    const { current } = this.hello;
    return (this.greeted ??= current && handshakeView(current));
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
    this.hello.isOver = true;
  }

  gap({ count, omitted }: Gap): void {
    if (!omitted) this.missing += count;
  }

  stderr(line: Line): void {
    this.lastWords.push(lineText(line).slice(0, LAST_WORD_LENGTH));
    if (this.lastWords.length > LAST_WORDS) this.lastWords.shift();
  }

  asked({ from, request }: PlacedQuestion, at: Seq): void {
    if (from !== 'client' || request.method !== 'initialize') return;
    this.hello.ask({ seq: at, request });
    this.greeted = undefined;
    // Of imported files some hold several connections: what ended was another.
    this.exit = undefined;
  }

  answered(
    { from, request }: PlacedQuestion,
    answer: Success | Failure,
    askedAt: Seq,
    at: Seq,
  ): void {
    if (from !== 'client') return;
    if (answer.kind === 'failure') {
      const { code, message } = answer.error;
      if (code === CODE.authRequired) this.signIn = { seq: at, message };
    } else if (SIGNED_IN.has(request.method)) this.signIn = undefined;
    if (request.method !== 'initialize') return;
    this.hello.answer({ seq: askedAt, request }, answer, at);
    this.greeted = undefined;
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
