// The words in which a launch is asked about on the relay's terminal, and those in which the page is
// told how to allow it where there is no terminal. Nothing in them can hide or act.
import { assertNever } from '../../lib/assert-never.ts';
import { decidesWhatRuns, isSecretVariable } from '../../lib/secrets/loaders.ts';
import { isSecretName, looksSecret } from '../../lib/secrets/names.ts';
import type { Variable } from '../../lib/variables.ts';
import type { ConnectionInfo } from '../../link/messages.ts';
import { visibleParts } from '../../lib/visible-text.ts';
import type { FarFacet, Facet, SettledLaunch } from './facets.ts';
import { variables } from './facets.ts';
import type { Before } from './kept.ts';
import { isLoopback, shownUrl, type Address } from '../transports/address.ts';
import { shownWords } from '../agents/target.ts';

/** Nobody reads more. */
const MOST_LETTERS = 4000;

const ASKS_TO_START = 'The page asks to start a program that is new here:';
const ASKS_TO_REACH = 'The page asks to reach an agent that is new here:';
const ELSEWHERE = '  which is no name of this machine: what is said to it leaves it';
// Each paragraph is one line: the terminal's width alone breaks it.
const REACH =
  'A page can then send it what it likes, and read what it answers. To whatever listens there, it comes from this machine.';
const POWER =
  'A page can then drive it. Whatever it can do, such as running commands or the MCP servers that it is given, it does as you.';
const LOOK =
  'Whoever keeps that machine then sees that this one asks, and Windows may say there who you are. Nothing is started yet.';
const ENDING = 'Press y to allow exactly this, now and later. Any other key refuses.';

/**
 * Only what is new, where the command line was allowed before. Undefined: it is too long for a person
 * to read.
 */
export function questionOf(
  { target }: SettledLaunch,
  facets: readonly Facet[],
  before: Before | undefined,
): string | undefined {
  const { argv } = target;
  const isUrl = 'address' in target;
  const command = isUrl
    ? `  ${quoted(shownUrl(target.address.url, isSecret))}`
    : `  ${argv.map(quoted).join(' ')}`;
  const text = (
    before
      ? [
          `You allowed a page to ${isUrl ? 'reach' : 'start'} this before:`,
          '',
          command,
          '',
          'New now:',
          '',
          ...news(before, isUrl ? 'header' : 'variable'),
        ]
      : [
          ...[isUrl ? ASKS_TO_REACH : ASKS_TO_START, '', command],
          ...(isUrl && !isLoopback(target.address.url) ? [ELSEWHERE] : []),
          ...decidingFirst(facets).flatMap((facet) => lineOf(facet, argv)),
          ...['', isUrl ? REACH : POWER],
        ]
  ).concat('', ENDING);
  return readable(text);
}

/** Undefined: it is too long for a person to read. */
export function lookQuestionOf(far: readonly FarFacet[]): string | undefined {
  return readable([
    'The page asks to start something where another machine may be reached by looking:',
    '',
    ...far.flatMap((facet) => lineOf(facet, [])),
    ...['', LOOK, '', ENDING],
  ]);
}

/** A tap whose messages a page wants to change. */
export type Steerable = Pick<ConnectionInfo, 'id' | 'name' | 'argv' | 'cwd'>;

const STEERING =
  'Its rules then change what the agent and the editor read. They can answer permission questions, and have the agent start programs, such as MCP servers, as you.';
const STEERING_ENDING =
  'Press y to allow any rules of a page, until this tap or this relay ends. Any other key refuses.';

/** Undefined: it is too long for a person to read. */
export function steerQuestionOf({ name, argv, cwd }: Steerable): string | undefined {
  return readable([
    'The page asks to change the messages of a session of your editor:',
    '',
    `  the tap ${quoted(name)}, which runs ${argv.map(quoted).join(' ')}`,
    `  in ${quoted(cwd)}`,
    ...['', STEERING, '', STEERING_ENDING],
  ]);
}

/** Why the rules are not in force, and how a person lets them be. */
export function howToSteer(
  { name }: Steerable,
  why: 'no terminal' | 'refused' | 'too long',
): string {
  const because = {
    'no terminal': 'the relay has no terminal to ask in',
    refused: 'this was refused in the terminal of the relay',
    'too long': 'its command is too long to be asked about in the terminal of the relay',
  }[why];
  const fix = {
    'no terminal': 'run acp-scope in a terminal, which asks',
    refused: 'try again, and press y there',
    'too long': 'give it a short command',
  }[why];
  return `Nothing was changed for the tap ${quoted(name)}: ${because}. Start the tap with --allow-intercept, or ${fix}.`;
}

function readable(lines: readonly string[]): string | undefined {
  const text = lines.join('\n');
  return text.length > MOST_LETTERS ? undefined : text;
}

function news({ fresh, lost }: Before, one: 'variable' | 'header'): string[] {
  const lines = decidingFirst(fresh).flatMap((facet) => lineOf(facet, []));
  if (lost === 0) return lines;
  const what = lost === 1 ? `1 ${one} that it had is` : `${lost} ${one}s that it had are`;
  return [...lines, `  ${what} not set as then`];
}

/** Many variables take many lines: those that decide what runs come before the others. */
function decidingFirst(facets: readonly Facet[]): readonly Facet[] {
  const isLate = (facet: Facet) => facet.kind === 'env' && !decidesWhatRuns(facet.name);
  return [...facets.filter((facet) => !isLate(facet)), ...facets.filter(isLate)];
}

function lineOf(facet: Facet, argv: readonly string[]): string[] {
  switch (facet.kind) {
    case 'argv':
      return [];
    case 'file': {
      const { file, real } = facet;
      if (file === real) return argv[0] === file ? [] : [`  which is ${quoted(file)}`];
      return [`  which is ${quoted(file)}, a link to ${quoted(real)}`];
    }
    case 'cwd':
      return [`  in ${quoted(facet.cwd)}`];
    case 'env':
      return [
        isSecretVariable(facet.name)
          ? `  with ${shown(facet.name)} set to a secret of ${facet.value.length} characters, not shown`
          : `  with ${shown(facet.name)}=${quoted(facet.value)}`,
      ];
    case 'header':
      return [
        isSecret(facet)
          ? `  with the header ${shown(facet.name)} as a secret of ${facet.value.length} characters, not shown`
          : `  with the header ${shown(facet.name)}: ${quoted(facet.value)}`,
      ];
    case 'far':
      return [`  looks at ${quoted(facet.path)}`];
    case 'root':
      return [`  may read and write files in ${quoted(facet.root)}`];
    case 'terminals':
      return ['  may run any command as you'];
    default:
      return assertNever(facet);
  }
}

export const TOO_LONG =
  'What is to be started is too long to be read on the terminal of the relay, so it was not asked about. Start the relay with --allow-command, as acp-scope --help says.';

/** How a person without a terminal lets these be looked at. */
export function howToLook(far: readonly FarFacet[]): string {
  const paths = far.map(({ path }) => quoted(path)).join(', ');
  return `${paths} may be on another machine, which is not looked at before somebody said yes, and the relay has no terminal to ask in. Start the relay in a terminal, which asks, or with an --allow-command that names it, as acp-scope --help says, or with --trust-page.`;
}

/** What to start the relay with, for exactly this launch to be allowed; `here`: where it is started. */
export function howToAllow(settled: SettledLaunch, here: string): string {
  const { target, roots, terminals } = settled;
  const { argv, realCwd: cwd } = target;
  if ('address' in target && hasSecret(target.address))
    return `This is new, and the relay has no terminal to ask in. ${shownWords(target)[0]} or a header of it holds a secret, which no command line should: start the relay in a terminal, which asks, or with --trust-page to allow everything this page asks for.`;
  const isUrl = 'address' in target;
  const given = isUrl ? target.address.headers : variables(target.env);
  // A command line is seen by others: what looks secret is not put there, unless it decides what runs.
  const isLeftOut = (variable: Variable) =>
    looksSecret(variable) && (isUrl || !decidesWhatRuns(variable.name));
  const [secret, plain] = [true, false].map((is) =>
    given.filter((variable) => isLeftOut(variable) === is),
  );
  const more = {
    ...(cwd !== here && !isUrl && { cwd }),
    ...(plain?.length && {
      [isUrl ? 'headers' : 'env']: Object.fromEntries(
        plain.map(({ name, value }) => [name, value]),
      ),
    }),
    ...(roots.length > 0 && { roots }),
    ...(terminals && { terminals }),
  };
  const allowed = JSON.stringify(Object.keys(more).length > 0 ? { argv, ...more } : argv);
  // No shell ends its quotes at this spelling.
  const option = `--allow-command '${allowed.replaceAll("'", String.raw`\u0027`)}'`;
  const hint = secret?.length
    ? ` ${secret.map(({ name }) => name).join(', ')} looks secret and is left out: set it where the relay is started, which hands its own environment on, and take it out of the page's.`
    : '';
  return `This is new, and the relay has no terminal to ask in. Start the relay with ${option}, or with --trust-page to allow everything this page asks for.${hint}`;
}

/** Of a header or a parameter: what may open something to whoever reads it here. */
function isSecret(given: Variable): boolean {
  return looksSecret(given) || isSecretName(given.name);
}

function hasSecret({ url, headers }: Address): boolean {
  const parameters = [...url.searchParams].map(([name, value]) => ({ name, value }));
  return [...parameters, ...headers].some(isSecret);
}

function quoted(text: string): string {
  return /^[\w@%+=:,./\\~-]+$/.test(text) ? text : `"${shown(text)}"`;
}

function shown(text: string): string {
  return visibleParts(text.replaceAll('\n', '\u240a').replaceAll('\t', '\u2409'))
    .map((part) => (part.type === 'text' ? part.text : `<${part.sign}>`))
    .join('');
}
