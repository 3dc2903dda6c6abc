// The command line of `acp-scope replay`, in either role.
import { parseSpeed, type Manner, type Speed } from '../../drive/replay/manner.ts';
import { DEFAULT_IGNORE, type AliasKind } from '../../model/sessions/compare-terms.ts';
import { parse, splitCommand, UsageError } from '../command.ts';
import { rawKinds, rulesOf } from '../diff-options.ts';
import { formatOf, type ReportFormat } from '../parts/print-report.ts';

export interface AsAgent {
  readonly role: 'agent';
  readonly file: string;
  readonly manner: Manner;
  readonly speed: Speed;
  /** Where the report goes as JSON. */
  readonly report: string | undefined;
}

export interface AsClient {
  readonly role: 'client';
  readonly file: string;
  readonly speed: Speed;
  readonly format: ReportFormat;
  /** What the divergence leaves out, in the words of `acp-scope diff`. */
  readonly ignore: readonly string[];
  /** Kinds of names that it compares as they stand. */
  readonly raw: readonly AliasKind[];
  /** The trace of the rerun; undefined: none is kept. */
  readonly out: string | undefined;
  readonly cwd: string | undefined;
  readonly sessions: readonly (readonly [recorded: string, live: string])[];
  /** Milliseconds. */
  readonly patience: number;
  readonly quiet: number;
  readonly command: readonly string[];
}

const PATIENCE_S = 120;
const QUIET_MS = 400;

export function replayOptions(args: readonly string[]): AsAgent | AsClient {
  const { own, command } = splitCommand(args);
  const { values, positionals } = parse({
    args: [...own],
    allowPositionals: true,
    options: {
      as: { type: 'string' },
      loose: { type: 'boolean' },
      strict: { type: 'boolean' },
      speed: { type: 'string', default: 'max' },
      report: { type: 'string' },
      format: { type: 'string' },
      ignore: { type: 'string', multiple: true },
      raw: { type: 'string', multiple: true },
      out: { type: 'string' },
      cwd: { type: 'string' },
      session: { type: 'string', multiple: true },
      patience: { type: 'string' },
      quiet: { type: 'string' },
    },
  });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new UsageError('replay takes one trace file, the recording.');
  const speed = parseSpeed(values.speed);
  if (speed === undefined)
    throw new UsageError(
      `--speed ${values.speed} is none. Give max, real, or how many times as fast: 4.`,
    );
  const refuse = (names: readonly (keyof typeof values)[], role: string) => {
    const wrong = names.find((name) => values[name] !== undefined);
    if (wrong !== undefined) throw new UsageError(`--${wrong} belongs to --as ${role}.`);
  };
  switch (values.as) {
    case 'agent': {
      refuse(['format', 'ignore', 'raw', 'out', 'cwd', 'session', 'patience', 'quiet'], 'client');
      if (command)
        throw new UsageError('As the agent, replay starts no command; leave out what follows --.');
      if (values.loose === true && values.strict === true)
        throw new UsageError('replay takes --loose or --strict, not both.');
      const manner = values.strict ? 'strict' : values.loose ? 'loose' : 'plain';
      return { role: 'agent', file, manner, speed, report: values.report };
    }
    case 'client': {
      refuse(['loose', 'report'], 'agent');
      if (!command?.length)
        throw new UsageError('As the client, replay needs the agent’s command after --.');
      const format = formatOf(values.format);
      return {
        ...{ role: 'client', file, speed, format, out: values.out, cwd: values.cwd, command },
        ignore: [
          ...(values.strict ? [] : DEFAULT_IGNORE),
          ...(values.ignore ?? []).flatMap(rulesOf),
        ],
        raw: (values.raw ?? []).flatMap(rawKinds),
        sessions: (values.session ?? []).map(sessionPair),
        patience: number('patience', values.patience, PATIENCE_S) * 1000,
        quiet: number('quiet', values.quiet, QUIET_MS),
      };
    }
    default:
      throw new UsageError('replay needs to know who it is: give --as agent or --as client.');
  }
}

function sessionPair(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at <= 0 || at === text.length - 1)
    throw new UsageError(`--session ${text} is none. Give RECORDED=LIVE, two session ids.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function number(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^\d+(?:\.\d+)?$/.test(text))
    throw new UsageError(`--${name} ${text} is no number. Give one that is not negative.`);
  return Number(text);
}
