// A typed command line as argv, without a shell: no variables, globs, pipes or substitutions.
// Blanks part words; '…' and "…" keep them together; a backslash takes the meaning from a blank, a
// quote or a backslash, and is itself before anything else, so that Windows paths survive.

type Split =
  | { readonly ok: true; readonly argv: readonly string[] }
  /** A sentence, and the column it is about, from 0. */
  | { readonly ok: false; readonly message: string; readonly at: number };

export function splitCommand(text: string): Split {
  const argv: string[] = [];
  let word: string | undefined;
  let quote: { readonly mark: string; readonly at: number } | undefined;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    const next = text.charAt(i + 1);
    if (char === '\\' && quote?.mark !== "'" && isSpecial(next, quote?.mark)) {
      word = (word ?? '') + next;
      i++;
    } else if (quote) {
      if (char === quote.mark) quote = undefined;
      else word = (word ?? '') + char;
    } else if (char === '"' || char === "'") {
      quote = { mark: char, at: i };
      word ??= '';
    } else if (/\s/.test(char)) {
      if (word !== undefined) argv.push(word);
      word = undefined;
    } else word = (word ?? '') + char;
  }
  if (quote)
    return {
      ok: false,
      at: quote.at,
      message: `The ${quote.mark} at column ${quote.at + 1} is not closed. Close it, or write \\${quote.mark} for the character itself.`,
    };
  if (word !== undefined) argv.push(word);
  return { ok: true, argv };
}

/** How a command is told from others: by what is run, and where. */
export function commandKey(command: {
  readonly argv: readonly string[];
  readonly cwd: string;
}): string {
  return JSON.stringify([command.argv, command.cwd]);
}

/** The command line that splits into this argv. */
export function joinCommand(argv: readonly string[]): string {
  return argv.map(quoted).join(' ');
}

function isSpecial(char: string, quote: string | undefined): boolean {
  return char === '\\' || char === '"' || (quote === undefined && (char === "'" || char === ' '));
}

function quoted(word: string): string {
  if (word !== '' && !/[\s"'\\]/.test(word)) return word;
  if (!word.includes("'")) return `'${word}'`;
  return `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
