// Which panes are open around the view, for each size of the page.
import type { Drawer, View } from './views.ts';

/** Under 1100 pixels wide, under 640 high, or neither. */
type PageSize = 'ample' | 'narrow' | 'low';

interface Open {
  detail: boolean;
  /** Of each view. */
  readonly drawers: Partial<Record<View, boolean>>;
}

export class Panes {
  readonly #looked: () => { readonly view: View; readonly isFile: boolean };
  readonly #open = $state<Record<PageSize, Open>>({
    ample: { detail: true, drawers: {} },
    narrow: { detail: true, drawers: {} },
    low: { detail: false, drawers: {} },
  });
  /** How much room the page has. Each size keeps what is open of it: a small one begins with the list. */
  size = $state<PageSize>('ample');
  /** So wide that a second reading stands beside a list, and follows what is selected there. */
  isWidest = $state(false);
  secondOpen = $state(true);
  drawer = $state<Drawer>('composer');
  railOpen = $state(true);
  /** By connection, the folder typed in the form for a new session: the pane it stands in comes and goes. */
  newSessions = $state<Record<string, string>>({});

  /** `looked`: the view, and whether what it shows was read from a file. */
  constructor(looked: () => { readonly view: View; readonly isFile: boolean }) {
    this.#looked = looked;
  }

  /** Whether its drawer is open unless somebody closed it: to a file nothing can be sent. */
  get opensDrawer(): boolean {
    const { view, isFile } = this.#looked();
    return this.size === 'ample' && view === 'trace' && !isFile;
  }
  get drawerOpen(): boolean {
    return this.#open[this.size].drawers[this.#looked().view] ?? this.opensDrawer;
  }
  set drawerOpen(open: boolean) {
    this.#open[this.size].drawers[this.#looked().view] = open;
  }

  /** True if a person opened the drawer of this view, or an action did. */
  get drawerAsked(): boolean {
    return this.#open[this.size].drawers[this.#looked().view] === true;
  }

  get detailOpen(): boolean {
    return this.#open[this.size].detail;
  }
  set detailOpen(open: boolean) {
    this.#open[this.size].detail = open;
  }

  get second(): boolean {
    return this.isWidest && this.secondOpen;
  }

  openDrawer(drawer: Drawer): void {
    this.drawer = drawer;
    this.drawerOpen = true;
  }
}
