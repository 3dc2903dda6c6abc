// What has other names live than in the recording: sessions, folders, and ids that the agent makes.
// Names that stand in a value are found by their keys; folders wherever their paths stand.
import { Bijection } from './bijection.ts';
import { Folders } from './folders.ts';
import { withStrings } from './line-tokens.ts';

/** Keys under which ACP names things that the agent made. */
const MADE_KEYS = [
  'toolCallId',
  'messageId',
  'terminalId',
  'planId',
  'elicitationId',
  'compactionId',
  'cursor',
] as const;

export class Bindings {
  readonly folders = new Folders();
  readonly #named: ReadonlyMap<string, Bijection>;

  /** `sessions`: those of the recording. */
  constructor(sessions: Iterable<string>) {
    this.#named = new Map<string, Bijection>([
      ['sessionId', new Bijection(sessions)],
      ...MADE_KEYS.map((key): [string, Bijection] => [key, new Bijection()]),
    ]);
  }

  get sessions(): Bijection {
    return this.of('sessionId') ?? new Bijection();
  }

  /** The names under this key; undefined: it names nothing that could be named otherwise. */
  of(key: string): Bijection | undefined {
    return this.#named.get(KIND_OF[key] ?? key);
  }

  /** Whether the value under this key is a name that the agent made. */
  isMade(key: string): boolean {
    return key !== 'sessionId' && this.of(key) !== undefined;
  }

  /** A recorded line with the live names. The same line where nothing has another name. */
  toLive(line: string): string {
    const isRenamed =
      this.folders.renamed.length > 0 ||
      [...this.#named.values()].some(({ renamed }) => renamed.length > 0);
    if (!isRenamed) return line;
    return withStrings(line, (key, said) => this.liveWords(key, said));
  }

  liveWords(key: string, said: string): string {
    const named = this.of(key);
    return named ? named.liveOf(said) : this.folders.toLive(said);
  }

  /** Undefined: the value names something that the recording does not have. */
  recordedWords(key: string, said: string): string | undefined {
    const named = this.of(key);
    return named ? named.recordedOf(said) : this.folders.toRecorded(said);
  }
}

const KIND_OF: Readonly<Record<string, string>> = {
  nextCursor: 'cursor',
  recipientSessionId: 'sessionId',
  senderSessionId: 'sessionId',
  parentSessionId: 'sessionId',
  parentToolCallId: 'toolCallId',
};
