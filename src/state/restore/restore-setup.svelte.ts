// MCP servers and additional directories of a request for a session, as a person writes them: kept as a draft, and
// printed in the shape of the version that the line is for. Text typed as JSON is sent as typed.
import { sessionOffers } from '../../acp/capabilities.ts';
import { isObject, parseJson, str } from '../../acp/json.ts';
import { printServers, readServers, type McpDraft } from '../../model/restore/mcp-drafts.ts';
import type { App } from '../app.svelte.ts';
import { TextDraft } from '../draft.ts';

export class RestoreSetup {
  readonly #app: App;
  readonly #draft: TextDraft;
  readonly #key: string;
  servers = $state.raw<readonly McpDraft[]>([]);
  /** Typed as JSON, in place of the servers. */
  #typed = $state.raw<string | undefined>();
  #directories = $state('');

  /** `key`: of the draft. */
  constructor(app: App, key: string) {
    this.#app = app;
    this.#key = key;
    this.#draft = new TextDraft(app.engine.library);
  }

  get isTyped(): boolean {
    return this.#typed !== undefined;
  }

  /** The JSON to send; blank leaves the field out. */
  serversFor(version: 1 | 2): string {
    return this.#typed ?? printServers(this.servers, version);
  }

  setServers(servers: readonly McpDraft[]): void {
    this.servers = servers;
    this.#typed = undefined;
    this.#save();
  }

  type(text: string | undefined): void {
    const read = text === undefined ? undefined : readServers(text);
    if (read) this.servers = read;
    this.#typed = text;
    this.#save();
  }

  /** JSON of servers that were sent before: shown in the form where it can. */
  take(text: string): void {
    const read = readServers(text);
    if (read) this.setServers(read);
    else this.type(text);
  }

  /** One path a line. */
  get directories(): string {
    return this.#directories;
  }
  set directories(text: string) {
    this.#directories = text;
    this.#save();
  }
  get paths(): readonly string[] {
    return this.#directories.split('\n').filter((path) => path.trim() !== '');
  }
  get directoriesJson(): string {
    return this.paths.length === 0 ? '' : JSON.stringify(this.paths);
  }

  /** What the agent takes of it, in a line of this version. Undefined: it has not said. */
  offersFor(version: 1 | 2): ReturnType<typeof sessionOffers> | undefined {
    const { handshake } = this.#app.facts ?? {};
    return handshake?.version === version
      ? sessionOffers(version, handshake.agentCapabilities)
      : undefined;
  }

  async load(): Promise<void> {
    const draft = parseJson((await this.#draft.open(this.#key)) ?? '');
    if (!isObject(draft)) return;
    this.servers = readServers(str(draft, 'servers') ?? '') ?? [];
    this.#typed = str(draft, 'typed');
    this.#directories = str(draft, 'directories') ?? '';
  }

  #save(): void {
    const servers = printServers(this.servers, 2);
    const typed = this.#typed;
    const directories = this.#directories;
    this.#draft.save(
      JSON.stringify({ servers, directories, ...(typed === undefined ? {} : { typed }) }),
    );
  }
}
