// One line of a menu, and what it does.
import type { IconName } from './icons.ts';

export interface MenuItem {
  readonly label: string;
  /** Said after the label, dim. */
  readonly beside?: string | undefined;
  readonly icon?: IconName | undefined;
  readonly keys?: string | undefined;
  /** Set: a choice among others, and whether it is the one. */
  readonly checked?: boolean | undefined;
  /** Others may be chosen beside it. */
  readonly several?: true;
  /** A rule above it. */
  readonly rule?: boolean;
  /** Lines shown in its place; `run` is then absent. */
  readonly items?: readonly MenuItem[];
  run?(): void;
}
