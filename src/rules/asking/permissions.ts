// What the agent asks the user, and which of its options is chosen. Family `perm` of the catalogue;
// what follows from the answers stands in permission-answers.ts.
import { get, isArray, objects, obj, str } from '../../acp/json.ts';
import type { Seq } from '../../trace/event.ts';
import type { Session } from '../connection.ts';
import { fact } from '../facts.ts';
import { onAnswer, onRequest, onUpdate } from '../listen.ts';
import { fail, judged } from '../outcome.ts';
import { PERMISSION, permissions } from './permission-facts.ts';
import { quote } from '../quote.ts';
import type { Fold, Rule } from '../rule.ts';
import { isReplay, toolCalls } from '../work/tool-facts.ts';

const options: Rule = {
  id: 'perm/options',
  versions: [1, 2],
  side: 'agent',
  severity: 'error',
  clause: 'a permission request offers at least one option, each with an id of its own',
  on: [
    onRequest([PERMISSION], ({ params, from }) => {
      const offered = get(params, 'options');
      if (from !== 'agent' || !isArray(offered)) return undefined;
      const pointer = '/params/options';
      if (offered.length === 0) return fail('`options` is empty', { pointer });
      const seen = new Set<string>();
      const twice = objects(params, 'options').flatMap((option) => {
        const id = str(option, 'optionId');
        if (id === undefined || !seen.has(id)) {
          if (id !== undefined) seen.add(id);
          return [];
        }
        return [fail(`\`options\` has the id ${quote(id)} twice`, { pointer })];
      });
      return judged(twice);
    }),
  ],
};

const unknownOption: Rule = {
  id: 'perm/unknown-option',
  versions: [1, 2],
  side: 'client',
  severity: 'error',
  clause: 'the chosen option is one of those that were offered',
  on: [
    onAnswer([PERMISSION], ({ session, asked, result, seq }) => {
      const permission = session && permissions.of(session).open.get(asked);
      const outcome = obj(result, 'outcome');
      if (permission === undefined || str(outcome, 'outcome') !== 'selected') return undefined;
      const chosen = get(outcome, 'optionId');
      if (typeof chosen === 'string' && permission.options.has(chosen)) return 'pass';
      return fail(
        `\`optionId\` is ${quote(chosen)}; offered: ${[...permission.options.keys()].map(quote).join(', ') || 'nothing'}`,
        {
          pointer: '/result/outcome/optionId',
          seqs: [asked.seq, seq],
        },
      );
    }),
  ],
};

const unknownTool: Rule = {
  id: 'perm/unknown-tool',
  versions: [1],
  side: 'agent',
  severity: 'hint',
  clause: 'a permission request names a tool call that was announced, or at least its title',
  on: [
    onRequest([PERMISSION], ({ session, params, from }, { gaps }) => {
      const call = obj(params, 'toolCall');
      const id = str(call, 'toolCallId');
      if (session === undefined || from !== 'agent' || id === undefined) return undefined;
      if (toolCalls.of(session).has(id) || str(call, 'title') !== undefined) return 'pass';
      if (session.origin === undefined || gaps > 0) return undefined;
      return fail(`${quote(id)}, of which nothing was said before`, {
        pointer: '/params/toolCall/toolCallId',
      });
    }),
  ],
};

/** Titles that permission requests put in place of another. */
interface Retitled {
  readonly before: string;
  readonly asked: string;
  readonly seq: Seq;
}
const retitled = fact<Session, Map<string, Retitled>>(() => new Map());

/** Goes before the fold of tool calls, which takes the new title. */
const titleFold: Fold = {
  on: [
    onRequest([PERMISSION], ({ session, params, seq }) => {
      const call = obj(params, 'toolCall');
      const [id, asked] = [str(call, 'toolCallId'), str(call, 'title')];
      if (session === undefined || id === undefined || asked === undefined) return;
      const before = toolCalls.of(session).get(id)?.title;
      if (before !== undefined && before !== asked)
        retitled.of(session).set(id, { before, asked, seq });
    }),
    onUpdate(['tool_call_update'], ({ session, itemId, update }) => {
      if (itemId !== undefined && str(update, 'title') !== undefined)
        retitled.of(session).delete(itemId);
    }),
  ],
};

const titlePollution: Rule = {
  id: 'perm/title-pollution',
  versions: [1],
  side: 'agent',
  severity: 'hint',
  clause: 'in v1 the title in a permission request becomes that of the tool call',
  on: [
    onRequest([PERMISSION], ({ params }) =>
      str(obj(params, 'toolCall'), 'title') === undefined ? undefined : 'pass',
    ),
    onUpdate(['tool_call_update'], (step) => {
      const { session, itemId, update, seq } = step;
      if (itemId === undefined || isReplay(step)) return undefined;
      const title = retitled.of(session).get(itemId);
      if (title === undefined || str(update, 'title') !== title.before) return undefined;
      return fail(
        `the title is ${quote(title.before)} again, after ${quote(title.asked)} in the request`,
        {
          pointer: '/params/update/title',
          seqs: [title.seq, seq],
        },
      );
    }),
  ],
};

export const PERMISSIONS: readonly Rule[] = [options, unknownOption, unknownTool, titlePollution];
export const PERMISSION_TITLE_FOLDS: readonly Fold[] = [titleFold];
