// A session's settings, and how each protocol version lists them.
import type * as v1 from '@agentclientprotocol/sdk/unstable';
import type * as v2 from '@agentclientprotocol/sdk/experimental/v2/unstable';
import type { Settings } from './history.ts';

export const MODES = [
  { id: 'ask', name: 'Ask', description: 'Asks before each edit' },
  { id: 'code', name: 'Code', description: 'Edits without asking' },
  { id: 'plan', name: 'Plan', description: 'Plans, and edits nothing' },
];
const MODELS = [
  { id: 'sketch', name: 'Sketch', description: 'Few words' },
  { id: 'fresco', name: 'Fresco', description: 'More words' },
];
const SELECTS = [
  { id: 'mode', name: 'Mode', category: 'mode', values: MODES },
  { id: 'model', name: 'Model', category: 'model', values: MODELS },
] as const;
const TERSE = { id: 'terse', name: 'Short summaries', description: 'Ends a turn in one sentence' };

/** The setting that an option's new value makes, or why it makes none. */
export function settingOf(
  option: string,
  value: unknown,
): { readonly setting: Partial<Settings> } | { readonly problem: string } {
  if (option === TERSE.id)
    return typeof value === 'boolean'
      ? { setting: { terse: value } }
      : { problem: `the option "${option}" takes true or false` };
  const select = SELECTS.find(({ id }) => id === option);
  if (!select)
    return { problem: `no option "${option}"; there are "mode", "model" and "${TERSE.id}"` };
  const known = select.values.find(({ id }) => id === value);
  if (known) return { setting: { [select.id]: known.id } };
  const values = select.values.map(({ id }) => `"${id}"`).join(', ');
  return { problem: `the option "${option}" takes one of ${values}` };
}

/** v1's modes, for clients that read no options. */
export function modesV1(settings: Settings): v1.SessionModeState {
  return { currentModeId: settings.mode, availableModes: MODES.map((mode) => ({ ...mode })) };
}

/** Booleans only for clients that say they know them. */
export function optionsV1(settings: Settings, booleans: boolean): v1.SessionConfigOption[] {
  const options: v1.SessionConfigOption[] = SELECTS.map((select) => ({
    id: select.id,
    ...selectOf(select, settings),
  }));
  if (booleans) options.push({ ...TERSE, type: 'boolean', currentValue: settings.terse });
  return options;
}

export function optionsV2(settings: Settings): v2.SessionConfigOption[] {
  const { id: configId, ...terse } = TERSE;
  return [
    ...SELECTS.map((select) => ({ configId: select.id, ...selectOf(select, settings) })),
    { configId, ...terse, type: 'boolean', currentValue: settings.terse },
  ];
}

function selectOf({ id, name, category, values }: (typeof SELECTS)[number], settings: Settings) {
  return {
    name,
    category,
    type: 'select' as const,
    currentValue: settings[id],
    options: values.map(({ id: value, ...rest }) => ({ value, ...rest })),
  };
}
