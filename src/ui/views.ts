// The views and drawers, each loaded when it is first shown.
import type { Component } from 'svelte';
import type { Drawer, View } from '../state/page.ts';

export type Load = () => Promise<{ readonly default: Component }>;

export const VIEWS: Readonly<Record<View, Load>> = {
  trace: () => import('./timeline/Trace.svelte'),
  connect: () => import('./connections/Connect.svelte'),
  conversation: () => import('./conversation/Conversation.svelte'),
  restore: () => import('./restore/Restore.svelte'),
  fidelity: () => import('./fidelity/Fidelity.svelte'),
  diff: () => import('./diff/Diff.svelte'),
  findings: () => import('./findings/Findings.svelte'),
  probes: () => import('./probes/Probes.svelte'),
  lab: () => import('./lab/Lab.svelte'),
  rerun: () => import('./rerun/Rerun.svelte'),
  scenario: () => import('./scenario/Scenario.svelte'),
};

export const DRAWERS: Readonly<Record<Drawer, Load>> = {
  composer: () => import('./composer/Composer.svelte'),
  waiting: () => import('./waiting/Waiting.svelte'),
  terminal: () => import('./terminal/Terminal.svelte'),
  findings: () => import('./findings/FindingsDrawer.svelte'),
};

export const STRIP: Load = () => import('./connections/RailStrip.svelte');
export const DETAIL: Load = () => import('./detail/Detail.svelte');
export const HISTORY: Load = () => import('./sessions/SessionHistory.svelte');
export const KEYS: Load = () => import('./shell/KeyHelp.svelte');
export const ACROSS: Load = () => import('./sessions/SessionTimeline.svelte');
export const PALETTE: Load = () => import('./shell/Palette.svelte');
