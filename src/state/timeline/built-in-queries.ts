// Queries that every person needs, by name.
import type { SavedText } from '../saved-texts.svelte.ts';

export const BUILT_IN_QUERIES: readonly SavedText[] = [
  { name: 'Errors and findings', text: 'type:err | finding:any' },
  { name: 'Open requests', text: 'is:open' },
  { name: 'Slow answers', text: 'latency>1s' },
  { name: 'What came late', text: 'is:late' },
  { name: 'Tool calls that failed', text: 'status:failed' },
  { name: 'Without text and usage', text: '-update:/chunk|usage/' },
];
