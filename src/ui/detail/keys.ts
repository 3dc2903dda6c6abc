// The keys of the detail pane, as the sheet of keys names them. Each has a button too.

export const DETAIL_KEYS: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: ['D'], does: 'What the schema says of the field, in the tree' },
  { keys: ['X'], does: 'To the other frame of the exchange' },
  { keys: ['E'], does: 'Edit and send' },
  { keys: ['R'], does: 'Resume from this value' },
  { keys: ['⌘C'], does: 'Copy the value, in the tree' },
];
