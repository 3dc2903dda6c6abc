// Connections that cannot be recorded now, by why, each with what to do.
import type { TraceSummary } from '../../engine/messages.ts';
import { count } from '../../lib/format.ts';
import { fixOf, troubleReason } from '../../trace/trouble.ts';

interface TroubleWords {
  readonly code: string;
  readonly sentence: string;
}

export function troubleWords(traces: readonly TraceSummary[]): readonly TroubleWords[] {
  const codes = new Set(traces.flatMap(({ trouble }) => trouble?.code ?? []));
  return [...codes].map((code) => {
    const troubled = traces.filter(({ trouble }) => trouble?.code === code);
    const names = troubled.map(({ number, name }) => `c${number} ${name}`).join(', ');
    const lost = troubled.reduce((sum, { trouble }) => sum + (trouble?.lost ?? 0), 0);
    const sofar = lost === 0 ? 'Nothing is lost so far' : `${count(lost, 'event')} lost so far`;
    const path = troubled[0]?.trouble?.path ?? '';
    return {
      code,
      sentence: `${names} cannot be recorded now: ${troubleReason(code)}, at ${path}. ${sofar}. ${fixOf(code)}; recording then goes on by itself.`,
    };
  });
}
