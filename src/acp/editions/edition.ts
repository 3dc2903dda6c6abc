// An edition of the protocol: its dated text as a JSON document, which docs/editions.md describes. The
// built-in ones are the JSON files beside this one; others are read from files (read-edition.ts).
import type { EditionMethod, Version } from '../methods.ts';
import type { Shapes } from '../schema/shape.ts';
import type { Feature } from './feature.ts';

/** The built-in editions. One that is read from a file has another id. */
export type EditionId = 'v1-2.4.0' | 'v1-2026-11' | 'v2-2026-08' | 'v2-2.4.0' | 'v2-2026-11';

/** Severity of a violated rule; `off`: the edition does not have the rule. */
export type CountsAs = 'error' | 'warning' | 'hint' | 'off';

/** A definition of the schema by its name, or `any`. */
export type ShapeName = string;

/** Fields by name, with `?` after the name if they are optional; `any`: all fields are allowed. */
export type FieldShapes = Readonly<Record<string, ShapeName>> | 'any';

/** Values of a definition's tag with their fields, by definition. */
export type Values = Readonly<Record<string, Readonly<Record<string, FieldShapes>>>>;

export interface Addition {
  readonly id: Feature;
  /** Name for people: "child sessions". */
  readonly words: string;
  /** Fields and values that the schema of the base has as unstable, by definition. */
  readonly stable?: Readonly<Record<string, readonly string[]>>;
  /** Values that the schema of the base does not have. */
  readonly values?: Values;
}

/** Names that are unstable in this edition and that the schema of the base does not have. */
export interface Drafts {
  /** Optional fields, by definition. */
  readonly fields?: Readonly<Record<string, Readonly<Record<string, ShapeName>>>>;
  readonly values?: Values;
  readonly methods?: readonly EditionMethod[];
}

/** Schemas: those of a package that is built in, or the shapes of other ones. */
type SchemaReference =
  { readonly package: string; readonly version: string } | { readonly shapes: Shapes };

export interface Edition {
  readonly format: 'acp-edition';
  readonly formatVersion: 1;
  readonly id: EditionId;
  readonly version: Version;
  /** For people: "v1 as of November 2026". */
  readonly words: string;
  /** Of its text, as YYYY-MM-DD. */
  readonly date: string;
  /** Address of its text. */
  readonly source: string;
  /** The edition it changes; undefined: it is a base. */
  readonly on?: EditionId;
  /** Undefined: the one of the edition that this one changes. */
  readonly schema?: SchemaReference;
  readonly features?: readonly Addition[];
  readonly drafts?: Drafts;
  /** Methods that the table of methods does not have, or has with another standing or gate. */
  readonly methods?: readonly EditionMethod[];
  /** The capability of the client without which the agent must not send an update, by update. */
  readonly gates?: Readonly<Record<string, string>>;
  /**
   * Rules, and points of them (`schema/result#receipt`), that count differently from the edition it
   * changes; of a base, differently from what the rule says itself.
   */
  readonly counts?: Readonly<Record<string, CountsAs>>;
}
