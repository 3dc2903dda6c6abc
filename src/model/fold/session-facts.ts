// What a session is, as lines of name and value, each with the frame that said so.
import { formatCount, formatShare } from '../../lib/format.ts';
import type { Json } from '../../acp/message.ts';
import { seq, type Seq } from '../../trace/event.ts';
import { workWords } from '../facts/activity.ts';
import { costWords } from '../facts/usage.ts';
import { metaFields } from './meta.ts';
import { facts as joined, shortId } from '../words.ts';
import { subagentList, subagentWords } from './subagents.ts';
import type { Said, SessionState } from './state.ts';

export interface SessionFact {
  /** `mode`, `config.model`: what a patch calls it. */
  readonly path: string;
  /** As a person calls it. */
  readonly name: string;
  readonly value: string;
  readonly seq: Seq;
  /** Of a child session: its id. */
  readonly sessionId?: string;
}

export function sessionFacts(state: SessionState): readonly SessionFact[] {
  const facts: SessionFact[] = [];
  const say = <T>(
    path: string,
    said: Said<T> | undefined,
    words: (value: T) => string,
    name = path,
  ) => {
    if (said) facts.push({ path, name, value: words(said.value), seq: said.seq });
  };
  const same = (text: string) => text;
  say('state', state.activity, ({ state: what, stopReason, error, tokens }) =>
    [what, stopReason, error, tokens === undefined ? undefined : `${formatCount(tokens)} tokens`]
      .filter((part) => part !== undefined)
      .join(' · '),
  );
  say('background', state.background, (work) =>
    work.length === 0 ? 'none' : work.map(workWords).join(', '),
  );
  say('life', state.life, same, 'session');
  say(
    'mode',
    state.modes,
    ({ current, available }) => available.find(({ id }) => id === current)?.name ?? current,
    state.config.length > 0 ? 'v1 mode' : 'mode',
  );
  for (const said of state.config) {
    const { id, name, options } = said.value;
    say(
      `config.${id}`,
      said,
      ({ value }) => options.find((option) => option.value === value)?.name ?? valueWords(value),
      name,
    );
  }
  say('title', state.title, same);
  say('cwd', state.cwd, same);
  say('updatedAt', state.updatedAt, same, 'updated');
  say('usage', state.usage, ({ used, size, cost }) => {
    const all = `${formatCount(used)} of ${formatCount(size)}`;
    return joined(all, size > 0 && formatShare(used / size), cost && costWords(cost));
  });
  say('commands', state.commands, (commands) => `${commands.length}`);
  for (const agent of subagentList(state))
    facts.push({
      path: `subagent[${agent.sessionId}]`,
      name: `subagent ${agent.title ?? shortId(agent.sessionId)}`,
      value: subagentWords(agent),
      seq: agent.last,
      sessionId: agent.sessionId,
    });
  for (const [path, value] of metaFields(state.meta?.value))
    facts.push({ path, name: path, value, seq: state.meta?.seq ?? seq(state.last) });
  return facts;
}

function valueWords(value: Json): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
