// All aliases of a comparison as lines of a list: under their kinds, each with the rows it stands in.
// What is switched off is compared as it stands, and can be switched on again here.
import type { Alias } from '../../diff/traces/report/report.ts';
import type { DiffLook, ShownRow } from '../../engine/diff/diff-messages.ts';
import { ALIAS_KINDS, type AliasKind } from '../../model/sessions/compare-terms.ts';
import type { App } from '../app.svelte.ts';
import { diffOf, type Diff } from './diff.svelte.ts';
import { DiffRowFeed } from './diff-run.svelte.ts';
import { keptWith } from '../kept.svelte.ts';

export type AliasLine =
  | {
      readonly type: 'kind';
      readonly kind: AliasKind;
      /** Of those that the filter finds. */
      readonly total: number;
      readonly on: boolean;
    }
  | {
      readonly type: 'alias';
      readonly alias: Alias;
      readonly on: boolean;
      readonly open: boolean;
    }
  /** A row that it stands in. */
  | { readonly type: 'use'; readonly row: number };

/** What the list is opened at. */
type Wanted = { readonly kind: AliasKind } | { readonly name: string };

/** The one of the page. */
export const aliasListOf = keptWith((app) => new AliasList(app, diffOf(app)));

export class AliasList {
  readonly #app: App;
  readonly #diff: Diff;
  readonly #feed: DiffRowFeed<ShownRow>;
  isOpen = $state(false);
  #all = $state.raw<{ readonly look: DiffLook; readonly aliases: readonly Alias[] } | undefined>();
  /** The one whose rows are listed. */
  #uses = $state.raw<{ readonly alias: Alias; readonly rows: readonly number[] } | undefined>();
  #wanted: Wanted | undefined;
  #at = $state(0);
  filter = $state('');

  constructor(app: App, diff: Diff) {
    this.#app = app;
    this.#diff = diff;
    this.#feed = new DiffRowFeed((number, rows) => app.engine.diff.rows(number, rows));
  }

  lines: readonly AliasLine[] = $derived.by(() => {
    const all = this.#all?.aliases ?? [];
    const { rawAliases } = this.#diff;
    const { raw } = this.#diff.terms;
    const uses = this.#uses;
    return ALIAS_KINDS.flatMap((kind): AliasLine[] => {
      const isKindOn = !raw.includes(kind);
      const found = all.filter((alias) => alias.kind === kind && this.#finds(alias));
      const off = rawAliases.filter((alias) => alias.kind === kind && this.#finds(alias));
      if (found.length + off.length === 0 && (isKindOn || this.filter !== '')) return [];
      const shown = found.flatMap((alias): AliasLine[] => {
        const open = uses?.alias === alias;
        const rows = open ? uses.rows : [];
        return [
          { type: 'alias', alias, on: true, open },
          ...rows.map((row): AliasLine => ({ type: 'use', row })),
        ];
      });
      return [
        { type: 'kind', kind, total: found.length + off.length, on: isKindOn },
        ...shown,
        ...off.map((alias): AliasLine => ({ type: 'alias', alias, on: false, open: false })),
      ];
    });
  });
  at: number = $derived.by(() => Math.max(0, Math.min(this.#at, this.lines.length - 1)));

  /** Opens the list, at an alias with its rows, or at a kind. */
  show(wanted: Wanted): void {
    this.isOpen = true;
    this.filter = '';
    this.#wanted = wanted;
    this.#goToWanted();
  }
  close(): void {
    this.isOpen = false;
  }

  /** Call in an effect: brings all aliases of the comparison looked at. */
  watch(): void {
    const { look } = this.#diff;
    if (this.isOpen && look && this.#all?.look !== look) void this.#load(look);
  }

  select(at: number): void {
    this.#at = Math.max(0, Math.min(at, this.lines.length - 1));
  }
  /** Lists the rows it stands in, or no longer. */
  async toggle(at: number, open?: boolean): Promise<void> {
    const line = this.lines[at];
    if (line?.type !== 'alias' || !line.on || open === line.open) return;
    if (line.open) this.#uses = undefined;
    else await this.#listUses(line.alias);
  }
  /** On or off: the alias, or all of the kind. */
  switch(at: number): void {
    const line = this.lines[at];
    if (line?.type === 'kind') this.#diff.terms.useKind(line.kind, !line.on);
    else if (line?.type === 'alias') this.#diff.useAlias(line.alias, !line.on);
  }

  row(row: number): ShownRow | undefined {
    return this.#feed.row(row);
  }
  /** These lines are on screen. */
  fetch(from: number, to: number): void {
    const { look } = this.#diff;
    if (!look || this.#all?.look !== look) return;
    const rows = this.lines
      .slice(from, to)
      .flatMap((line) => (line.type === 'use' ? line.row : []));
    if (rows.length > 0) this.#feed.want(look.diff, rows);
  }

  #finds({ name, a, b }: Alias): boolean {
    const wanted = this.filter.trim().toLowerCase();
    return wanted === '' || [name, a, b].some((one) => one?.toLowerCase().includes(wanted));
  }

  async #load(look: DiffLook): Promise<void> {
    const aliases = await this.#app.engine.diff.aliases(look.diff);
    if (this.#diff.look !== look) return;
    const isSame = this.#all?.look.ask.left === look.ask.left;
    this.#all = { look, aliases };
    this.#uses = undefined;
    if (!isSame) this.#at = 0;
    this.#goToWanted();
  }

  #goToWanted(): void {
    const wanted = this.#wanted;
    if (!wanted || this.#all?.look !== this.#diff.look) return;
    this.#wanted = undefined;
    const at = this.lines.findIndex((line) =>
      'kind' in wanted
        ? line.type === 'kind' && line.kind === wanted.kind
        : line.type === 'alias' && line.alias.name === wanted.name,
    );
    if (at < 0) return;
    this.#at = at;
    if ('name' in wanted) void this.#openAt(wanted.name);
  }

  async #openAt(name: string): Promise<void> {
    const alias = this.#all?.aliases.find((one) => one.name === name);
    if (!alias) return;
    await this.#listUses(alias);
    this.#at = this.lines.findIndex((line) => line.type === 'alias' && line.alias === alias);
  }

  async #listUses(alias: Alias): Promise<void> {
    const look = this.#all?.look;
    if (!look) return;
    const rows = await this.#app.engine.diff.rowsWith(look.diff, alias.name);
    if (this.#all?.look === look) this.#uses = { alias, rows };
  }
}
