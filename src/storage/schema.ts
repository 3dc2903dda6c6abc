// What the database holds, and how an older one becomes this one. These records are a format like
// the trace file: they are written down here and never alias what memory uses, so that a change in
// memory cannot silently change what is on disk.
import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from 'idb';
import type { ConnectionId, Seq } from '../trace/event.ts';
import { withhold } from './withhold.ts';

export const DATABASE = 'acp-scope';
export const SCHEMA_VERSION = 6;

/** One trace: what the list of traces shows without reading a block. */
export interface StoredTrace {
  readonly connection: ConnectionId;
  /** 1, 2, … in the order first stored; never given twice while the trace exists. */
  readonly number: number;
  readonly name: string;
  readonly mode: 'drive' | 'tap' | 'file';
  /** ISO 8601. */
  readonly startedAt: string;
  /** The header line of the trace file, without its 0x0A. */
  readonly header: Uint8Array;
  readonly events: number;
  readonly frames: number;
  /** Bytes of all blocks. */
  readonly bytes: number;
  /** Seq of the newest event stored; 0: none. */
  readonly last: Seq;
  readonly agent?: string;
  /** The agent's own version, as it said it. */
  readonly agentVersion?: string;
  /** Of the protocol. */
  readonly version?: number;
  /** Words that a person put on it, each once. */
  readonly tags?: readonly string[];
  /** What a person wrote about it. */
  readonly note?: string;
  /** The file it was imported from. */
  readonly file?: string;
  /** Of another tool's format: what became of it. */
  readonly imported?: StoredImport;
  /** The file's last line had no 0x0A; its block has one that an export leaves out. */
  readonly unterminated?: true;
  /** The file is still being read, or reading it was cut short. */
  readonly reading?: true;
  /** The run of ours it belongs to; the rail shows the connections of a run as one. */
  readonly group?: StoredGroup;
  /** What its sessions are called, by id. */
  readonly chips?: Readonly<Record<string, string>>;
  /** What it holds of each of its sessions; absent in records of a time before the rail listed them. */
  readonly sessions?: readonly StoredSession[];
  /** Epoch ms; hidden since then, purged soon after. */
  readonly deletedAt?: number;
}

/** A session in one trace. */
interface StoredSession {
  readonly sessionId: string;
  readonly title?: string;
  /** The session that owns it. */
  readonly parent?: string;
  /** Messages and tool calls that were sent live. */
  readonly items: number;
  /** The session was created or prompted on this connection. */
  readonly isLive?: true;
  /** The session was created on this connection. */
  readonly isMade?: true;
  /** Only the client names it: the agent rejected it, or has not answered. */
  readonly askedOnly?: true;
  /** In the order of their requests. */
  readonly restores: readonly StoredRestore[];
}

interface StoredRestore {
  readonly request: Seq;
  /** `load`, `start`, `custom`. */
  readonly name: string;
  readonly outcome: 'open' | 'answered' | 'rejected' | 'incomplete';
  /** Updates of history after its end. */
  readonly late: number;
  /** The comparison of its replay with the live session; absent: it was not compared yet. */
  readonly judged?: StoredVerdict;
}

interface StoredVerdict {
  readonly protocol: 'followed' | 'violated' | 'inconclusive';
  readonly history:
    ('wrong' | 'incomplete' | 'late' | 'inconclusive') | ('equivalent' | 'identical' | 'no replay');
  readonly headline: string;
  readonly figures: string;
  /** The replay as a strip: what became of how many items, in order. */
  readonly tape: readonly (readonly [
    is: 'replayed' | 'late' | 'missing' | 'extra',
    items: number,
  ])[];
}

/** Several connections made for one purpose. */
interface StoredGroup {
  readonly id: string;
  /** `Restore variants`. */
  readonly title: string;
  /** What this connection is in it: `v2 start`. */
  readonly label: string;
  /** It only makes a copy of the session for another connection of the run. */
  readonly copy?: true;
  /** The ACP session the run is about. */
  readonly session?: string;
  /** What an agent that remembers says when it is asked. */
  readonly expects?: string;
}

/** What became of another tool's file, as it was told when it was read. */
interface StoredImport {
  /** Of the format: in a word, and in a sentence. */
  readonly word: string;
  readonly format: string;
  readonly tool: string | undefined;
  /** By field: what became of it, and in a few words how. */
  readonly fates: Readonly<
    Record<
      'time' | 'sender' | 'line' | 'order' | 'stderr' | 'process',
      readonly [fate: 'given' | 'inferred' | 'partly' | 'lost', how: string]
    >
  >;
  readonly frames: number;
  readonly stderr: number;
  /** Frames whose line was made again, whose sender was concluded, that have no time. */
  readonly rebuilt: number;
  readonly guessed: number;
  readonly untimed: number;
  /** Messages of which the file has only the beginning. */
  readonly cut?: number;
  /** Of those that could not be read: how many, and what is wrong with the first. */
  readonly odd: number;
  readonly firstOdd: string | undefined;
}

/** Consecutive lines of a trace file, byte for byte, each with its 0x0A. */
export interface StoredBlock {
  readonly connection: ConnectionId;
  readonly first: Seq;
  readonly last: Seq;
  /** Events in it. */
  readonly count: number;
  /** A Blob where the block is full; those of a time before version 5 are bytes all the same. */
  readonly bytes: Uint8Array | Blob;
  /** Bytes of its lines, which `bytes` then hold compressed, as lz4.ts does; absent: they are the lines. */
  readonly size?: number;
  /** CRC-32 of `bytes`; absent where an earlier version wrote them. */
  readonly sum?: number;
}

/** What was made of the bytes of a trace, so that opening it need not read them. */
interface StoredPart {
  readonly connection: ConnectionId;
  /** `head`: a StoredHead, which says of what it was made. `first`: what is shown until the rest is read. */
  readonly part: string;
  readonly value: unknown;
}

export interface StoredHead {
  /** Of what made it, which alone can read it. */
  readonly version: number;
  /** The blocks up to this event, and their bytes. What is stored behind them came later. */
  readonly last: Seq;
  readonly bytes: number;
  /** How many blocks those were. */
  readonly blocks: number;
}

/** An agent as it was started or reached. */
interface StoredLaunch {
  readonly name: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly roots: readonly string[];
  /** Absent in records of a time when folders to read and write allowed commands too. */
  readonly terminals?: true;
  readonly headers?: Readonly<Record<string, string>>;
  /** Variables and headers whose values look secret, and are not kept. */
  readonly withheld?: readonly string[];
}

/** A command line once used. `settings` is drive/settings.ts as JSON, read with its defaults. */
export interface StoredRecent {
  /** argv and cwd as JSON. */
  readonly key: string;
  readonly launch: StoredLaunch;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly usedAt: number;
}

/** How a connection of ours was started, for settings after a reload and for starting it again. */
export interface StoredDrive {
  readonly connection: ConnectionId;
  readonly launch: StoredLaunch;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** What a person said of a trace, or took back; see trace/annotation.ts. */
export interface StoredAnnotation {
  readonly connection: ConnectionId;
  /** What it is about; one of a key. */
  readonly key: string;
  readonly said:
    | { readonly kind: 'mark'; readonly target: Seq; readonly label: string }
    | {
        readonly kind: 'suppress';
        readonly rule: string;
        readonly session?: string;
        readonly method?: string;
        readonly reason: string;
      };
  readonly removed?: true;
}

/** A run that drove an agent: what a list of runs shows without reading its report. */
export interface StoredRun {
  readonly id: string;
  readonly kind: 'probes' | 'lab' | 'rerun' | 'scenario';
  /** The trace it was made from: the recording of a trace replay. */
  readonly of?: ConnectionId;
  /** Of the scenario, or of the recording as it was called then. */
  readonly name?: string;
  /** Whose run it was: argv and cwd as JSON, the key of its recent. */
  readonly command: string;
  readonly argv: readonly string[];
  /** ISO 8601, when it began. */
  readonly at: string;
  /** `Claude Agent 0.5.1`. */
  readonly agent: string;
  readonly protocol: 1 | 2;
  /** By the word of the verdict. */
  readonly counts: Readonly<Record<string, number>>;
  /** Epoch ms; hidden since then, purged soon after. */
  readonly deletedAt?: number;
}

/** The report of a run. */
export interface StoredReport {
  readonly id: string;
  /** What engine/ knows of the run, as JSON. A change of its form is an upgrade step. */
  readonly known: string;
}

export interface StoredDraft {
  readonly key: string;
  readonly text: string;
}

export interface StoredSent {
  readonly at: number;
  readonly connection: ConnectionId;
  readonly text: string;
}

export interface Schema extends DBSchema {
  traces: { key: string; value: StoredTrace };
  blocks: { key: [string, number]; value: StoredBlock };
  recents: { key: string; value: StoredRecent };
  drives: { key: string; value: StoredDrive };
  drafts: { key: string; value: StoredDraft };
  sent: { key: number; value: StoredSent };
  annotations: { key: [string, string]; value: StoredAnnotation };
  runs: { key: string; value: StoredRun };
  reports: { key: string; value: StoredReport };
  indexes: { key: [string, string]; value: StoredPart };
}

export type Database = IDBPDatabase<Schema>;
export type Names = ArrayLike<StoreNames<Schema>>;
export type Change<N extends Names> = IDBPTransaction<Schema, N, 'readwrite'>;
type Upgrade = IDBPTransaction<Schema, StoreNames<Schema>[], 'versionchange'>;

interface Step {
  readonly to: number;
  readonly why: string;
  run(database: Database, transaction: Upgrade): void;
}

const STEPS: readonly Step[] = [
  {
    to: 1,
    why: 'The first schema: traces and their blocks, and what a person typed.',
    run(database) {
      database.createObjectStore('traces', { keyPath: 'connection' });
      database.createObjectStore('blocks', { keyPath: ['connection', 'first'] });
      database.createObjectStore('recents', { keyPath: 'key' });
      database.createObjectStore('drives', { keyPath: 'connection' });
      database.createObjectStore('drafts', { keyPath: 'key' });
      database.createObjectStore('sent', { autoIncrement: true });
    },
  },
  {
    to: 2,
    why: 'Marks and suppressions, beside the blocks of a trace.',
    run(database) {
      database.createObjectStore('annotations', { keyPath: ['connection', 'key'] });
    },
  },
  {
    to: 3,
    why: 'Reports of probes and of the resume lab, beside the traces they name.',
    run(database) {
      database.createObjectStore('runs', { keyPath: 'id' });
      database.createObjectStore('reports', { keyPath: 'id' });
    },
  },
  {
    to: 4,
    why: 'Variables whose values look secret are not kept.',
    run(_, transaction) {
      void withholdAll(transaction.objectStore('recents').openCursor());
      void withholdAll(transaction.objectStore('drives').openCursor());
    },
  },
  {
    to: 5,
    why: 'What was made of the bytes of a trace. Blocks stay as they are; a full one that is written from now on is a Blob.',
    run(database) {
      database.createObjectStore('indexes', { keyPath: ['connection', 'part'] });
    },
  },
  {
    to: 6,
    why: 'A block that is full is compressed from now on; who knows only version 5 must not read it as lines.',
    run: () => undefined,
  },
];

interface Cursor<T> {
  readonly value: T;
  update(value: T): Promise<unknown>;
  continue(): Promise<Cursor<T> | null>;
}

async function withholdAll<T extends { readonly launch: StoredLaunch }>(
  first: Promise<Cursor<T> | null>,
): Promise<void> {
  for (let at = await first; at; at = await at.continue())
    await at.update({ ...at.value, launch: withhold(at.value.launch) });
}

/** All steps run in the one transaction that opens the database: either all of them or none. */
export function upgrade(database: Database, from: number, transaction: Upgrade): void {
  for (const step of STEPS) if (step.to > from) step.run(database, transaction);
}
