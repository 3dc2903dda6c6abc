// What a page may start or reach. Approved is one thing, and exactly that: the file, its arguments, its
// folder, its variables by value, or the URL with its headers; the folders it may touch and whether it
// may run commands (see facets.ts). What the person gave on our own command line is approved as it was given; anything else
// is shown on the relay's own terminal, where no web page can type, and waits for a `y`.
import { realpath } from 'node:fs/promises';
import type { Launch, Problem } from '../../link/messages.ts';
import type { ConnectionId } from '../../trace/event.ts';
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
import {
  howToAllow,
  howToLook,
  howToSteer,
  lookQuestionOf,
  questionOf,
  steerQuestionOf,
  TOO_LONG,
  type Steerable,
} from './question.ts';

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
const TOO_OFTEN = `The terminal of the relay asked ${MOST_REFUSED} times within a minute, and nobody said yes: it does not ask now. Wait a minute and try again. Nothing is asked of a relay that is started with --allow-command, or of a tap that is started with --allow-intercept.`;

type Failed = Extract<Settling, { readonly ok: false }>;

/** A question for the terminal, and its consequences. */
interface Question {
  readonly isApproved: () => Promise<boolean>;
  /** Undefined: it is too long for a person to read. */
  readonly text: () => string | undefined;
  readonly approve: () => void;
  /** Why it may not be, if a person did not say yes; `tooLong`: if the person was not asked. */
  readonly refused: string;
  readonly tooLong: string;
}

export class Approvals {
  readonly #options: ApprovalOptions;
  readonly #kept: KeptApprovals;
  /** Taps whose messages pages may change, until these end or we do. */
  readonly #steered = new Set<ConnectionId>();
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
      const fault = await this.#ask(
        this.#launchQuestion(far, mayLook, () => lookQuestionOf(far)),
        terminal,
        signal,
      );
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
    const fault = await this.#ask(
      this.#launchQuestion(facets, isApproved, question),
      terminal,
      signal,
    );
    if (fault) return fault;
    // It may have waited for long: what was approved is what runs.
    const now = await settle(launch);
    if (!now.ok) return now;
    const isSame = JSON.stringify(now.settled) === JSON.stringify(settled);
    return isSame ? now : failed('refused', CHANGED);
  }

  /**
   * Returns why pages may not change the traffic of this tap, which was not started for that; undefined: they may.
   * A yes holds whatever the rules become, and is not kept: the next relay asks again.
   */
  async checkSteering(
    tap: Steerable,
    onAsking: () => void,
    signal: AbortSignal,
  ): Promise<Problem | undefined> {
    const { trustPage, terminal } = this.#options;
    if (trustPage || this.#steered.has(tap.id)) return undefined;
    if (!terminal) return { code: 'no_terminal', message: howToSteer(tap, 'no terminal') };
    onAsking();
    const question: Question = {
      isApproved: () => Promise.resolve(this.#steered.has(tap.id)),
      text: () => steerQuestionOf(tap),
      approve: () => this.#steered.add(tap.id),
      refused: howToSteer(tap, 'refused'),
      tooLong: howToSteer(tap, 'too long'),
    };
    return (await this.#ask(question, terminal, signal))?.problem;
  }

  #launchQuestion(
    facets: readonly Facet[],
    isApproved: () => Promise<boolean>,
    text: () => string | undefined,
  ): Question {
    const approve = () => this.#kept.add(facets);
    return { isApproved, text, approve, refused: REFUSED, tooLong: TOO_LONG };
  }

  /** After the questions before it, unless those approved it. Resolves with why it may not be. */
  async #ask(
    { isApproved, text, approve, refused, tooLong }: Question,
    terminal: ApprovalTerminal,
    signal: AbortSignal,
  ): Promise<Failed | undefined> {
    const answer = this.#asking.then(async () => {
      if (signal.aborted) return failed('refused', refused);
      if (await isApproved()) return undefined;
      const question = text();
      if (question === undefined) return failed('refused', tooLong);
      if (this.#isWornOut()) return failed('refused', TOO_OFTEN);
      if (await terminal.confirm(question, signal)) {
        approve();
        return undefined;
      }
      this.#refused = [...this.#refused, performance.now()];
      return failed('refused', refused);
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
