// What a report says, before it is text, Markdown, HTML, JUnit or SARIF: the document that every
// command and the page make of what they found. Words of peers stand in it as they were said; each
// renderer makes them harmless in its own way.

/** How a word is meant: on a terminal and in HTML its colour, elsewhere nothing. */
export type Tone = 'bad' | 'warn' | 'info' | 'good' | 'quiet' | 'strong';

export interface TextPiece {
  readonly text: string;
  readonly tone?: Tone | undefined;
  /** A name or a value rather than prose: a code span where there are any. */
  readonly code?: true;
  /** Where it leads: an address, or `#` and the anchor of an item. */
  readonly link?: string | undefined;
}

/** One line. */
export type LineWords = string | readonly (string | TextPiece)[];

export type Block =
  | { readonly kind: 'lines'; readonly lines: readonly LineWords[] }
  | { readonly kind: 'section'; readonly title: LineWords; readonly blocks: readonly Block[] }
  | { readonly kind: 'items'; readonly items: readonly ReportItem[] }
  | Table
  | SignStrip
  | Frames;

/** Something with a verdict, and what there is to say of it. */
export interface ReportItem {
  /** Its verdict or mark, one word or sign. */
  readonly word: string;
  readonly tone: Tone;
  readonly title: LineWords;
  readonly details: readonly ReportDetail[];
  /** What stands behind it, where there is room to fold it away: in HTML alone. */
  readonly more?: readonly Block[];
  /** What links name it by. */
  readonly anchor?: string;
}

/** `seen` and what was seen, or a line without a label. */
export type ReportDetail = LineWords | { readonly label: string; readonly words: LineWords };

export interface Table {
  readonly kind: 'table';
  readonly heads: readonly ColumnHead[];
  readonly rows: readonly (readonly LineWords[] | { readonly group: LineWords })[];
}

/** A row of fewer cells than heads lets its last one run on. */
export interface ColumnHead {
  readonly name: string;
  /** Figures stand to the right. */
  readonly right?: true;
  /** In text, cut to this many characters. */
  readonly most?: number;
}

/** Rows of signs over the same columns. */
export interface SignStrip {
  readonly kind: 'strip';
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly name: string;
    /** One a column, or why there are none. */
    readonly cells: readonly TextPiece[] | string;
  }[];
  readonly legend: string;
}

/** Frames of a trace in a row. */
export interface Frames {
  readonly kind: 'frames';
  readonly title: string;
  readonly frames: readonly {
    readonly seq: number;
    /** Undefined: it crossed in neither direction. */
    readonly from?: 'client' | 'agent' | undefined;
    readonly text: string;
  }[];
  /** Frames that were left out, behind the one at this place. */
  readonly left?: { readonly after: number; readonly count: number } | undefined;
}

/** JUnit: cases under one name. */
export interface JUnitSuite {
  readonly name: string;
  readonly cases: readonly JUnitCase[];
  /** Said beside the cases. */
  readonly output?: string;
  readonly errors?: string;
}

export type JUnitCase = { readonly name: string } & (
  | { readonly outcome: 'pass' }
  | {
      readonly outcome: 'fail';
      readonly type: string;
      readonly message: string;
      readonly body?: string;
    }
  | { readonly outcome: 'skip'; readonly message: string }
  | { readonly outcome: 'error'; readonly type: string; readonly message: string }
  /** It fails nothing, and there is something to say. */
  | { readonly outcome: 'told'; readonly body: string }
);

export interface ReportDocument {
  /** The command that makes it: `acp-scope check`. */
  readonly name: string;
  readonly title: LineWords;
  /** The title is said only where a document needs one: in Markdown and HTML. */
  readonly untitled?: true;
  readonly blocks: readonly Block[];
  readonly suites: readonly JUnitSuite[];
}

/** What code hosts show beside the lines of a file (SARIF): for reports that point into files. */
export interface Results {
  readonly clauses: readonly ReportRule[];
  readonly results: readonly Result[];
  /** What could not be read, and so was not judged. `line` undefined: the whole file. */
  readonly unread: readonly {
    readonly file: string;
    readonly line: number | undefined;
    readonly problem: string;
  }[];
}

export type ReportLevel = 'error' | 'warning' | 'note';

/** A rule, with all the sentences it rests on. */
export interface ReportRule {
  readonly id: string;
  readonly title: string;
  readonly level: ReportLevel;
  readonly url: string;
  readonly sentences: readonly {
    readonly said: string;
    readonly places: readonly { readonly words: string; readonly url: string }[];
  }[];
}

export interface Result {
  readonly clause: string;
  readonly outcome: 'fail' | 'pass' | 'open';
  readonly level: ReportLevel;
  readonly message: string;
  readonly file: string;
  readonly places: readonly {
    readonly line: number;
    readonly name: string;
    readonly pointer: string;
  }[];
  readonly known?: true | undefined;
  readonly suppressed?: string | undefined;
}
