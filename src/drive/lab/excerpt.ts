// Frames of a trace as lines that a person reads beside a verdict: few, and none too long.
import { lineText } from '../../trace/line.ts';
import type { Heard } from '../scripted.ts';
import type { Excerpt } from './report.ts';

const HEAD = 16;
const TAIL = 8;
const LONGEST = 700;

export function excerptOf(
  trace: Excerpt['trace'],
  title: string,
  heard: readonly Heard[],
): Excerpt {
  const isLong = heard.length > HEAD + TAIL;
  const shown = isLong ? [...heard.slice(0, HEAD), ...heard.slice(-TAIL)] : heard;
  return {
    trace,
    title,
    frames: shown.map(({ frame }) => ({ seq: frame.seq, from: frame.from, text: textOf(frame) })),
    left: isLong ? { after: HEAD, count: heard.length - shown.length } : undefined,
  };
}

function textOf({ line }: Heard['frame']): string {
  const text = lineText(line);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
