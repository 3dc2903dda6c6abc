// Picks a prompt's script and plays it, with what comes before and after every script.
import type { Root, Surroundings } from '../port.ts';
import { textOfBlocks } from '../history.ts';
import type { McpReport } from '../mcp.ts';

import { filesTurn, terminalTurn } from './client-turns.ts';
import { codingTurn } from './coding-turn.ts';
import { delegateTurn } from './delegate-turn.ts';
import { ScriptStage } from './stage.ts';
import { directiveOf, PROMPT_WORDS, type Directive } from './words.ts';

/** The size of the pretended model's window, in tokens. */
const WINDOW = 200_000;

export const play: Surroundings['play'] = async (session, content, random, signal) => {
  const stage = new ScriptStage(session, content, random, signal);
  const directive = directiveOf(stage.prompt);
  if (stage.history.title === undefined) await giveTitle(stage);
  const news = await stage.until(session.takeMcpNews());
  if (directive.kind !== 'mcp') await tellNews(stage, news);
  await act(stage, session, directive);
  await stage.change({ change: 'usage', used: usedBy(stage), size: WINDOW });
};

async function act(stage: ScriptStage, session: Root, directive: Directive): Promise<void> {
  switch (directive.kind) {
    case 'quick':
      return await stage.say('agent', 'Here is a short answer: yes, that should work → try it.');
    case 'slow':
      return await stage.say('agent', longText(), [90, 150]);
    case 'run':
      return await stage.flood(directive.chunks, directive.perSecond);
    case 'reply':
      return await stage.say('agent', directive.word);
    case 'recall':
      return await stage.say('agent', recall(session));
    case 'ask':
      return await fillIn(stage);
    case 'mcp':
      return await stage.say('agent', toolsText(await stage.until(session.mcpReports())));
    case 'files':
      return await filesTurn(stage);
    case 'terminal':
      return await terminalTurn(stage);
    case 'delegate':
      return await delegateTurn(stage, directive);
    case 'help':
      return await stage.say('agent', helpText());
    case 'code':
      return await codingTurn(stage);
  }
}

async function giveTitle(stage: ScriptStage): Promise<void> {
  const [line = ''] = stage.prompt.trim().split('\n');
  const letters = [...line];
  const title = letters.length > 60 ? `${letters.slice(0, 59).join('')}…` : line;
  await stage.change({ change: 'title', title: title === '' ? 'Untitled' : title });
}

/** The first turn with newly given MCP servers says what became of them. */
async function tellNews(stage: ScriptStage, reports: readonly McpReport[]): Promise<void> {
  if (reports.length === 0) return;
  const { session } = stage;
  const { warn } = session.around.port;
  for (const report of reports) if ('problem' in report) await warn?.(session, problemText(report));
  await stage.say('agent', newsText(reports));
}

function newsText(reports: readonly McpReport[]): string {
  const parts = reports.map((report) =>
    'problem' in report
      ? problemText(report)
      : `“${report.name}” offers ${toolList(report.tools)}.`,
  );
  return ['MCP servers:', ...parts].join(' ');
}

function problemText({ name, problem }: McpReport & { readonly problem: string }): string {
  return `The MCP server “${name}” cannot be used: ${problem}.`;
}

function toolsText(reports: readonly McpReport[]): string {
  return reports.length === 0 ? 'This session was given no MCP servers.' : newsText(reports);
}

function toolList(tools: readonly string[]): string {
  const count = `${String(tools.length)} tool${tools.length === 1 ? '' : 's'}`;
  return tools.length === 0 ? 'no tools' : `${count} (${tools.join(', ')})`;
}

function recall(session: Root): string {
  const said = session.remembered();
  const prompts = said.flatMap((item) =>
    item.kind === 'user' ? [textOfBlocks(item.content)] : [],
  );
  const [first, ...rest] = prompts;
  if (first === undefined || rest.length === 0) return 'I remember nothing before this.';
  return `First you asked: “${first}”. That was ${String(rest.length)} prompt(s) ago.`;
}

async function fillIn(stage: ScriptStage): Promise<void> {
  const answer = await stage.form({
    message: 'How shall the new module be made?',
    text: { name: 'name', title: 'Its name' },
    choice: { name: 'style', title: 'Its style', options: ['functions', 'a class'] },
  });
  if (!answer) return await stage.say('agent', 'Your client takes no forms, so I cannot ask.');
  if (answer.action !== 'accept')
    return await stage.say('agent', `You chose not to say (${answer.action}), so I leave it.`);
  const { name, style } = answer.content;
  await stage.say('agent', `I will make “${String(name)}” with ${String(style)}.`);
}

function helpText(): string {
  const words = PROMPT_WORDS.map(({ word, does }) => `- **${word}**: ${does}`);
  return `These words in a prompt steer me:\n\n${words.join('\n')}\n\nAll else gets a coding turn.`;
}

function longText(): string {
  const lines = Array.from({ length: 24 }, (_, at) => {
    return `${String(at + 1)}. A long answer goes on, one line after the other, café au lait at hand.`;
  });
  return `This takes a while ⏳\n\n${lines.join('\n')}\n\nThat was all.`;
}

/** A guess at tokens: four letters each, of all that was said. */
function usedBy(stage: ScriptStage): number {
  let letters = 4000;
  for (const item of stage.history.items.values()) {
    if (item.kind === 'user') letters += textOfBlocks(item.content).length;
    if (item.kind === 'agent' || item.kind === 'thought') letters += item.text.length;
  }
  return Math.min(WINDOW, Math.ceil(letters / 4));
}
