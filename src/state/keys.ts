// Key combinations, written once as on an Apple keyboard (`⌘⇧↵`, `⌥←`, `J`, `?`) and read by both
// the handlers and what is printed beside a control. Elsewhere ⌘ is Ctrl and ⌥ is Alt.

const MODIFIERS = { '⌘': 'Ctrl', '⌥': 'Alt', '⇧': 'Shift' } as const;
const NAMED: Readonly<Record<string, string>> = {
  '←': 'ArrowLeft',
  '→': 'ArrowRight',
  '↑': 'ArrowUp',
  '↓': 'ArrowDown',
  '↵': 'Enter',
  Esc: 'Escape',
  PgUp: 'PageUp',
  PgDn: 'PageDown',
  Space: ' ',
};

const isApple: boolean =
  typeof navigator !== 'undefined' && /Mac|iP(hone|ad|od)/.test(navigator.platform);

interface Combination {
  readonly command: boolean;
  readonly option: boolean;
  readonly shift: boolean;
  readonly key: string;
}

function read(keys: string): Combination {
  const key = keys.replace(/^[⌘⌥⇧]+/, '');
  const front = keys.slice(0, keys.length - key.length);
  return {
    command: front.includes('⌘'),
    option: front.includes('⌥'),
    shift: front.includes('⇧'),
    key: NAMED[key] ?? key,
  };
}

/** What is printed: `⌘⇧↵` on Apple systems, `Ctrl+Shift+↵` elsewhere. */
export function keyLabel(keys: string, apple = isApple): string {
  if (apple) return keys;
  const key = keys.replace(/^[⌘⌥⇧]+/, '');
  const front = [...keys.slice(0, keys.length - key.length)].map(
    (sign) => MODIFIERS[sign as keyof typeof MODIFIERS],
  );
  return [...front, key].filter((part) => part !== '').join('+');
}

/** `aria-keyshortcuts` of the combination. */
export function ariaKeys(keys: string, apple = isApple): string {
  const { command, option, shift, key } = read(keys);
  const front = [
    ...(command ? [apple ? 'Meta' : 'Control'] : []),
    ...(option ? ['Alt'] : []),
    ...(shift ? ['Shift'] : []),
  ];
  return [...front, key === ' ' ? 'Space' : key].join('+');
}

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'metaKey' | 'ctrlKey' | 'altKey' | 'shiftKey'>;

/**
 * Whether the event is this combination. Letters are compared without case; with ⌥ by their place
 * on the keyboard, because Apple's ⌥B types `∫`. Signs that need Shift (`?`, `<`) are compared as
 * typed, whatever Shift says.
 */
export function isKey(event: Pressed, keys: string, apple = isApple): boolean {
  const { command, option, shift, key } = read(keys);
  const pressed = apple ? event.metaKey : event.ctrlKey;
  const foreign = apple ? event.ctrlKey : event.metaKey;
  if (pressed !== command || foreign || event.altKey !== option) return false;
  const letter = /^[a-z]$/i.test(key);
  if ((letter || key.length > 1) && event.shiftKey !== shift) return false;
  if (letter && option) return event.code === `Key${key.toUpperCase()}`;
  return event.key.toLowerCase() === key.toLowerCase();
}

/** Whether ⌘, elsewhere Ctrl, is held: a click adds to what is selected. */
export function isCommand(
  event: Pick<MouseEvent, 'metaKey' | 'ctrlKey'>,
  apple = isApple,
): boolean {
  return apple ? event.metaKey : event.ctrlKey;
}

/** Whether the event goes to something that takes typed text. */
export function inText(event: KeyboardEvent): boolean {
  const target = event.target;
  if (target instanceof HTMLInputElement) return !TEXTLESS.test(target.type);
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

const TEXTLESS = /^(radio|checkbox|button|submit|reset|range|file|color)$/;
