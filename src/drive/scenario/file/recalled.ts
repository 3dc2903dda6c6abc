// Values of a recording that a scenario must not repeat, because the next run has others: the folder,
// and the ids an agent gave. Each gets a name when it is first used.
import { pointerPart } from '../../../acp/json-pointer.ts';
import { isArray, isObject } from '../../../acp/json.ts';
import type { Json, Message } from '../../../acp/message.ts';
import { literal, literalText } from './names.ts';

interface IdSource {
  readonly value: string;
  /** The key it stands under. */
  readonly key: string;
  /** In the whole message. */
  readonly pointer: string;
}

/** Ids and list cursors that a message of the agent gives. */
export function sourcesIn(message: Message): readonly IdSource[] {
  if (message.kind === 'success') return [...idsIn(message.result, '/result', '')];
  if (message.kind === 'notification' || message.kind === 'request')
    return [...idsIn(message.params ?? null, '/params', '')];
  return [];
}

function* idsIn(value: Json, pointer: string, key: string): Generator<IdSource> {
  if (typeof value === 'string') {
    if (/Id$|[cC]ursor$/.test(key) && value !== '') yield { value, key, pointer };
  } else if (isArray(value)) {
    for (const [at, item] of value.entries()) yield* idsIn(item, `${pointer}/${at}`, key);
  } else if (isObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      yield* idsIn(item, `${pointer}/${pointerPart(name)}`, name);
    }
  }
}

interface Known {
  readonly key: string;
  readonly capture: (name: string) => void;
  name: string | undefined;
}

export class Recalled {
  readonly #known = new Map<string, Known>();
  readonly #names = new Set<string>(['$cwd', '$sessionId']);
  #folder: string | undefined;

  folder(path: string): void {
    this.#folder ??= path;
  }

  /** `capture` is called once, if the value is used. The first that gives it counts. */
  learn(value: string, key: string, capture: (name: string) => void): void {
    if (!this.#known.has(value)) this.#known.set(value, { key, capture, name: undefined });
  }

  /** What stands for this text: a name, a text with the folder's name in it, or itself. */
  nameFor(text: string): Json {
    const known = this.#known.get(text);
    if (known) {
      if (known.name === undefined) {
        known.name = this.#newName(known.key);
        known.capture(known.name);
      }
      return known.name;
    }
    const folder = this.#folder;
    if (folder === undefined || folder === '/') return literal(text);
    if (text === folder) return '$cwd';
    return text.startsWith(`${folder}/`)
      ? `\${cwd}${literalText(text.slice(folder.length))}`
      : literal(text);
  }

  /** `$session`, `$message2`: `$sessionId` is what the last answer gave, whatever it was. */
  #newName(key: string): string {
    const stem = `$${key.replace(/Id$/, '').replace(/\W/g, '') || 'id'}`;
    for (let number = 1; ; number++) {
      const name = number === 1 ? stem : `${stem}${number}`;
      if (this.#names.has(name)) continue;
      this.#names.add(name);
      return name;
    }
  }
}
