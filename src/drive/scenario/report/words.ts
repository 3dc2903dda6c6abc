// A run in words: a step, a frame that came, an end.
import type { Ended } from '../../peer.ts';
import type { Heard } from '../../scripted.ts';
import type { Step } from '../file/scenario.ts';

/** `#12 session/update`. */
export function seenWords(heard: Heard | undefined): string {
  if (heard === undefined) return '';
  const { frame, message } = heard;
  switch (message.kind) {
    case 'request':
    case 'notification':
      return `#${frame.seq} ${message.method}`;
    case 'success':
      return `#${frame.seq}, a result`;
    case 'failure':
      return `#${frame.seq}, error ${message.error.code}`;
    case 'invalid':
      return `#${frame.seq}, ${message.why}`;
  }
}

export function endWords({ code, signal, problem }: Ended): string {
  return problem ?? signal ?? (code === undefined ? 'nobody knows how' : `code ${code}`);
}

export function stepWords(step: Step): string {
  switch (step.kind) {
    case 'request':
    case 'notify':
      return `${step.kind} ${step.method}`;
    case 'expect':
      return `expect ${step.query}`;
    case 'answer':
      return `answer ${step.rule.method}`;
    case 'quiet':
    case 'wait':
      return `${step.kind} ${step.ms}`;
    case 'kill':
      return `kill ${step.how}`;
    case 'fault':
      return `fault ${step.rule.fault.kind}`;
    case 'line':
    case 'cut':
    case 'restart':
      return step.kind;
  }
}
