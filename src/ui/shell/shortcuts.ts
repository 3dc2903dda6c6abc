// What can be done from anywhere: the keys of the page, the entries of "go to anything" and the
// sheet of keys all read this one table.
import type { App } from '../../state/app.svelte.ts';
import { inText, isKey } from '../../state/keys.ts';
import { DRAWERS, SUITES, TABS, VIEWS, type View } from '../../state/views.ts';
import { restoreSession } from '../../state/restore/open.ts';
import { focusPlace } from '../parts/focus.ts';
import { saveTrace } from '../sharing/save-file.ts';
import { showTest } from '../../state/runs/open.ts';

/** Parts of the shell that a command opens. */
export interface Shell {
  openFile(): void;
  toggleRail(): void;
}

interface Shortcut {
  readonly does: string;
  /** Former names and synonyms: "go to anything" finds it by them too. */
  readonly was?: readonly string[] | undefined;
  readonly keys?: string;
  run(app: App, shell: Shell): unknown;
  /** Absent: always. */
  can?(app: App): boolean;
  /** What is missing if it cannot run: choosing it leads to where one begins. */
  readonly needs?: string;
  /** Why it cannot run; it is then shown and cannot be chosen. */
  readonly why?: string;
  /** It acts on the open agent or session: listed first. */
  readonly here?: true;
  /** Not offered in "go to anything". */
  readonly keysOnly?: true;
}

const hasTrace = (app: App) => app.current !== undefined;
const OF_TRACE = { can: hasTrace, needs: 'open a trace first' } as const;
const OF_AGENT = { can: hasTrace, needs: 'start an agent first' } as const;
const isDriven = ({ current }: App) => current?.mode === 'drive';
/** Why nothing can be asked of an agent or stopped. */
export const NO_AGENT = 'ACP Scope started no agent in this trace, or it has ended';
/** What has a second reading where the page is wide enough. */
const SECOND: readonly View[] = ['session', 'trace', 'conversation', 'checks'];
/** Menus and dialogs close by Esc themselves. */
const nothingAbove = ({ goTo }: App) =>
  goTo === undefined && !document.querySelector(':popover-open, dialog[open]');

export const COMMANDS: readonly Shortcut[] = [
  { does: 'Go to anything', keys: '⌘K', keysOnly: true, run: (app) => (app.goTo = '') },
  ...TABS.map(({ view, label, keys, was, does = `Show ${label.toLowerCase()}` }): Shortcut => ({
    does,
    was,
    keys,
    run: (app) => showView(app, view),
  })),
  {
    does: 'Open a trace file',
    was: ['import', 'load', 'har', 'log'],
    keys: '⌘O',
    run: (_, shell) => shell.openFile(),
  },
  {
    does: 'Save the trace as a file',
    was: ['share', 'export', 'download', 'html', 'report'],
    keys: '⌘S',
    ...OF_TRACE,
    run: (app) => app.current && saveTrace(app, app.current.connection),
  },
  { does: 'Show or hide the rail', keys: '⌘B', run: (_, shell) => shell.toggleRail() },
  {
    does: 'Show or hide the drawer',
    keys: '⌘J',
    can: hasTrace,
    run: (app) => (app.panes.drawerOpen = !app.panes.drawerOpen),
  },
  {
    does: 'Show or hide the detail',
    keys: '⌘⌥B',
    can: hasTrace,
    run: (app) => (app.panes.detailOpen = !app.panes.detailOpen),
  },
  {
    does: 'Show or hide the second reading',
    keys: 'V',
    can: ({ panes, current, view }) =>
      panes.isWidest && current !== undefined && SECOND.includes(view),
    why: 'the page is too narrow, or the view has none',
    run: ({ panes }) => (panes.secondOpen = !panes.secondOpen),
  },
  {
    does: 'Compare this trace with another…',
    ...OF_TRACE,
    run: (app) => app.current && app.compare(app.current.connection),
  },
  ...VIEWS.flatMap((entry): readonly Shortcut[] => {
    if (!('does' in entry) || 'keys' in entry) return [];
    return [{ does: entry.does, run: (app: App) => showView(app, entry.view) }];
  }),
  ...SUITES.map(({ suite, does, of }): Shortcut => ({
    does,
    run: (app) => showTest(app, suite),
    ...(of === 'agent' ? OF_AGENT : of === 'trace' ? OF_TRACE : {}),
  })),
  {
    does: 'Make a scenario from this trace…',
    ...OF_TRACE,
    run: (app) => void import('../runs/save-scenario.ts').then((it) => it.editScenario(app)),
  },
  ...DRAWERS.map(({ drawer, label, was }): Shortcut => ({
    does: `Open ${label.toLowerCase()}`,
    was,
    needs: OF_TRACE.needs,
    can: hasTrace,
    run: (app) => app.panes.openDrawer(drawer),
  })),
  {
    does: 'What a client ought to believe at the selected frame',
    keys: 'S',
    why: 'select a frame of a session first',
    can: ({ view, timeline, session }) =>
      (view === 'trace' || view === 'conversation') &&
      timeline.selected !== undefined &&
      session !== undefined,
    run: (app) => app.timeline.selected !== undefined && app.stateAt(app.timeline.selected),
  },
  {
    does: 'To the query',
    keys: '/',
    keysOnly: true,
    can: (app) => hasTrace(app) || app.view === 'library',
    run(app) {
      if (app.view !== 'library') app.view = 'trace';
      requestAnimationFrame(() => focusPlace('query'));
    },
  },
  ...([1, -1] as const).map((direction): Shortcut => ({
    does: direction === 1 ? 'Next match of the query' : 'Match of the query before',
    keys: direction === 1 ? '⌘G' : '⌘⇧G',
    can: (app) => hasTrace(app) && app.view === 'trace' && app.timeline.query !== '',
    why: 'Trace has no query',
    run: (app) => app.timeline.jumpToMatch(direction),
  })),
  {
    does: 'Back to the list, out of a field or a pane',
    keys: 'Esc',
    keysOnly: true,
    can: (app) => app.view !== 'connect' && nothingAbove(app),
    run: () => focusPlace('list') || focusPlace('view'),
  },
  {
    does: 'New session…',
    was: ['create', 'session/new'],
    here: true,
    can: (app) => app.canSend && app.facts?.handshake?.version !== undefined,
    why: NO_AGENT,
    run: newSession,
  },
  {
    does: 'Restore the session…',
    was: ['resume', 'load', 'replay'],
    here: true,
    can: ({ session }) => session !== undefined,
    why: 'the open trace has no session',
    run: (app) => restoreSession(app, app.session?.sessionId),
  },
  {
    does: 'Start the agent again',
    was: ['restart', 'run'],
    here: true,
    can: isDriven,
    why: NO_AGENT,
    run: (app) => app.current && app.library.restart(app.current.connection),
  },
  {
    does: 'Theme: as the system',
    was: ['appearance'],
    run: ({ prefs }) => (prefs.theme = 'system'),
  },
  { does: 'Theme: light', run: ({ prefs }) => (prefs.theme = 'light') },
  { does: 'Theme: dark', was: ['night'], run: ({ prefs }) => (prefs.theme = 'dark') },
  { does: 'Text: as the screen', run: ({ prefs }) => (prefs.text = 'screen') },
  { does: 'Text: normal', run: ({ prefs }) => (prefs.text = 'normal') },
  { does: 'Text: large', was: ['zoom', 'font'], run: ({ prefs }) => (prefs.text = 'large') },
  { does: 'Text: larger', was: ['zoom', 'font'], run: ({ prefs }) => (prefs.text = 'larger') },
  {
    does: 'Keys that work here',
    was: ['shortcuts', 'help'],
    keys: '?',
    run: (app) => (app.keysAsked = {}),
  },
];

/** Opens the form for a new session in the pane of the connection. */
async function newSession(app: App): Promise<void> {
  const { current, panes, timeline } = app;
  if (!current) return;
  showView(app, 'trace');
  panes.detailOpen = true;
  panes.newSessions[current.connection] = app.facts?.started?.cwd ?? '';
  await timeline.select(undefined);
}

/** Who asks by key goes on by key: the view takes the focus, see App. */
function showView(app: App, view: View): void {
  if (app.view === view) return void (focusPlace('list') || focusPlace('view'));
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  app.view = view;
}

/** Runs the command of the key, if it is one and may be now. */
export function shellKey(app: App, shell: Shell, event: KeyboardEvent): boolean {
  if (event.defaultPrevented) return false;
  const command = COMMANDS.find(({ keys, can }) => {
    return keys !== undefined && isKey(event, keys) && (can?.(app) ?? true);
  });
  if (!command?.keys) return false;
  const isLetter = command.keys.length === 1;
  if (isLetter && (inText(event) || !app.prefs.letterKeys)) return false;
  void command.run(app, shell);
  return true;
}

/** Stands behind what was typed: what is first is gone to as soon as it is known. */
export const ENTER = '\n';

/** What is typed before "go to anything" has the focus is meant for it, and for no view below. */
export function toPalette(app: App, event: KeyboardEvent): void {
  const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey;
  if (app.goTo === undefined || !(isText || event.key === 'Enter')) return;
  if (event.target instanceof Element && event.target.closest('.palette')) return;
  event.preventDefault();
  event.stopPropagation();
  app.goTo += isText ? event.key : ENTER;
}
