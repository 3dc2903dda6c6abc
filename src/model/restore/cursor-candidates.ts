// Values in a session's frames that could be a replay cursor (cursor-fields.ts says which), and the
// request ids of its prompts, with what each names.
import { get, isObject, parseJson, str } from '../../acp/json.ts';
import type { Json, Message, Request } from '../../acp/message.ts';
import { updateOf } from '../../acp/update.ts';
import { defined } from '../../lib/defined.ts';
import type { Frame, Seq } from '../../trace/event.ts';
import { contentParts, textOf, updateText } from '../facts/content-parts.ts';
import { cursorFields, type CursorField } from './cursor-fields.ts';
import { cursorValues } from './cursor-values.ts';
import { Exchanges } from '../facts/exchanges.ts';
import { itemIdOf, itemKindOf } from '../facts/variants.ts';
import { oneLine, quoted } from '../words.ts';
import { askedToolCall } from '../facts/permission.ts';

/** A value somewhere in a session's frames that could be a replay cursor. */
export interface CursorCandidate extends CursorField {
  /** The frame it first stood in. */
  readonly seq: Seq;
  /** The update variant or method it stood in. */
  readonly of: string;
  /** What it names: text of the message, title of the tool. */
  readonly names: string;
  readonly session: string;
  /** Letter, where this value was already sent. */
  readonly pin?: string;
}

interface Found extends CursorField {
  readonly seq: Seq;
  readonly of: string;
  readonly thing: Thing;
}

/** What an id names, as far as it was said. */
interface Thing {
  text: string;
  /** A title stands alone; a text is quoted. */
  title: string | undefined;
}

/** More than anybody picks from; agents put a value of its own into the `_meta` of every chunk. */
const MOST = 2000;
const LONGEST_VALUE = 1000;
const LONGEST_TEXT = 200;

export class CandidateFold {
  readonly #sessionId: string;
  /** By field and value, in the order they appeared. */
  readonly #found = new Map<string, Found>();
  readonly #things = new Map<string, Thing>();
  readonly #exchanges = new Exchanges();
  /** The item whose text is still being told; a replay does not tell it twice. */
  #telling: Thing | undefined;

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  /** The next frame of the connection; those of other sessions are passed over. */
  append(frame: Frame, message: Message): void {
    switch (message.kind) {
      case 'notification':
        if (frame.from === 'agent' && message.method === 'session/update')
          this.#update(frame, message.params);
        return;
      case 'request':
        if (str(message.params, 'sessionId') === this.#sessionId) this.#request(frame, message);
        return;
      case 'success': {
        const asked = this.#exchanges.answer(frame.from, message.id);
        if (asked?.from === 'client') this.#result(frame, asked.request, message.result);
        return;
      }
      case 'failure':
        this.#exchanges.answer(frame.from, message.id);
        return;
      case 'invalid':
        return;
    }
  }

  /** Latest first. `sent`: letters of the session's cursors, by value. */
  list(chip: string, sent: Iterable<readonly [string, string]>): CursorCandidate[] {
    const letters = lettersOf(sent);
    return [...this.#found.values()].reverse().map(({ field, value, seq, of, thing }) =>
      defined({
        field,
        value,
        seq,
        of,
        names: thing.title === undefined ? quoted(thing.text) : oneLine(thing.title),
        session: chip,
        pin: letters.get(value),
      }),
    );
  }

  #update(frame: Frame, params: Json | undefined): void {
    const found = updateOf(params);
    if (found?.sessionId !== this.#sessionId) return;
    const { variant, update } = found;
    this.#addAll(cursorFields(params, ['params']), frame, variant, this.#named(variant, update));
  }

  /** What this update speaks of, with what it says of it. */
  #named(variant: string, update: Json): Thing {
    const id = isObject(update) ? itemIdOf(variant, update) : undefined;
    const kind = itemKindOf(variant);
    const key = id === undefined ? undefined : `${kind} ${id}`;
    const thing = (key === undefined ? undefined : this.#things.get(key)) ?? {
      text: '',
      title: undefined,
    };
    if (key !== undefined) this.#things.set(key, thing);
    thing.title = str(update, 'title') ?? str(update, 'command') ?? thing.title;
    if (!isObject(update)) return thing;
    const text = updateText(update);
    if (thing.text === '' || this.#telling === thing)
      thing.text = (thing.text + text).slice(0, LONGEST_TEXT);
    if (key !== undefined) this.#telling = thing;
    return thing;
  }

  #request(frame: Frame, request: Request): void {
    this.#exchanges.ask({ index: frame.seq, from: frame.from, request });
    this.#telling = undefined;
    const { method, params } = request;
    if (frame.from === 'agent') {
      const tool = askedToolCall(params);
      const thing = { text: '', title: str(tool, 'title') ?? str(params, 'title') };
      return this.#addAll(cursorFields(params, ['params']), frame, method, thing);
    }
    if (method !== 'session/prompt') return;
    const text = textOf(contentParts(get(params, 'prompt')));
    const thing = { text: text.slice(0, LONGEST_TEXT), title: undefined };
    const { type, token } = request.id;
    if (type !== 'null')
      this.#add('id', JSON.parse(token) as string | number, frame, method, thing);
    this.#addAll(cursorFields(params, ['params']), frame, method, thing);
  }

  #result(frame: Frame, { method, params }: Request, result: Json): void {
    const prompt = method === 'session/prompt' ? textOf(contentParts(get(params, 'prompt'))) : '';
    const thing = { text: prompt.slice(0, LONGEST_TEXT), title: undefined };
    this.#addAll(cursorFields(result, ['result']), frame, method, thing);
  }

  #addAll(fields: readonly CursorField[], frame: Frame, of: string, thing: Thing): void {
    for (const { field, value } of fields) this.#add(field, value, frame, of, thing);
  }

  #add(field: string, value: string | number, frame: Frame, of: string, thing: Thing): void {
    if (typeof value === 'string' && (value === '' || value.length > LONGEST_VALUE)) return;
    const key = `${field} ${typeof value} ${value}`;
    if (this.#found.has(key)) return;
    this.#found.set(key, { field, value, seq: frame.seq, of, thing });
    if (this.#found.size <= MOST) return;
    for (const oldest of this.#found.keys()) {
      this.#found.delete(oldest);
      return;
    }
  }
}

/** Every value of the cursors that were sent, with the cursor's letter. */
function lettersOf(sent: Iterable<readonly [string, string]>): Map<Json, string> {
  const letters = new Map<Json, string>();
  for (const [text, letter] of sent) {
    // A cursor nested too deep to write stands there as words.
    const cursor = parseJson(text);
    if (cursor === undefined) continue;
    for (const value of cursorValues(cursor)) if (!letters.has(value)) letters.set(value, letter);
  }
  return letters;
}
