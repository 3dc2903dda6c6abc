// The intercept of a connection, read from its trace: whether it is on, and which frames wait for a person.
import { obj, str } from '../../acp/json.ts';
import { parseMessage, type Message } from '../../acp/message.ts';
import { defined } from '../../lib/defined.ts';
import { timeOf, type Seq, type Line, type TraceEvent } from '../../trace/event.ts';
import { lineText } from '../../trace/line.ts';
import { described, oneLine } from '../words.ts';
import type { HeldFrame, InterceptFacts } from './facts-view.ts';

export class InterceptFold {
  private rules: readonly string[] | undefined;
  private readonly held = new Map<Seq, HeldFrame>();
  private cut: string | undefined;

  take(event: TraceEvent): void {
    if (event.type === 'exit') {
      this.rules = undefined;
      this.held.clear();
    } else if (event.type === 'frame') {
      if (event.of !== undefined) this.held.delete(event.of);
    } else if (event.type === 'intercept') {
      const { did, rule, rules, of, from, line, deadline } = event;
      if (did === 'on') this.rules = rules ?? [];
      else if (did === 'off')
        this.rules = rule === undefined ? undefined : this.rules?.filter((one) => one !== rule);
      else if (did === 'cut') this.cut = rule ?? '';
      else if (did === 'drop' && of !== undefined) this.held.delete(of);
      else if (did === 'hold' && line && from) {
        const message = parseMessage(lineText(line));
        this.held.set(event.seq, {
          ...{ seq: event.seq, at: timeOf(event), from },
          ...{ rule: rule ?? '', deadline: deadline ?? 0 },
          ...('method' in message && { method: message.method }),
          summary: wordsOf(message, line),
        });
      }
    }
  }

  /** Undefined: it is off, holds nothing and has cut nothing. */
  view(): InterceptFacts | undefined {
    const { rules, cut, held } = this;
    if (rules === undefined && held.size === 0 && cut === undefined) return undefined;
    return defined({ rules, held: [...held.values()], cut });
  }
}

/** What it is about; of what is no message, the line. */
function wordsOf(message: Message, line: Line): string {
  switch (message.kind) {
    case 'request':
    case 'notification':
      return oneLine(str(obj(message.params, 'toolCall'), 'title') ?? message.method);
    case 'success':
      return `answer ${message.id.token}: ${described(message.result)}`;
    case 'failure':
      return `error answer ${message.id.token}: ${oneLine(message.error.message)}`;
    case 'invalid':
      return oneLine(lineText(line));
  }
}
