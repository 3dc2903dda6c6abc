// `acp-scope export`: a trace for others, without what should not leave this machine.
import { command, EXIT, FileError, UsageError } from './command.ts';
import { oneOf } from './parts/option-values.ts';
import { formatOf, printReport } from './parts/print-report.ts';
import { eventsIn, isSameFile, isTraceName, openTrace, writeTrace } from './parts/trace-files.ts';
import { looksSecret } from '../lib/secrets/names.ts';
import { DEFAULT_LEVEL, LEVEL_WORDS, LEVELS, type Level } from '../model/redact/levels.ts';
import { Redactor } from '../model/redact/redactor.ts';
import { redactionDocument, redactionSentence } from '../model/redact/report.ts';
import { textReport } from '../report/text.ts';
import type { TraceEvent } from '../trace/event.ts';
import { headerLine, isUnreadable, parseHeader, type Header } from '../trace/format.ts';

export const exporting = command({
  usage: 'acp-scope export IN OUT [--level shape|no-content|no-secrets|all]',
  summary: 'Write a trace to share: without secrets, unless said otherwise.',
  details: [
    ...LEVELS.map((level) => `--level ${level.padEnd(12)} ${LEVEL_WORDS[level]}`),
    `Unless said otherwise it is ${DEFAULT_LEVEL}. OUT is a trace: *.acptrace.jsonl or *.ndjson, with .gz to compress.`,
    'Secrets are found by where they stand, by how they look, and by the values of variables of this',
    'shell whose names say so. The same secret gets the same name, as ‹redacted:env:1›; all else keeps its',
    'bytes. What was left out is said on stderr, and in the header of the file; with it what remains',
    'that you should look at.',
    '--format json           what was left out, on stdout',
  ],
  takes: ['files'],
  options: { level: { type: 'string' }, format: { type: 'string' } },
  async run({ values, files }) {
    const [input, out] = files;
    if (input === undefined || out === undefined || files.length > 2)
      throw new UsageError('export takes two files: the one to read and the one to write.');
    const level: Level = oneOf('level', values.level ?? DEFAULT_LEVEL, LEVELS);
    const format = formatOf(values.format, ['text', 'json']);
    if (!isTraceName(out))
      throw new UsageError(
        `The name ${out} says no format. End it in .acptrace.jsonl or .ndjson, with .gz to compress.`,
      );
    if (await isSameFile(input, out))
      throw new UsageError(`${input} and ${out} are one file: writing it would end its reading.`);
    const redactor = new Redactor({ level, known: secretsOf(process.env) });
    const header = await learn(redactor, input);
    const { items } = await openTrace(input);
    const events = redacted(redactor, eventsIn(input, items));
    const { replaced, left } = await writeTrace(out, header, events);
    const { redaction } = redactor;
    if (replaced > 0)
      console.error(`Lines that are not UTF-8: ${replaced}; bad bytes became U+FFFD.`);
    if (left > 0) console.error(`Events this format has no word for: ${left}.`);
    if (format === 'json')
      printReport(
        format,
        () => redactionDocument(redaction),
        () => JSON.stringify({ in: input, out, ...redaction }, undefined, 2),
      );
    else console.error(textReport(redactionDocument(redaction)).trimEnd());
    console.error(`${out}: ${redactionSentence(redaction)}`);
    return EXIT.ok;
  },
});

/** The first reading; gives the header as it may leave. */
async function learn(redactor: Redactor, input: string): Promise<Header> {
  const { header, items } = await openTrace(input);
  const line = headerLine(header);
  redactor.learn(line);
  for await (const batch of items)
    for (const item of batch) if ('event' in item) redactor.learnEvent(item.event);
  redactor.learned();
  const left = parseHeader(redactor.line(line));
  if (isUnreadable(left)) throw new FileError(`${input}: ${left.problem}`);
  const redacted = redactor.mark(header.redacted);
  return { ...left, ...(redacted && { redacted }) };
}

async function* redacted(
  redactor: Redactor,
  batches: AsyncIterable<readonly TraceEvent[]>,
): AsyncGenerator<readonly TraceEvent[]> {
  for await (const batch of batches) yield batch.map((event) => redactor.event(event));
}

/** What the agent was likely given too: values of this environment whose names say that they are secrets. */
function secretsOf(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value = '']) =>
    value.length >= 8 && looksSecret({ name, value }) ? [value] : [],
  );
}
