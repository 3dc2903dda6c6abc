// The commands that the log of a CI obeys when a program prints them: the author of the printed words could set
// outputs, forge annotations, or silence the commands of the job. Each begins with a few characters; one of them is
// spelled in another way, and nothing is obeyed.
import { visibleWords } from '../visible-text.ts';

/** How a format spells a character that it must not print as it is, so that a reader of the format still gets it. */
export type Spelling = (char: string) => string;

/** As hidden characters are marked. */
export const AS_MARK: Spelling = (char) => `[${char}]`;
/** In HTML and XML. */
export const AS_ENTITY: Spelling = (char) => `&#${char.charCodeAt(0)};`;
/** In a string of JSON. */
export const AS_ESCAPE: Spelling = (char) =>
  `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

// GitHub `##[cmd …]`, Azure `##vso[…]`, TeamCity `##teamcity[…]`: anywhere in a line.
const HASHES = /#{2,}/g;
// A mark begins with the same bracket, and may be where the next of them begins.
const BRACKET = /[\w.]{0,30}(?:\[|##)/y;
// GitLab and Travis, anywhere: `section_start:…`, `travis_fold:…`, `travis_time:…`.
const SECTION = /(section_(?:start|end)|travis_(?:fold|time)):/g;
// At the beginning of a line, colours aside: GitHub `::cmd …::`, also after blanks; Buildkite `--- `, `+++ `, `~~~ `
// and `^^^ +++`.
const COLONS = /^((?:[^\S\n\r]|\u001b\[[\d;]*m)*):(?=:)/gm;
const COLOURS = '(?:\\u001b\\[[\\d;]*m)*';
const GROUP = new RegExp(
  `^(${COLOURS})([-+~^])(?=${COLOURS}\\2${COLOURS}\\2${COLOURS}(?:\\s|$))`,
  'gm',
);

/** The text, whole lines of it, in which no CI finds a command. */
export function withoutCiCommands(text: string, spelled: Spelling): string {
  return text
    .replace(SECTION, (_, name: string) => name + spelled(':'))
    .replace(COLONS, (_, before: string) => before + spelled(':'))
    .replace(GROUP, (_, before: string, sign: string) => before + spelled(sign))
    .replace(HASHES, (run, at: number, whole: string) => {
      BRACKET.lastIndex = at + run.length;
      return BRACKET.test(whole) ? spelled('#').repeat(run.length - 1) + '#' : run;
    });
}

/** A sentence for a terminal or the log of a CI: it holds the words of peers, and neither obeys them. */
export function printable(text: string): string {
  return withoutCiCommands(visibleWords(text), AS_MARK);
}

/** True if a CI would obey something in the text. */
export function hasCiCommand(text: string): boolean {
  return withoutCiCommands(text, AS_MARK) !== text;
}
