// The chips above the timeline: a name for the query term that a click writes, and how many frames it finds.
export const CHIPS = [
  { id: 'prompts', label: 'Prompts', term: 'method:session/prompt' },
  { id: 'tools', label: 'Tools', term: 'update:tool_call*' },
  { id: 'text', label: 'Text', term: 'update:user_message*,agent_message*,agent_thought*' },
  { id: 'permissions', label: 'Permissions', term: 'method:session/request_permission' },
  { id: 'restore', label: 'Restore', term: 'window>0' },
  { id: 'late', label: 'Late', term: 'is:late' },
  { id: 'errors', label: 'Errors', term: 'type:err,bad|status:failed' },
  { id: 'findings', label: 'Findings', term: 'finding:any' },
  { id: 'stderr', label: 'stderr', term: 'type:std' },
] as const;

export type ChipId = (typeof CHIPS)[number]['id'];
export type ChipCounts = Readonly<Record<ChipId, number>>;
