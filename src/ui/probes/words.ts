// What the families of probes are about.

export const FAMILY_WORDS: Readonly<Record<string, string>> = {
  ver: 'the handshake and its versions',
  rpc: 'JSON-RPC',
  caps: 'what is advertised',
  new: 'making sessions',
  list: 'listing sessions',
  load: 'v1 session/load',
  resume1: 'v1 session/resume',
  resume2: 'v2 session/resume and its cursors',
  close: 'closing sessions',
  fork: 'forking sessions',
  status: 'status of sessions',
  archive: 'archiving sessions',
  delete: 'deleting sessions',
  prompt: 'prompts and turns',
  cancel: 'cancelling',
  http: 'over HTTP',
  ws: 'over WebSocket',
};
