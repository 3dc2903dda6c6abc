// What an intercept of ours did to the frames of a connection: no peer is blamed for that.
import { parseMessage, type Message } from '../acp/message.ts';
import { sessionIdOf } from '../acp/update.ts';
import type { Frame, Intercept, Seq, Side } from '../trace/event.ts';
import { otherSide } from '../trace/event.ts';
import { lineText } from '../trace/line.ts';
import type { JudgedFrame } from './book.ts';
import type { Connection } from './connection.ts';
import type { Rule, RuleFault, Undecided } from './rule.ts';

/** A pointer to the name of something else. */
const NAME = /(?:\/id|Id)$/;

export class Interference {
  /** Frames whose bytes are ours. */
  readonly #ours = new Set<Seq>();
  /** Frames that did not cross when they were written, and requests whose answer did not cross. */
  readonly #moved = new Set<Seq>();
  /** Sessions of which a frame was lost, changed or moved. */
  readonly #sessions = new Set<string>();
  readonly #deeds = new Map<Seq, Intercept['did']>();
  /** What was written and has not crossed, by the event that has the line. */
  readonly #written = new Map<Seq, { readonly from: Side; readonly message: Message }>();
  #isHandshakeOurs = false;
  #isCut = false;

  take({ seq, did, from, line, of }: Intercept, connection: Connection): void {
    this.#deeds.set(seq, did);
    if (line && from) this.#written.set(seq, { from, message: parseMessage(lineText(line)) });
    if (did === 'cut') this.#isCut = true;
    const written = this.#written.get(of ?? seq);
    if (!written || (did !== 'drop' && did !== 'answer')) return;
    const { message } = written;
    this.#written.delete(of ?? seq);
    this.#touch(message);
    if (message.kind !== 'success' && message.kind !== 'failure') return;
    const asked = connection.open.under(otherSide(written.from), message.id);
    if (!asked) return;
    this.#moved.add(asked.seq);
    if (asked.session) this.#sessions.add(asked.session.id);
  }

  /** Before it is judged. */
  frame({ seq, from, origin, of }: Frame, message: Message, connection: Connection): void {
    if (origin !== 'intercept' && of === undefined) return;
    const did = of === undefined ? undefined : this.#deeds.get(of);
    if (of !== undefined) this.#written.delete(of);
    if (origin !== 'intercept') {
      this.#moved.add(seq);
      if (did === 'reorder') this.#touch(message);
      return;
    }
    this.#ours.add(seq);
    if (did !== 'duplicate' && did !== 'inject') this.#touch(message);
    if (message.kind === 'request' && message.method === 'initialize') this.#isHandshakeOurs = true;
    if (message.kind !== 'success') return;
    const asked = connection.open.under(otherSide(from), message.id);
    if (asked?.request.method === 'initialize') this.#isHandshakeOurs = true;
  }

  /** Whether it may be the cause of what a rule said. */
  isBehind(
    { needs }: Rule,
    said: RuleFault | Undecided,
    { seq, session: judged }: JudgedFrame,
  ): boolean {
    const seqs = said.seqs ?? [seq];
    if (seqs.some((one) => this.#ours.has(one))) return true;
    if (needs === 'capabilities' && this.#isHandshakeOurs) return true;
    // A value that is wrong was written so, unless it names what may have been lost.
    if (said.pointer && !NAME.test(said.pointer)) return false;
    const session = said.session ?? judged;
    return (
      this.#isCut ||
      seqs.some((one) => this.#moved.has(one)) ||
      (session !== undefined && this.#sessions.has(session))
    );
  }

  #touch(message: Message): void {
    const session = 'params' in message ? sessionIdOf(message.params) : undefined;
    if (session !== undefined) this.#sessions.add(session);
  }
}
