// What a page may start or reach. Approved is one thing, and exactly that: the file, its arguments, its
// folder, its variables by value, or the URL with its headers; the folders it may touch and whether it
// may run commands (see facets.ts). What the person gave on our own command line is approved as it was given; anything else
// is shown on the relay's own terminal, where no web page can type, and waits for a `y`.
import { realpath } from 'node:fs/promises';
import type { Launch, Problem } from '../../link/messages.ts';
import { realRoots } from '../host/roots.ts';
import {
  approvedOf,
  isApprovedBy,
  facetsOf,
  settle,
  wordFacets,
  type Facet,
  type Settling,
} from './facets.ts';
import { farPaths } from './far-paths.ts';
import { KeptApprovals } from './kept.ts';
import { howToAllow, howToLook, lookQuestionOf, questionOf, TOO_LONG } from './question.ts';

/** The relay's own terminal. */
export interface ApprovalTerminal {
  /** Shows the text and waits for one key: true for `y`. The signal takes the question back. */
  confirm(text: string, signal: AbortSignal): Promise<boolean>;
}

/** What a person allows on our own command line: the file is the one that these words find here. */
export type Allowed = Omit<Launch, 'name'>;

export interface ApprovalOptions {
  /** The state folder, where answers are remembered. */
  readonly state: string;
  readonly terminal: ApprovalTerminal | undefined;
  /** `--trust-page`: everything is approved. */
  readonly trustPage: boolean;
  /** `--allow-command`, and the command line of ours that names an agent. */
  readonly allowed: readonly Allowed[];
  /**
   * Programs of ours that can do nothing to the person, in any folder: they start no program, reach no
   * address and write nothing but their own.
   */
  readonly isHarmless: (argv: readonly string[]) => boolean;
}

const CHANGED =
  'The program, its folder or a folder it may touch became another one while the terminal asked. Start it again to be asked.';
const REFUSED = 'The command was refused in the terminal of the relay. Start it again to be asked.';
/** Questions without a yes within this time: then a person is left in peace. */
const MOST_REFUSED = 5;
const PEACE_MS = 60_000;
const TOO_OFTEN = `The terminal of the relay asked ${MOST_REFUSED} times within a minute, and nobody said yes: it does not ask now. Wait a minute and start it again, or start the relay with --allow-command, as acp-scope --help says.`;

type Failed = Extract<Settling, { readonly ok: false }>;

export class Approvals {
  readonly #options: ApprovalOptions;
  readonly #kept: KeptApprovals;
  /** One question at a time. */
  #asking: Promise<unknown> = Promise.resolve();
  /** When a question ended without a yes: refused, or taken back by its page. */
  #refused: readonly number[] = [];

  constructor(options: ApprovalOptions) {
    this.#options = options;
    this.#kept = new KeptApprovals(options.state);
  }

  /**
   * What may be started, as it was looked up; or why not. `onAsking` is called before the terminal is
   * asked. The signal: nobody waits for the answer any more.
   */
  async check(launch: Launch, onAsking: () => void, signal: AbortSignal): Promise<Settling> {
    const { trustPage, terminal, allowed } = this.#options;
    if (trustPage) return settle(launch);
    const paths = await farPaths(launch, allowed);
    const far = paths.map((path) => ({ kind: 'far', path }) as const);
    const mayLook = () => Promise.resolve(far.length === 0 || this.#kept.covers(far));
    if (!(await mayLook())) {
      if (!terminal) return failed('no_terminal', howToLook(far));
      onAsking();
      const fault = await this.#ask(far, mayLook, () => lookQuestionOf(far), terminal, signal);
      if (fault) return fault;
    }
    const settling = await settle(launch);
    if (!settling.ok) return settling;
    const { settled } = settling;
    const facets = facetsOf(settled);
    const isApproved = async () =>
      this.#kept.covers(facets) || (await this.#isGiven(launch, facets));
    if (await isApproved()) return settling;
    if (!terminal) return failed('no_terminal', howToAllow(settled, await here()));
    onAsking();
    const question = () => questionOf(settled, facets, this.#kept.before(facets));
    const fault = await this.#ask(facets, isApproved, question, terminal, signal);
    if (fault) return fault;
    // It may have waited for long: what was approved is what runs.
    const now = await settle(launch);
    if (!now.ok) return now;
    const isSame = JSON.stringify(now.settled) === JSON.stringify(settled);
    return isSame ? now : failed('refused', CHANGED);
  }

  /** After the questions before it, unless those approved it. Resolves with why it may not be. */
  async #ask(
    facets: readonly Facet[],
    isApproved: () => Promise<boolean>,
    questionNow: () => string | undefined,
    terminal: ApprovalTerminal,
    signal: AbortSignal,
  ): Promise<Failed | undefined> {
    const answer = this.#asking.then(async () => {
      if (signal.aborted) return failed('refused', REFUSED);
      if (await isApproved()) return undefined;
      const question = questionNow();
      if (question === undefined) return failed('refused', TOO_LONG);
      if (this.#isWornOut()) return failed('refused', TOO_OFTEN);
      if (await terminal.confirm(question, signal)) {
        this.#kept.add(facets);
        return undefined;
      }
      this.#refused = [...this.#refused, performance.now()];
      return failed('refused', REFUSED);
    });
    this.#asking = answer.catch(() => undefined);
    return answer;
  }

  /** All pages together: one that comes again under another name is the same to the person. */
  #isWornOut(): boolean {
    const since = performance.now() - PEACE_MS;
    this.#refused = this.#refused.filter((at) => at > since);
    return this.#refused.length >= MOST_REFUSED;
  }

  async #isGiven({ argv }: Launch, facets: readonly Facet[]): Promise<boolean> {
    const { allowed, isHarmless } = this.#options;
    const isBare = facets.every(({ kind }) => ['file', 'argv', 'cwd'].includes(kind));
    if (isBare && isHarmless(argv)) return true;
    // The same words in the same folder with the same variables find the same file.
    const words = facets.filter(({ kind }) => kind !== 'file');
    const launch = approvedOf(words, keyOf);
    const given = await Promise.all(allowed.map(givenFacets));
    return given.some((one) => isApprovedBy(approvedOf(one, keyOf), launch));
  }
}

async function givenFacets({ terminals, ...given }: Allowed): Promise<readonly Facet[]> {
  const cwd = await realpath(given.cwd).catch(() => given.cwd);
  const roots = await realRoots(given.roots);
  return wordFacets({ ...given, cwd, roots, terminals: terminals === true });
}

const keyOf = (facet: Facet) => JSON.stringify(facet);

async function here(): Promise<string> {
  return realpath(process.cwd());
}

function failed(code: Problem['code'], message: string): Failed {
  return { ok: false, problem: { code, message } };
}
