// The views of the page, one line a view. Addresses, tabs, keys and "go to anything" read this table;
// the view itself is `ui/<folder>/View.svelte`, which exports its sheet of keys too.

interface ViewEntry {
  /** Its name in addresses. */
  readonly view: string;
  readonly folder: string;
  readonly label: string;
  /** A view keeps its key, whichever others there are. Without one, it has no tab. */
  readonly keys?: string;
  /** Former names in addresses; they lead here. */
  readonly was?: readonly string[];
  /** As "go to anything" calls it; absent: `Show` and its label. */
  readonly does?: string;
}

export const VIEWS = [
  { view: 'trace', folder: 'timeline', label: 'Trace', keys: '1' },
  { view: 'conversation', folder: 'conversation', label: 'Conversation', keys: '2' },
  {
    view: 'session',
    folder: 'session',
    label: 'Session',
    keys: '3',
    does: 'Session: restore it, and see its history',
    was: ['restore'],
  },
  {
    view: 'compare',
    folder: 'compare',
    label: 'Compare',
    keys: '4',
    does: 'Compare: live and replay, or two traces',
    was: ['fidelity', 'diff'],
  },
  {
    view: 'checks',
    folder: 'checks',
    label: 'Checks',
    keys: '5',
    was: ['findings', 'test'],
    does: 'Checks: findings of this trace, tests of the agent',
  },
  {
    view: 'timing',
    folder: 'timing',
    label: 'Timing',
    keys: '6',
    was: ['performance'],
    does: 'Timing: waterfall, latency, stalls',
  },
  { view: 'agent', folder: 'agent', label: 'Agent', does: 'Agent: verdicts of all its sessions' },
  { view: 'library', folder: 'library', label: 'Library', does: 'Library of traces' },
  { view: 'connect', folder: 'connections', label: '', does: 'Connect an agent' },
] as const satisfies readonly ViewEntry[];

export type View = (typeof VIEWS)[number]['view'];
/** The others are about no trace. */
const OF_NO_TRACE: ReadonlySet<View> = new Set(['connect', 'library', 'agent']);
export const isOfTrace = (view: View): boolean => !OF_NO_TRACE.has(view);
type Listed = ViewEntry & { readonly view: View };

const all: readonly Listed[] = VIEWS;
/** Returns the view that an address names; undefined if no view has or had that name. */
export const viewNamed = (name = ''): View | undefined =>
  all.find(({ view, was }) => view === name || was?.includes(name))?.view;
/** Those that the bar shows. */
export const TABS = all.filter((one): one is Listed & { keys: string } => one.keys !== undefined);

/** The suites of Checks: their labels in "go to anything", and what each is asked of. */
export const SUITES = [
  { suite: 'probes', does: 'Probe this agent…', of: 'agent' },
  { suite: 'lab', does: 'Run the resume lab…', of: 'agent' },
  { suite: 'rerun', does: 'Run this recording again…', of: 'trace' },
  { suite: 'scenario', does: 'Scenario…', of: 'none' },
] as const;

export function viewOf(view: View): ViewEntry {
  return all.find((one) => one.view === view) ?? VIEWS[0];
}

/** The tabs of the drawer, each with a loader in `ui/views.ts`. */
export const DRAWERS = [
  { drawer: 'composer', label: 'Composer', was: ['send', 'write', 'json'] },
  { drawer: 'waiting', label: 'Waiting', was: ['permission', 'answer', 'allow'] },
  { drawer: 'terminal', label: 'Terminal and stderr', was: ['log', 'output'] },
] as const;
export type Drawer = (typeof DRAWERS)[number]['drawer'];
