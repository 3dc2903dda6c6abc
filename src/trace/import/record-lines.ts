// Lines that are each one JSON object, for formats that read nothing else.
import { odd, type ImportedPiece, type LineFormat } from './format.ts';
import { readRecord, type JsonRecord } from './json-record.ts';
import { LineClock } from './line-clock.ts';

/** `none`: what a line is called that has no piece; `pieceOf`: the piece of an object, undefined if it has none. */
export function recordLines(
  none: string,
  pieceOf: (record: JsonRecord, clock: LineClock) => ImportedPiece | undefined,
): LineFormat['begin'] {
  return () => {
    const clock = new LineClock();
    return {
      take(line) {
        if (line.trim() === '') return [];
        const record = readRecord(line);
        return [(record && pieceOf(record, clock)) ?? odd(none)];
      },
    };
  };
}
