// Why a step of a scenario was not taken, and how long steps wait.
import type { Seq } from '../../trace/event.ts';
import type { Answered, ScriptedConnection } from '../scripted.ts';
import { endWords } from './report/words.ts';

export const PATIENCE_MS = 30_000;
/** More is no time a timer can wait. */
export const MOST_MS = 2 ** 31 - 1;

/** A step failed: a sentence, and the frames it is about. */
export class Failed extends Error {
  readonly seqs: readonly Seq[];
  constructor(message: string, seqs: readonly Seq[] = []) {
    super(message);
    this.seqs = seqs;
  }
}

/** What a step runs on. */
interface Running {
  readonly connection: ScriptedConnection;
}

export function mustRun({ connection }: Running): void {
  const { exit } = connection;
  if (exit) throw new Failed(`The agent has ended (${endWords(exit)}). A restart starts it again.`);
}

export function unanswered({ connection }: Running, asked: Answered, patience: number): Failed {
  const { method, requestSeq } = asked;
  const { exit } = connection;
  const words = exit
    ? `The agent ended (${endWords(exit)}) before it answered ${method}.`
    : `${method} was not answered in ${patience} ms.`;
  return new Failed(words, requestSeq === undefined ? [] : [requestSeq]);
}
