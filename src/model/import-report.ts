// What came of a file of another tool, as a document and as one sentence: by field what was given,
// concluded or lost, and what could not be read.
import { count, formatCount } from '../lib/format.ts';
import { asSentence } from '../lib/sentence.ts';
import type { ReportDocument, Tone } from '../report/document.ts';
import { lines, section } from '../report/words.ts';
import { facts } from './words.ts';
import {
  FORMAT_FIELDS,
  type FieldFate,
  type ImportField,
  type ImportReport,
} from '../trace/import/format.ts';

const FIELD_WORDS: Readonly<Record<ImportField, string>> = {
  time: 'times',
  sender: 'who sent it',
  line: 'the lines',
  order: 'the order',
  stderr: 'stderr',
  process: 'start and end',
};
const TONES: Readonly<Record<FieldFate, Tone>> = {
  given: 'good',
  inferred: 'warn',
  partly: 'warn',
  lost: 'bad',
};

export function importDocument(report: ImportReport): ReportDocument {
  const { tool, fates, frames, stderr, rebuilt, guessed, untimed, cut = 0, odd, firstOdd } = report;
  return {
    name: 'acp-scope convert',
    title: `Imported from ${report.format}`,
    untitled: true,
    blocks: [
      lines(
        facts(
          readAs(report),
          tool !== undefined && `by ${tool}`,
          count(frames, 'frame'),
          stderr > 0 && count(stderr, 'line of stderr', 'lines of stderr'),
        ),
        ...(cut > 0 ? [cutWords(cut)] : []),
        ...(odd > 0
          ? [`${count(odd, 'record')} that could not be frames; the first is ${firstOdd}`]
          : []),
      ),
      section('What became of it', {
        kind: 'table',
        heads: [
          { name: 'field' },
          { name: 'is' },
          { name: 'frames', right: true },
          { name: 'how' },
        ],
        rows: FORMAT_FIELDS.map((field) => {
          const [fate, how] = fates[field];
          const touched = { line: rebuilt, sender: guessed, time: untimed }[field as 'line'] ?? 0;
          const figure = touched === 0 ? '' : formatCount(touched);
          return [FIELD_WORDS[field], [{ text: fate, tone: TONES[fate] }], figure, how];
        }),
      }),
    ],
    suites: [],
  };
}

/** The same in one breath, for a page that shows the trace at once. */
export function importSentence(report: ImportReport): string {
  const { frames, cut = 0, odd, firstOdd, fates } = report;
  const of = (wanted: FieldFate) =>
    FORMAT_FIELDS.filter((field) => fates[field][0] === wanted).map((field) => FIELD_WORDS[field]);
  const told = (['inferred', 'partly', 'lost'] as const).flatMap((fate) => {
    const fields = of(fate);
    return fields.length === 0 ? [] : [`${FATE_WORDS[fate]}: ${fields.join(', ')}`];
  });
  return [
    asSentence(`${readAs(report)}: ${count(frames, 'frame')}`),
    ...told.map(asSentence),
    ...(cut > 0 ? [asSentence(cutWords(cut))] : []),
    ...(odd > 0
      ? [`${count(odd, 'record')} could not be frames, their bytes are kept (${firstOdd}).`]
      : []),
  ].join(' ');
}

function readAs({ format, joined }: ImportReport): string {
  if (joined === undefined) return `read as ${format}`;
  return `read as ${format}, joined with \`${joined}\`, which has the other direction`;
}

function cutWords(cut: number): string {
  return `the log has only the beginning of ${count(cut, 'message')}`;
}

const FATE_WORDS = { inferred: 'inferred', partly: 'kept in part', lost: 'lost' } as const;
