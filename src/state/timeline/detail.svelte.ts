// What the detail pane needs beside the selected frame: what the frame says, its findings, the other frame of
// its exchange, its neighbours, and the same tool call elsewhere. Fetched when the selection changes, and again
// when the trace grows while a part of it is missing.
import type { CallToldOn } from '../../engine/restore/tool-calls.ts';
import type { FrameFinding } from '../../engine/findings/finding-messages.ts';
import type { FrameDetail } from '../../engine/messages.ts';
import type { FrameContent } from '../../model/fold/frame-words.ts';
import { seq, type Seq } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';

type DetailTab = 'json' | 'raw' | 'elsewhere';

/** Characters of the longest line that has a card. The tabs show the beginning of a longer line. */
const MAX_CARD = 2 ** 20;

export class Detail {
  readonly #app: App;
  frame = $state.raw<FrameDetail | undefined>();
  other = $state.raw<FrameDetail | undefined>();
  /** What the intercept did to it, with the line as it was written. */
  was = $state.raw<FrameDetail | undefined>();
  previous = $state.raw<FrameDetail | undefined>();
  next = $state.raw<FrameDetail | undefined>();
  /** What the frame says in its session; undefined if it names none, or until it is fetched. */
  words = $state.raw<FrameContent | undefined>();
  /** The tool call of the frame in each run, oldest run first; empty if the frame is about none. */
  sameCall = $state.raw<readonly CallToldOn[]>([]);
  #asked: FrameDetail | undefined;
  findings = $state.raw<readonly FrameFinding[]>([]);
  #askedFindings = '';
  #isHead = false;
  #before: DetailTab = 'json';

  /** The tab a person chose; frames without it show another. */
  wanted = $state<DetailTab>('json');

  constructor(app: App) {
    this.#app = app;
  }

  /** Call from an effect: asks again for another frame, or when the checker has something new. */
  watchFindings(): void {
    const { state } = this.#app.findings;
    const frame = this.frame;
    void this.#findFindings(frame, state?.version);
  }

  tabs: readonly DetailTab[] = $derived.by(() => {
    const frame = this.frame;
    const tabs: DetailTab[] = [];
    if (frame?.value !== undefined || frame?.long) tabs.push('json');
    if (frame?.line !== undefined) tabs.push('raw');
    if (frame?.inWindow !== undefined || this.sameCall.length > 1) tabs.push('elsewhere');
    return tabs;
  });
  tab: DetailTab | undefined = $derived.by(() =>
    this.tabs.includes(this.wanted) ? this.wanted : this.tabs[0],
  );

  /** The head of a replay window is selected, not its request: its statistics are shown. */
  onHead(isHead: boolean): void {
    if (isHead === this.#isHead) return;
    this.#isHead = isHead;
    if (isHead) {
      this.#before = this.wanted;
      this.wanted = 'elsewhere';
    } else if (this.wanted === 'elsewhere') this.wanted = this.#before;
  }

  async #findFindings(frame: FrameDetail | undefined, version: number | undefined): Promise<void> {
    const connection = this.#app.current?.connection;
    const at = frame?.seq;
    const name = `${connection} ${at}/${frame?.member} `;
    const asked = `${name}${version}`;
    if (asked === this.#askedFindings) return;
    const isSame = this.#askedFindings.startsWith(name);
    this.#askedFindings = asked;
    if (!isSame) this.findings = [];
    if (connection === undefined || at === undefined || version === undefined) return;
    const found = await this.#app.engine.findings.ofFrame(connection, at);
    if (asked === this.#askedFindings)
      this.findings = frame?.member === undefined ? found : foundIn(found, frame.member);
  }

  /** `selected` is the timeline's detail, `last` the newest seq of the trace. */
  async sync(selected: FrameDetail | undefined, last: Seq | undefined): Promise<void> {
    const fresh = selected !== this.#asked;
    this.#asked = selected;
    if (!selected || fresh) {
      this.frame = selected;
      this.other = this.was = this.previous = this.next = this.words = undefined;
      this.sameCall = [];
    }
    if (!selected) return;
    if (fresh) void this.#findSameCall(selected);
    const waits = this.frame?.exchange && this.frame.exchange.answer === undefined;
    const frame =
      waits && !fresh ? await this.#fetch(selected.seq, false, selected.member) : this.frame;
    if (selected !== this.#asked || !frame) return;
    this.frame = frame;
    if (fresh || waits) void this.#readWords(selected);
    const [other, was, previous, next] = await Promise.all([
      this.other ?? this.#fetch(otherOf(frame)),
      this.was ?? this.#fetch(frame.of),
      this.previous ?? this.#fetch(seq(frame.seq - 1), true),
      this.next ??
        (last !== undefined && last > frame.seq
          ? this.#fetch(seq(frame.seq + 1), true)
          : undefined),
    ]);
    if (selected !== this.#asked) return;
    this.other = other;
    this.was = was;
    this.previous = previous;
    this.next = next;
  }

  async #readWords(of: FrameDetail): Promise<void> {
    const connection = this.#app.current?.connection;
    if (connection === undefined || of.sessionId === undefined) return;
    if (of.line && 'text' in of.line && of.line.text.length > MAX_CARD) return;
    const words = await this.#app.engine.sessions.frameContent(connection, of.sessionId, of.seq);
    if (of === this.#asked) this.words = words;
  }

  async #findSameCall({ seq }: FrameDetail): Promise<void> {
    const connection = this.#app.current?.connection;
    if (connection === undefined) return;
    const asked = this.#asked;
    const found = await this.#app.engine.sessions.sameCall(connection, seq);
    if (asked === this.#asked) this.sameCall = found;
  }

  /** `isBrief`: without its line. */
  async #fetch(
    at: Seq | undefined,
    isBrief?: boolean,
    member?: number,
  ): Promise<FrameDetail | undefined> {
    const connection = this.#app.current?.connection;
    if (connection === undefined || at === undefined || at < 1) return undefined;
    return this.#app.engine.timeline.frame(connection, at, isBrief, member);
  }
}

/** The findings on one message of an array, with pointers into that message. */
function foundIn(found: readonly FrameFinding[], member: number): readonly FrameFinding[] {
  const within = `/${member}`;
  return found.flatMap((finding) => {
    const { place } = finding;
    if (place?.pointer !== within && !place?.pointer.startsWith(`${within}/`)) return [];
    return { ...finding, place: { ...place, pointer: place.pointer.slice(within.length) } };
  });
}

function otherOf(frame: FrameDetail): Seq | undefined {
  const { exchange } = frame;
  if (!exchange) return undefined;
  return exchange.request === frame.seq ? exchange.answer : exchange.request;
}
