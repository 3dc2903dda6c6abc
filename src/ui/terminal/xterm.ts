// A terminal to look at: nothing typed into it goes anywhere, and nothing it answers is heard.
// Loaded when a terminal is first shown; nothing else imports it.
import { FitAddon } from '@xterm/addon-fit';
import { Terminal, type ITheme } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';

export interface Screen {
  /** All bytes of the output so far. */
  show(output: Uint8Array): void;
  fit(): void;
  destroy(): void;
}

interface ScreenOptions {
  readonly parent: HTMLElement;
  readonly label: string;
  /** Opens an address a person clicked, if it may be followed. */
  open(address: string): void;
}

const SCROLLBACK = 10_000;

export function createScreen({ parent, label, open }: ScreenOptions): Screen {
  const terminal = new Terminal({
    disableStdin: true,
    convertEol: true,
    cursorBlink: false,
    cursorInactiveStyle: 'none',
    fontFamily: getComputedStyle(parent).getPropertyValue('--mono') || 'monospace',
    fontSize: 12,
    lineHeight: 1.3,
    scrollback: SCROLLBACK,
    theme: themeOf(parent),
    linkHandler: { activate: (_, address) => open(address) },
  });
  const fitting = new FitAddon();
  terminal.loadAddon(fitting);
  terminal.open(parent);
  terminal.textarea?.setAttribute('aria-label', label);
  // Keys stay with the page: Tab moves on, and copying is the browser's.
  terminal.attachCustomKeyEventHandler((event) => event.key !== 'Tab');

  let shown = new Uint8Array();
  return {
    show(output) {
      if (begins(output, shown)) terminal.write(output.subarray(shown.length));
      else {
        terminal.reset();
        terminal.write(output);
      }
      shown = output.slice();
    },
    fit: () => fitting.fit(),
    destroy: () => terminal.dispose(),
  };
}

/** Whether the output goes on from what is shown; its start is cut off once it is long. */
function begins(output: Uint8Array, shown: Uint8Array): boolean {
  return output.length >= shown.length && shown.every((byte, at) => output[at] === byte);
}

/** The page's colours, resolved: the terminal draws them itself. */
function themeOf(parent: HTMLElement): ITheme {
  const probe = parent.appendChild(document.createElement('span'));
  const colour = (name: string) => {
    probe.style.setProperty('color', `var(${name})`);
    return getComputedStyle(probe).color;
  };
  const theme = {
    background: colour('--panel'),
    foreground: colour('--ink'),
    cursor: colour('--ink-3'),
    selectionBackground: colour('--sel'),
    red: colour('--error'),
    brightRed: colour('--error'),
    green: colour('--ok'),
    brightGreen: colour('--ok'),
    yellow: colour('--warn'),
    brightYellow: colour('--warn'),
    blue: colour('--accent'),
    brightBlue: colour('--accent'),
    brightBlack: colour('--ink-3'),
    white: colour('--ink-2'),
    black: colour('--ink'),
    brightWhite: colour('--ink'),
  };
  probe.remove();
  return theme;
}
