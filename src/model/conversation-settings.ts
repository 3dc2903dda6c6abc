// Mode and config options of a session: what they are called, and what a change of them says.
import { get, obj, objects, str } from '../acp/json.ts';
import type { Json, JsonObject } from '../acp/message.ts';
import { choiceName, optionWords } from './conversation-words.ts';

export class Settings {
  #modes: readonly JsonObject[] = [];
  #mode: string | undefined;
  #options = new Map<string, string>();

  /** Takes what an answer to new, load, resume or fork says. It is a beginning, not a change. */
  begin(result: Json | undefined): void {
    const modes = obj(result, 'modes');
    if (modes) {
      this.#modes = objects(modes, 'availableModes');
      this.#mode = str(modes, 'currentModeId') ?? this.#mode;
    }
    this.options(result);
  }

  /** `Mode: Plan`, unless it is that already. */
  mode(id: string | undefined): string | undefined {
    if (id === undefined || id === this.#mode) return undefined;
    this.#mode = id;
    return `Mode: ${choiceName(this.#modes, id)}`;
  }

  /** A sentence for each option of a complete list whose value is another one than before. */
  options(holder: Json | undefined): string[] {
    if (!Array.isArray(get(holder, 'configOptions'))) return [];
    const before = this.#options;
    this.#options = new Map();
    return objects(holder, 'configOptions').flatMap((option) => {
      const id = str(option, 'configId') ?? str(option, 'id');
      const words = optionWords(option);
      if (id === undefined || words === undefined) return [];
      this.#options.set(id, words);
      return before.has(id) && before.get(id) !== words ? [words] : [];
    });
  }
}
