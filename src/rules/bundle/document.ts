// An evidence bundle in words: for an issue as a document, for a language model as few lines.
import { count } from '../../lib/format.ts';
import { joinCommand } from '../../lib/split-command.ts';
import { visibleWords } from '../../lib/visible-text.ts';
import { indexedTrace } from '../../model/indexed-trace.ts';
import { redactionSentence } from '../../model/redact/report.ts';
import type { Redaction } from '../../model/redact/redactor.ts';
import { cut, arrowOf, code, lines, visibleLine, plain, section } from '../../report/words.ts';
import type { Block, ReportDocument, LineWords } from '../../report/document.ts';
import type { Header } from '../../trace/format.ts';
import { againstWords } from '../against.ts';
import { findingItem } from '../report/document.ts';
import type { Bundle } from './bundle.ts';
import { FLAG } from '../../model/columns.ts';
import { digestsOf } from '../../model/timeline/row-builder.ts';
import type { Seq, Side, TraceEvent } from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';

export interface BundleTold extends Bundle {
  /** The header of its trace file, as it may leave. */
  readonly header: Header;
  /** Name of its trace file. */
  readonly file: string;
  /** `acp-scope 0.1.0` */
  readonly tool: string;
  readonly redaction: Redaction;
}

/** Frames whose exact lines are told, and how much of each, in characters. */
const MOST_LINES = 20;
const LINE = 4000;
/** Steps that are told; the file holds them all. */
const MOST_STEPS = 300;
/** Characters of a summary. */
const SUMMARY = 160;

export function bundleDocument(told: BundleTold): ReportDocument {
  const { finding, seqs, file } = told;
  const steps = stepsOf(told.events, seqs);
  return {
    name: 'acp-scope export',
    title: finding
      ? ['Evidence: ', code(finding.rule)]
      : `Evidence: ${count(seqs.length, 'frame')}`,
    blocks: [
      ...(finding ? [{ kind: 'items', items: [findingItem(finding)] } as const] : []),
      lines(
        [
          ...[code(file), ` holds ${told.kept} of ${count(told.of, 'event')}, with the `],
          `numbers they have in the whole trace. ${redactionSentence(told.redaction)}`,
        ],
        told.shown ? undefined : NOT_SHOWN,
      ),
      section('Versions', {
        kind: 'table',
        heads: [{ name: 'what' }, { name: 'version' }],
        rows: versionsOf(told).map(([what, words]) => [what, words]),
      }),
      section(
        'Lines',
        framesOf(
          steps.filter(({ isWanted, line }) => isWanted && line !== undefined),
          MOST_LINES,
          ({ line = '' }) => cut(line, LINE),
        ),
      ),
      section(
        'How it came to that',
        framesOf(steps, MOST_STEPS, (step) => `${step.isWanted ? '*' : ' '} ${stepWords(step)}`),
      ),
      section('To see it again', lines(...commandsOf(told).map((command) => [code(command)]))),
    ],
    suites: [],
  };
}

/** The same for a language model: no decoration, long texts cut, each thing said once. */
export function bundleBrief(told: BundleTold): string {
  const { finding, seqs } = told;
  const steps = stepsOf(told.events, seqs);
  const found = finding && [
    `${finding.severity}, ${finding.side === 'intercept' ? 'changed by intercept' : `${finding.side} at fault`}, rule ${finding.rule}`,
    `seen: ${finding.seen}${finding.pointer === '' ? '' : ` at ${finding.pointer}`}`,
    `due: ${finding.due}`,
    `says: ${finding.source.quote ?? finding.source.follows ?? ''} (${finding.source.url})`,
    ...(told.shown ? [] : [NOT_SHOWN]),
  ];
  return [
    'Agent Client Protocol (ACP), a recorded connection.',
    ...(found ?? []),
    versionsOf(told)
      .map(([what, words]) => `${what}: ${plain(words)}`)
      .join('; '),
    'Frames: → client to agent, ← agent to client, * what this is about, … left out.',
    ...steps.slice(0, MOST_STEPS).map(briefStep),
    ...(steps.length > MOST_STEPS ? [`and ${steps.length - MOST_STEPS} more`] : []),
  ]
    .map((line) => visibleWords(line).replaceAll('\n', ' '))
    .join('\n')
    .concat('\n');
}

const NOT_SHOWN =
  'These events alone do not show the finding: it needs what is left out, or another trace.';

function versionsOf(told: BundleTold): readonly (readonly [string, LineWords])[] {
  const { handshake } = indexedTrace(told.events, 'c1').index.facts();
  const { checked, header, tool } = told;
  const named = (peer: { readonly name: string; readonly version?: string } | undefined) =>
    peer ? [code(`${peer.name} ${peer.version ?? ''}`.trim())] : 'not said';
  return [
    ['agent', named(handshake?.agent)],
    ['client', named(handshake?.client)],
    ['protocol', String(checked.protocolVersion ?? 'not said')],
    ['checked as', againstWords(checked.against)],
    ['recorded by', header.tool],
    ['checked by', tool],
  ];
}

/** What shows it again: from the file, and from the agent where it is known. */
function commandsOf({ finding, file, checked, header, events }: BundleTold): readonly string[] {
  const start = events.find((event) => event.type === 'start');
  const argv = header.argv ?? start?.argv;
  const lives = `acp-scope replay ${file} --as`;
  const isOfAgent = finding?.side !== 'client';
  return [
    `acp-scope check ${file} --profile ${checked.against.edition}`,
    ...(finding ? [joinCommand(['acp-scope', 'query', file, `finding:${finding.rule}`])] : []),
    ...(!isOfAgent ? [`${lives} agent`] : []),
    ...(isOfAgent && argv ? [`${lives} client -- ${joinCommand(argv)}`] : []),
  ];
}

function framesOf(
  steps: readonly BundleStep[],
  most: number,
  words: (step: BundleStep) => string,
): Block {
  const left = steps.length - most;
  return {
    kind: 'frames',
    title: '',
    frames: steps
      .slice(0, most)
      .map((step) => ({ seq: step.from, from: step.side, text: words(step) })),
    ...(left > 0 && { left: { after: most, count: left } }),
  };
}

function stepWords({ name, summary }: BundleStep): string {
  return summary === name ? name : `${name}  ${cut(visibleLine(summary), SUMMARY)}`;
}

/** Characters of a string in a line, and of the whole line. */
const BRIEF = { string: 120, line: 1200 };
const BRIEF_WANTED = { string: 600, line: 4000 };

function briefStep(step: BundleStep): string {
  const { from, to, side, line, isWanted } = step;
  const place = `${isWanted ? '*' : ''}#${from}${to === from ? '' : `-${to}`}${arrowOf(side).trim()}`;
  if (line === undefined) return `${place} ${stepWords(step)}`;
  const most = isWanted ? BRIEF_WANTED : BRIEF;
  const short = line
    .replace(/"jsonrpc":\s*"2\.0",?\s*/, '')
    // One that does not end is taken up to the end: else each quote in it would be tried as a beginning.
    .replace(/"(?:[^"\\]|\\(?:[^]|$))*(?:"|$)/g, (text) =>
      text.length <= most.string
        ? text
        : `${text.slice(0, most.string)}…${text.length - most.string} more"`,
    );
  return `${place} ${cut(short, most.line)}`;
}

interface BundleStep {
  /** The first and the last of its events. */
  readonly from: Seq;
  readonly to: Seq;
  /** Who sent it; undefined: it crossed in neither direction. */
  readonly side: Side | undefined;
  /** The method, of an answer its request's, or the event. */
  readonly name: string;
  readonly summary: string;
  /** The exact line, of one frame. */
  readonly line?: string;
  /** One of those the bundle is about. */
  readonly isWanted: boolean;
}

/** What crossed and was said, in order. */
function stepsOf(events: readonly TraceEvent[], wanted: readonly Seq[]): readonly BundleStep[] {
  const { index, eventAt } = indexedTrace(events, 'c1');
  const { columns } = index;
  const digest = digestsOf(index, eventAt);
  const asked = new Set(wanted);
  const steps: BundleStep[] = [];
  let run: { readonly key: string; readonly first: BundleStep; texts: string[] } | undefined;
  for (let place = 0; place < index.length; place++) {
    const event = eventAt(place);
    const { summary, text } = digest(place);
    const step = stepOf(event, columns.nameOf(place), summary, asked.has(event.seq));
    const isChunk = text !== undefined && columns.has(place, FLAG.update) && !step.isWanted;
    const key = `${columns.nameOf(place)} ${columns.session.get(place)}`;
    if (isChunk && run?.key === key) {
      run.texts.push(text);
      steps[steps.length - 1] = joined(run.first, step, run.texts);
      continue;
    }
    run = isChunk ? { key, first: step, texts: [text] } : undefined;
    steps.push(step);
  }
  return steps;
}

function stepOf(event: TraceEvent, name: string, summary: string, isWanted: boolean): BundleStep {
  const place = { from: event.seq, to: event.seq, isWanted };
  switch (event.type) {
    case 'frame':
      return { ...place, side: event.from, name, summary, line: lineText(event.line) };
    case 'gap': {
      if (event.omitted !== true) return { ...place, side: undefined, name, summary };
      return {
        ...place,
        side: undefined,
        name: '…',
        summary: `${count(event.count, 'event')} left out`,
      };
    }
    case 'start':
    case 'stderr':
    case 'exit':
    case 'sleep':
    case 'mark':
    case 'suppress':
    case 'transport':
    case 'intercept':
      return { ...place, side: undefined, name, summary };
  }
}

function joined(first: BundleStep, { to }: BundleStep, texts: readonly string[]): BundleStep {
  const { from, side, name, isWanted } = first;
  return {
    ...{ from, to, side, name: `${texts.length} × ${name}`, isWanted },
    summary: texts.join(''),
  };
}
