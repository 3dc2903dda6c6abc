// Modes, config options and commands as both versions write them, read without trust.
import { get, isObject, objects, str } from '../../acp/json.ts';
import type { Json, JsonObject } from '../../acp/message.ts';
import { defined } from '../../lib/defined.ts';
import type { ConfigOption, ModeState, SessionFacts } from './facts-view.ts';

/** v1 `modes` of an answer. */
export function modesOf(value: Json | undefined): ModeState | undefined {
  const current = str(value, 'currentModeId');
  if (current === undefined) return undefined;
  const available = objects(value, 'availableModes').flatMap((mode) => {
    const id = str(mode, 'id');
    if (id === undefined) return [];
    const name = str(mode, 'name') ?? id;
    return [defined({ id, name, description: str(mode, 'description') })];
  });
  return { current, available };
}

/** `configOptions` of an answer or update: v1 `id`, v2 `configId`. Undefined: none were sent. */
export function configOf(
  value: Json | undefined,
  version: number | undefined,
): ConfigOption[] | undefined {
  if (!Array.isArray(get(value, 'configOptions'))) return undefined;
  return objects(value, 'configOptions').flatMap((option) => {
    const id = configOptionId(option, version);
    if (id === undefined) return [];
    const type = str(option, 'type');
    const known: ConfigOption['type'] = type === 'select' || type === 'boolean' ? type : 'other';
    return [
      defined({
        id,
        name: str(option, 'name') ?? id,
        description: str(option, 'description'),
        category: str(option, 'category'),
        type: known,
        value: get(option, 'currentValue') ?? null,
        options: selectChoices(option),
      }),
    ];
  });
}

/** The id of a config option; an agent that names it as the other version does is understood. */
export function configOptionId(option: JsonObject, version?: number): string | undefined {
  const [own, other] = version === 1 ? ['id', 'configId'] : ['configId', 'id'];
  return str(option, own) ?? str(option, other);
}

/** The choices of a select, with those of its groups; groups hold no groups. */
export function selectChoices(option: Json): ConfigOption['options'] {
  return objects(option, 'options').flatMap((choice) =>
    Array.isArray(get(choice, 'options'))
      ? objects(choice, 'options').flatMap(choiceOf)
      : choiceOf(choice),
  );
}

function choiceOf(choice: Json): ConfigOption['options'] {
  const value = str(choice, 'value');
  if (value === undefined) return [];
  const name = str(choice, 'name') ?? value;
  return [defined({ value, name, description: str(choice, 'description') })];
}

/** `availableCommands` of an answer or update. Undefined: none were sent. */
export function commandsOf(value: Json | undefined): SessionFacts['commands'] | undefined {
  if (!isObject(value) || !Array.isArray(value['availableCommands'])) return undefined;
  return objects(value, 'availableCommands').flatMap((command) => {
    const name = str(command, 'name');
    if (name === undefined) return [];
    return [{ name, description: str(command, 'description') ?? '' }];
  });
}
