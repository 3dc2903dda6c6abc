// The files that go along with the next prompt of a session. They are read when they are attached, and
// kept with its draft: a reload loses none.
import { formatBytes } from '../../lib/format.ts';
import { isArray } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { toBase64 } from '../../lib/utf8.ts';
import type { App } from '../app.svelte.ts';
import { TextDraft } from '../draft.ts';
import { attachmentBlock, attachWays, fileUri, type Attachment } from './attachment.ts';

/** So many bytes of one prompt's files are put into it: a message to the relay holds 64 MiB of base64. */
const MOST_BYTES = 24 * 1024 * 1024;

export class Attachments {
  readonly #app: App;
  readonly #draft: TextDraft;
  #of: string | undefined;
  #files = $state.raw<readonly Attachment[]>([]);
  /** Why a file was not attached as it was asked for. */
  problem = $state.raw<string | undefined>();

  constructor(app: App) {
    this.#app = app;
    this.#draft = new TextDraft(app.engine.library);
  }

  get files(): readonly Attachment[] {
    return this.#files;
  }

  get #agentCapabilities(): JsonObject {
    return this.#app.facts?.handshake?.agentCapabilities ?? {};
  }

  /** What this file can become. */
  waysOf(file: Attachment) {
    return attachWays(file, this.#app.version, this.#agentCapabilities);
  }

  /** Those of this session's draft. `key`: of the draft's text. */
  async open(key: string): Promise<void> {
    const mine = (this.#of = `${key}:attached`);
    this.#files = [];
    this.problem = undefined;
    const kept = await this.#draft.open(mine);
    if (kept !== undefined) this.#files = keptFiles(kept);
  }

  /** Each as what the agent takes of it that says most. */
  async add(files: readonly File[]): Promise<void> {
    const of = this.#of;
    this.problem = undefined;
    for (const file of files) {
      const attached = await this.#read(file);
      if (this.#of !== of) return;
      if (attached) this.#keep([...this.#files, attached]);
    }
  }

  change(index: number, change: Partial<Pick<Attachment, 'as' | 'uri'>>): void {
    this.#keep(this.#files.map((file, i) => (i === index ? { ...file, ...change } : file)));
  }

  remove(index: number): void {
    this.problem = undefined;
    this.#keep(this.#files.toSpliced(index, 1));
  }

  /** The files go with a prompt; `back` where it could not be sent. */
  take(): { readonly blocks: readonly JsonObject[]; readonly back: () => void } {
    const files = this.#files;
    this.problem = undefined;
    this.#keep([]);
    this.#draft.flush();
    const back = (): void => {
      if (this.#files.length === 0) this.#keep(files);
    };
    return { blocks: files.map(attachmentBlock), back };
  }

  #keep(files: readonly Attachment[]): void {
    this.#files = files;
    this.#draft.save(files.length === 0 ? '' : JSON.stringify(files));
  }

  /** Of several files each has its sentence. */
  #tell(problem: string): void {
    this.problem = this.problem === undefined ? problem : `${this.problem} ${problem}`;
  }

  async #read(file: File): Promise<Attachment | undefined> {
    const { name, type: mimeType, size } = file;
    const { session, facts } = this.#app;
    const uri = fileUri(session?.cwd ?? facts?.started?.cwd ?? '', name);
    const held = this.#files.reduce((sum, { data = '' }) => sum + data.length * 0.75, 0);
    if (held + size > MOST_BYTES) {
      this.#tell(
        `${name} has ${formatBytes(size)}: more than ${formatBytes(MOST_BYTES)} do not go into one prompt. It is attached as a link.`,
      );
      return { name, mimeType, size, uri, as: 'resource_link' };
    }
    try {
      const data = toBase64(new Uint8Array(await file.arrayBuffer()));
      const ways = attachWays({ mimeType, data }, this.#app.version, this.#agentCapabilities);
      const as = ways.find(({ missing }) => missing === undefined)?.as ?? 'resource_link';
      return { name, mimeType, size, uri, as, data };
    } catch {
      this.#tell(
        `${name} cannot be read: it is a folder, or was moved or changed. Choose it again.`,
      );
      return undefined;
    }
  }
}

/** What this class has written itself. */
function keptFiles(text: string): readonly Attachment[] {
  if (text === '') return [];
  const kept = JSON.parse(text) as Json;
  return isArray(kept) ? (kept as readonly unknown[] as readonly Attachment[]) : [];
}
