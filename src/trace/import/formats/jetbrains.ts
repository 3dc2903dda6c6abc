// `acp-transport.log` of a JetBrains IDE, which its "Get ACP Logs" archive holds:
// `2026-02-14 20:22:39,308 [ 318210]   FINE - AcpTransport - OUT: {…}`. OUT is what the IDE sent. The
// number in brackets counts milliseconds since the IDE began; the date has no time zone.
import { frame, odd, type LineFormat, type ImportedPiece } from '../format.ts';

const ENTRY = /^\d{4}-\d\d-\d\d [\d:,]+ \[ *(\d+)\] +\w+ - ([^ ]+) - (.*)$/s;
const MESSAGE = /^(IN|OUT|ERR): ?(.*)$/s;

export const JETBRAINS: LineFormat = {
  reads: 'lines',
  word: 'jetbrains',
  name: 'an ACP log of a JetBrains IDE',
  clock: 'relative',
  fates: {
    time: [
      'given',
      'milliseconds since the IDE began; the wall clock is lost, for it has no time zone',
    ],
    sender: ['given', ''],
    line: ['given', 'as the IDE logs it, which may add a `type` that did not cross'],
    order: ['given', ''],
    stderr: ['partly', 'where the log has it'],
    process: ['lost', ''],
  },
  fits: (line) => {
    const [, , logger, text] = ENTRY.exec(line) ?? [];
    return logger?.includes('AcpTransport') === true && MESSAGE.test(text ?? '');
  },
  begin: () => ({ take: (line) => (line.trim() === '' ? [] : [pieceOf(line)]) }),
};

function pieceOf(line: string): ImportedPiece {
  const [, time, , said = ''] = ENTRY.exec(line) ?? [];
  const [, way, text = ''] = MESSAGE.exec(said) ?? [];
  if (time === undefined || way === undefined)
    return odd('another entry of the log, or the rest of one');
  const at = Number(time);
  if (way === 'ERR') return { type: 'stderr', line: { text }, at };
  return frame(way === 'OUT' ? 'client' : 'agent', text, at);
}
