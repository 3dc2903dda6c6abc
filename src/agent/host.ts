// What a connection's two protocol versions share: the sessions that are active on it, and the
// rules for making, restoring and ending them. Refusals are thrown as the SDK's RequestError.
import { posix, win32 } from 'node:path';
import { RequestError } from '@agentclientprotocol/sdk/unstable';
import { turnEndNamed } from './cursors.ts';
import type { PromptBlock, History } from './history.ts';
import type { Hooks } from './hooks.ts';
import { connectMcp, type McpServers } from './mcp.ts';
import type { BundledAgentOptions, McpServer } from './misbehaviours.ts';
import type { Port, Surroundings, Worker } from './port.ts';
import { play } from './script/play.ts';
import { AgentSession, type Prompted } from './session.ts';
import { SIGN_IN, SignIn } from './sign-in.ts';
import { settingOf } from './settings.ts';
import type { SessionFile, SessionStore, StoredSession } from './store.ts';
import { defined } from '../lib/defined.ts';

/** What a client gives with each new, load, resume and fork. */
export interface Given {
  readonly cwd: string;
  readonly directories: readonly string[];
  readonly mcpServers: readonly McpServer[];
}

const PAGE = 10;
const PROMPT_BLOCKS = ['text', 'image', 'resource_link', 'resource'];

export class AgentHost {
  readonly hooks: Hooks;
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  readonly requireSignIn: boolean;
  /** Whether it tells the history of a session that is restored. */
  readonly replays: boolean;
  /** v2: whether it marks the end of a replay with `replay_complete`. */
  readonly marks: boolean;
  private readonly signIn: SignIn;
  private readonly store: SessionStore;
  private readonly options: BundledAgentOptions;
  private readonly log: (line: string) => void;
  private readonly pace: number;
  private readonly active = new Map<string, AgentSession>();
  private around: Surroundings | undefined;

  constructor(
    store: SessionStore,
    options: BundledAgentOptions,
    hooks: Hooks,
    log: (line: string) => void,
  ) {
    this.store = store;
    this.options = options;
    this.hooks = hooks;
    this.log = log;
    this.info = { name: 'acp-scope-agent', title: 'Bundled agent', version: options.version };
    this.pace = options.pace ?? 1;
    this.requireSignIn = options.requireSignIn ?? false;
    this.replays = !(options.noReplay ?? false);
    this.marks = hooks.marks !== undefined || (options.replayComplete ?? false);
    this.signIn = new SignIn(options.store);
  }

  /** The positions at which the agent makes forks. */
  get forks(): object {
    return this.around?.port.cursor === undefined ? {} : { cursor: {} };
  }

  /** The handshake is done: sessions talk to this client. */
  meet(port: Port): void {
    const { log, pace, hooks } = this;
    this.around = { port, pace, hooks, log, play };
  }

  login(method: string, methodId: string): void {
    this.checkAuth(method);
    if (methodId !== SIGN_IN.id)
      throw invalid(`there is no sign-in method "${methodId}" here; there is "${SIGN_IN.id}"`);
    this.signIn.in();
  }

  logout(method: string): void {
    this.checkAuth(method);
    this.signIn.out();
  }

  create(given: Given): AgentSession {
    this.check(given);
    return this.start(this.store.create(given.cwd), given);
  }

  /**
   * Makes a stored session active, or takes the active one again. `check` may refuse, by throwing,
   * before anything has happened.
   */
  restore(
    id: string,
    given: Given,
    check: (history: History) => void = () => undefined,
  ): AgentSession {
    this.check(given);
    this.checkOwn(id);
    const active = this.active.get(id);
    const file = active ? undefined : this.store.open(id);
    const stored = active ?? file;
    if (!stored) throw RequestError.sessionNotFound(id);
    try {
      checkSame(stored.cwd, given.cwd);
      check(stored.history);
    } catch (error) {
      file?.close();
      throw error;
    }
    if (file) {
      this.log(`${id}: read from the store, ${String(file.history.items.size)} item(s)`);
      return this.start(file, given);
    }
    const session = this.get(id);
    session.restored();
    session.setDirectories(given.directories);
    session.useMcp(this.connect(given, session.cwd));
    return session;
  }

  /** `cursorId`: the history up to that cursor; undefined: all of it. */
  fork(id: string, given: Given, cursorId?: unknown): AgentSession {
    this.check(given);
    this.checkOwn(id);
    const file = this.store.open(id);
    if (!file) throw RequestError.sessionNotFound(id);
    try {
      checkSame(file.cwd, given.cwd);
      const end = cursorId === undefined ? undefined : turnEndNamed(cursorId, file.history);
      if (cursorId !== undefined && end === undefined)
        throw invalid('cursorId names no cursor of this session', { cursorId });
      return this.start(this.store.fork(file, end), given);
    } finally {
      file.close();
    }
  }

  /** Ends the work of a session, or of a child alone; of what is unknown, nothing. */
  cancel(id: string): void {
    const session = this.active.get(id);
    if (session) session.cancel();
    else childNamed(this.active, id)?.cancel();
  }

  /** The session, which must be active on this connection. */
  get(id: string): AgentSession {
    this.checkOwn(id);
    const session = this.active.get(id);
    if (!session) throw RequestError.sessionNotFound(id);
    return session;
  }

  /** Also fine for a session that is not active, or does not exist. */
  async close(id: string): Promise<void> {
    this.checkOwn(id);
    const session = this.active.get(id);
    this.active.delete(id);
    await session?.close();
  }

  async delete(id: string): Promise<void> {
    await this.close(id);
    this.store.remove(id);
  }

  /** A page of them, as both versions answer it. */
  list({ cwd, cursor }: { readonly cwd?: string | null; readonly cursor?: string | null }) {
    if (typeof cwd === 'string') checkPath('cwd', cwd);
    const all = this.store
      .list()
      .filter((session) => typeof cwd !== 'string' || plain(session.cwd) === plain(cwd));
    const from = typeof cursor === 'string' ? readListCursor(cursor) : 0;
    const nextCursor = from + PAGE < all.length ? listCursor(from + PAGE) : undefined;
    const sessions = all.slice(from, from + PAGE).map(infoOf);
    return { sessions, ...defined({ nextCursor }) };
  }

  prompt(id: string, content: readonly PromptBlock[]): Prompted {
    const session = this.get(id);
    if (content.length === 0) throw invalid('the prompt has no content');
    const odd = content.find(({ type }) => !PROMPT_BLOCKS.includes(type));
    if (odd)
      throw invalid(
        `this agent takes no "${odd.type}" in a prompt; it takes ${PROMPT_BLOCKS.join(', ')}`,
      );
    return session.prompt(content);
  }

  async set(id: string, option: string, value: unknown): Promise<AgentSession> {
    const session = this.get(id);
    const set = settingOf(option, value);
    if ('problem' in set) throw invalid(set.problem);
    await session.change({ change: 'settings', ...set.setting });
    return session;
  }

  /** v2: ends one tool call or terminal, and leaves the rest of the turn alone. */
  stop(id: string, what: string): void {
    const stop = this.get(id).stoppable.get(what);
    if (!stop) throw invalid(`"${what}" is not running, or cannot be cancelled`);
    stop.abort();
  }

  /** The client has gone. */
  async end(): Promise<void> {
    await Promise.all([...this.active.keys()].map((id) => this.close(id)));
  }

  private start(file: SessionFile, given: Given): AgentSession {
    if (!this.around) throw RequestError.invalidRequest(undefined, 'initialize comes first');
    const session = new AgentSession(file, this.connect(given, file.cwd), this.around);
    session.setDirectories(given.directories);
    this.active.set(session.id, session);
    return session;
  }

  private connect(given: Given, cwd: string): McpServers {
    return connectMcp(given.mcpServers, cwd, this.options);
  }

  /** Of a child the client may do nothing but cancel its work. */
  private checkOwn(id: string): void {
    for (const { history } of this.active.values())
      if (history.owns(id))
        throw RequestError.invalidRequest(
          undefined,
          `${id} is a child session, and the agent's own`,
        );
  }

  /** Where no sign-in is advertised, its methods do not exist. */
  private checkAuth(method: string): void {
    if (!this.requireSignIn) throw RequestError.methodNotFound(method);
  }

  private check({ cwd, directories }: Given): void {
    checkPath('cwd', cwd);
    for (const directory of directories) checkPath('additionalDirectories', directory);
    if (this.requireSignIn && !this.signIn.done())
      throw RequestError.authRequired(undefined, `sign in first, with the method "${SIGN_IN.id}"`);
  }
}

function childNamed(
  among: ReadonlyMap<string, Pick<Worker, 'children'>>,
  id: string,
): Worker | undefined {
  for (const { children } of among.values()) {
    const found = children.get(id) ?? childNamed(children, id);
    if (found) return found;
  }
  return undefined;
}

/** A session as session/list tells it, in both versions. */
function infoOf({ id, cwd, directories, title, updatedAt }: StoredSession) {
  const additionalDirectories = directories.length === 0 ? undefined : [...directories];
  return {
    ...{ sessionId: id, cwd, ...defined({ additionalDirectories, title }) },
    updatedAt: new Date(updatedAt).toISOString(),
  };
}

/** -32602, with a sentence for a person. */
export function invalid(sentence: string, data?: unknown): RequestError {
  return RequestError.invalidParams(data, sentence);
}

function checkPath(name: string, path: string): void {
  if (!posix.isAbsolute(path) && !win32.isAbsolute(path))
    throw invalid(`${name} must be absolute; "${path}" is not`);
}

function checkSame(cwd: string, given: string): void {
  if (plain(cwd) !== plain(given))
    throw invalid(`the session belongs to ${cwd}, not to ${given}`, { cwd });
}

/** A trailing separator names the same folder. */
function plain(path: string): string {
  return path.length > 1 ? path.replace(/(?<![/\\])[/\\]+$/, '') : path;
}

function listCursor(from: number): string {
  return Buffer.from(`from ${String(from)}`, 'utf8').toString('base64url');
}

function readListCursor(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const from = /^from (\d{1,9})$/.exec(text)?.[1];
  if (from === undefined) throw invalid('the cursor is none that session/list gave');
  return Number(from);
}
