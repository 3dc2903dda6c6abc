// The views and drawers, each loaded when it is first shown.
import type { Component } from 'svelte';
import { viewOf, type Drawer, type View } from '../state/views.ts';
import type { App } from '../state/app.svelte.ts';
import type { MenuItem } from './parts/menu-item.ts';
import type { KeySheet } from './parts/list-keys.ts';

type Load<Module = object> = () => Promise<Module & { readonly default: Component }>;

/** A view is what stands in its folder, with its sheet of keys where it has keys of its own. */
export interface ViewModule {
  readonly default: Component;
  readonly keySheet?: KeySheet;
  /** Its reports, for the menu Share. */
  readonly shares?: (app: App) => readonly MenuItem[];
  /** What can be done in it now, for "go to anything". */
  readonly actions?: (app: App) => readonly MenuItem[] | Promise<readonly MenuItem[]>;
}
const FOUND: Readonly<Record<string, Load<ViewModule> | undefined>> = import.meta.glob<ViewModule>(
  './*/View.svelte',
);

export const loadView = (view: View): Load<ViewModule> =>
  FOUND[`./${viewOf(view).folder}/View.svelte`] ??
  (() => Promise.reject(new Error(`No component for the view ${view}`)));

export const DRAWER_LOADERS: Readonly<Record<Drawer, Load>> = {
  composer: () => import('./composer/Composer.svelte'),
  waiting: () => import('./waiting/Waiting.svelte'),
  terminal: () => import('./terminal/Terminal.svelte'),
};

export const STRIP: Load = () => import('./rail/RailStrip.svelte');
export const DETAIL: Load = () => import('./detail/Detail.svelte');
export const BESIDE: Load = () => import('./timeline/ConversationBeside.svelte');
export const SAVE: Load = () => import('./sharing/SaveDialog.svelte');
export const IMPORTED: Load = () => import('./sharing/ImportedDialog.svelte');
export const IMPORTING: Load = () => import('./shell/Importing.svelte');
