// The icons of what a conversation holds, alike in Trace and Conversation.
import type { RowSubject } from '../../model/timeline/row-view.ts';
import type { IconName } from './icons.ts';

/** Of ACP's tool kinds; other kinds have the plug. */
const TOOLS: Readonly<Record<string, IconName>> = {
  read: 'read',
  edit: 'edit',
  delete: 'trash',
  move: 'right',
  search: 'find',
  execute: 'terminal',
  think: 'thought',
  fetch: 'follow',
  switch_mode: 'settings',
};

const SUBJECTS: Readonly<Record<Exclude<RowSubject, 'tool'>, IconName>> = {
  user: 'user',
  agent: 'message',
  thought: 'thought',
  peer: 'message',
  plan: 'check',
  terminal: 'terminal',
  compaction: 'save',
  ask: 'lock',
};

/** `tool`: the kind of a tool call. */
export function signOf(subject: RowSubject, tool = ''): IconName {
  if (subject !== 'tool') return SUBJECTS[subject];
  return (Object.hasOwn(TOOLS, tool) ? TOOLS[tool] : undefined) ?? 'plug';
}
