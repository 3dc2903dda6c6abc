const END = '.acptrace.jsonl';
const MOST = 80;
/** Names that Windows keeps for devices, whatever follows their first dot. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * The file name of an export, from any text (I-07): of `[A-Za-z0-9._-]`, at most 80 long with its
 * ending, never a path, a hidden file or a device.
 */
export function exportName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/(\.acptrace)?\.(jsonl|ndjson)(\.gz)?$/i, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^[.-]+/, '')
    .slice(0, MOST - END.length)
    .replace(/[.-]+$/, '');
  const safe = DEVICE.test(plain) ? `trace-${plain}` : plain;
  return `${safe === '' ? 'trace' : safe}`.slice(0, MOST - END.length) + END;
}
