// What the selected frame said in the conversation that is shown at the live end: the items it
// spoke of, and which parts of their texts came with it.
import type { ConversationItem } from '../../model/sessions/conversation-view.ts';
import type { TextOrigin } from '../../model/fold/patch.ts';
import type { Seq } from '../../trace/event.ts';
import type { App } from '../app.svelte.ts';
import type { Conversation } from './conversation.svelte.ts';

interface ToldItem {
  readonly item: ConversationItem;
  /** Of its texts, in order; those of the frame have its seq. */
  readonly spans: readonly TextOrigin[];
}

export interface ToldWords {
  readonly seq: Seq;
  /** None: the conversation does not have them any more, or they stand too far back. */
  readonly items: readonly ToldItem[];
}

export class ConversationTold {
  readonly #app: App;
  readonly #conversation: Conversation;
  /** Undefined: no frame is selected, or it said nothing in this conversation. */
  words = $state.raw<ToldWords | undefined>();
  /** Counts questions, so that an answer that came too late finds out. */
  #asked = 0;

  constructor(app: App, conversation: Conversation) {
    this.#app = app;
    this.#conversation = conversation;
  }

  /** Call when another frame is selected. Undefined: nothing is to be lit. */
  async read(seq: Seq | undefined): Promise<void> {
    const asked = ++this.#asked;
    const { current, session, engine } = this.#app;
    if (seq === undefined || !current || !session) {
      this.words = undefined;
      return;
    }
    const since = this.#conversation.view?.version ?? 0;
    const { touched: keys = [] } = await engine.sessions.conversation(
      current.connection,
      session.sessionId,
      {
        at: seq,
        since,
        most: 0,
      },
    );
    const held = keys.length === 0 ? [] : await this.#conversation.holding(keys);
    const ofIt = held.filter((item) => item.first <= seq && seq <= item.last);
    const items: ToldItem[] = [];
    for (const item of ofIt)
      items.push({
        item,
        spans: item.type === 'message' ? await this.#conversation.spansOf(item) : [],
      });
    if (asked === this.#asked) this.words = keys.length === 0 ? undefined : { seq, items };
  }
}
