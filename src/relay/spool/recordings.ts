// The recordings that the relay knows: of agents it started, of taps, and left from earlier runs. Tells of
// each what changes, and takes it from the disk once no page needs it there.
import { unlink } from 'node:fs/promises';
import type { ConnectionInfo, RelayEvent } from '../../link/messages.ts';
import type { ConnectionId } from '../../trace/event.ts';
import { endSteering } from '../steering.ts';
import type { RecorderOptions } from './recorder.ts';
import type { Recording } from './recording.ts';
import { Retention } from './retention.ts';
import { Spool } from './spool.ts';

const SWEEP_MS = 30_000;

/** A page, as far as a recording is concerned. */
interface Follower {
  tell(event: RelayEvent): void;
  /** Lets go of the file, so that it can be removed. */
  unfollow(connection: ConnectionId): Promise<void>;
}

interface RecordingsOptions<Page extends Follower> {
  /** An existing, private folder: see state-folder.ts. */
  readonly state: string;
  /** Those that are open now. */
  readonly pages: () => Iterable<Page>;
  readonly onFault: (error: unknown) => void;
}

export class Recordings<Page extends Follower> {
  readonly #options: RecordingsOptions<Page>;
  readonly #known = new Map<ConnectionId, Recording>();
  /** Files of agents that we start: they are known before the spool finds them. */
  readonly #ownPaths = new Set<string>();
  readonly #retention = new Retention<Page>();
  readonly #spool: Spool;
  readonly #sweep: NodeJS.Timeout;

  constructor(options: RecordingsOptions<Page>) {
    this.#options = options;
    this.#spool = new Spool(options.state, {
      isOwn: (path) => this.#ownPaths.has(path),
      isKnown: (connection) => this.#known.has(connection),
      onFound: (recording) => this.#add(recording),
      onEnded: (recording) => this.#changed(recording),
      onFault: options.onFault,
    });
    this.#sweep = setInterval(() => this.#removeDone(), SWEEP_MS);
  }

  /** Resolves when the recordings that are there already are known. */
  open(): Promise<void> {
    return this.#spool.open();
  }

  /** Looks for no others, and removes none. */
  close(): void {
    clearInterval(this.#sweep);
    this.#spool.close();
  }

  get(connection: ConnectionId): Recording | undefined {
    return this.#known.get(connection);
  }

  all(): Recording[] {
    return [...this.#known.values()];
  }

  infos(): ConnectionInfo[] {
    return this.all().map(({ info }) => info);
  }

  /** What the recorder of an agent of ours calls; its file is ours from now on. */
  callsOf(
    connection: ConnectionId,
    path: string,
  ): Pick<RecorderOptions, 'onGrown' | 'onTrouble' | 'onRemoved'> {
    this.#ownPaths.add(path);
    return {
      onGrown: () => this.#grown(connection),
      onTrouble: () => this.#troubled(connection),
      onRemoved: () => this.#removed(connection),
    };
  }

  /** One of an agent of ours, with what it said until now. */
  begun(recording: Recording): void {
    this.#add(recording);
    this.#grown(recording.id);
  }

  ended(recording: Recording): void {
    if (!this.#known.has(recording.id)) return;
    this.#grown(recording.id);
    recording.update({ state: 'ended', written: Date.now() });
    this.#changed(recording);
  }

  /** The page has in its own database everything up to `seq`. */
  acked(page: Page, recording: Recording, seq: Recording['progress']['last']): void {
    this.#retention.acked(page, recording, seq);
    if (recording.progress.state === 'ended') this.#removeDone();
  }

  /** A page will never want it. */
  forget(connection: ConnectionId): void {
    const recording = this.#known.get(connection);
    if (!recording) return;
    this.#retention.forgotten(recording);
    this.#removeDone();
  }

  #grown(connection: ConnectionId): void {
    const recording = this.#known.get(connection);
    const recorder = recording?.owned?.agent.recorder;
    if (recorder) recording?.update({ last: recorder.newest, size: recorder.size });
  }

  /** Something is wrong with the disk, or no longer: the pages show it while it lasts. */
  #troubled(connection: ConnectionId): void {
    const recording = this.#known.get(connection);
    const recorder = recording?.owned?.agent.recorder;
    if (!recorder) return;
    // What the disk refuses can be read in the memory from now on.
    this.#grown(connection);
    // Its end may never reach the file: the pages have it all the same.
    if (recorder.hasExit && recorder.trouble) this.ended(recording);
    else this.#changed(recording);
  }

  #removed(connection: ConnectionId): void {
    const recording = this.#known.get(connection);
    const message = `The file in which ${recording?.facts.name} is recorded was removed: ${recording?.path}. Recording goes on in a new one; of what was in the old one, this page keeps what it has stored.`;
    this.#tellAll({ type: 'problem', connection, problem: { code: 'io', message } });
  }

  #add(recording: Recording): void {
    this.#known.set(recording.id, recording);
    this.#changed(recording);
  }

  #changed(recording: Recording): void {
    this.#tellAll({ type: 'connection', info: recording.info });
    if (recording.progress.state === 'ended') this.#removeDone();
  }

  #removeDone(): void {
    const { pages, onFault } = this.#options;
    for (const recording of this.#known.values())
      if (this.#retention.mayGo(recording, pages(), Date.now()))
        this.#remove(recording).catch(onFault);
  }

  async #remove(recording: Recording): Promise<void> {
    const { id: connection, path, owned } = recording;
    this.#known.delete(connection);
    this.#spool.drop(recording);
    this.#retention.drop(recording);
    await Promise.all([...this.#options.pages()].map((page) => page.unfollow(connection)));
    await owned?.agent.recorder.close(0);
    // Should it stay, the next run lists it again.
    await unlink(path).catch(() => undefined);
    endSteering(path);
    this.#tellAll({ type: 'gone', connection });
  }

  #tellAll(event: RelayEvent): void {
    for (const page of this.#options.pages()) page.tell(event);
  }
}
