// Listeners for what the schemas say of messages (`step.remarks()`), and for calls of either kind.
import type { SchemaRemark } from '../acp/schema/frame-check.ts';
import { remarkWords } from '../acp/schema/remark-words.ts';
import type { Version } from '../acp/methods.ts';
import type { Connection } from './connection.ts';
import { onAnswer, onNotification, onRequest, type Listener } from './listen.ts';
import type { FrameStep, NotificationStep, RequestStep } from './steps.ts';
import { fail, judged, type RuleFault, type Outcome } from './rule.ts';

export type CallStep = RequestStep | NotificationStep;

/** Takes every call, request or notification. */
export function onCall<R = Outcome>(
  judge: (step: CallStep, connection: Connection) => R,
): readonly Listener<R>[] {
  return [onRequest('all', judge), onNotification('all', judge)];
}

/** What a remark is about. */
export interface About {
  readonly step: FrameStep;
  readonly method: string;
  readonly version: Version | undefined;
  /** All that is said of the frame. */
  readonly all: readonly SchemaRemark[];
  readonly connection: Connection;
}

/** What a rule makes of a remark; undefined: it is not about such. */
export type Pick = (remark: SchemaRemark, about: About) => RuleFault | undefined;

/** A fault in the words of the schemas. */
export function told(remark: SchemaRemark, more: Partial<RuleFault> = {}): RuleFault {
  const { seen, due } = remarkWords(remark);
  return fail(seen, { due, pointer: remark.pointer, ...more });
}

const PARTS = ['params', 'update', 'result'] as const;
/** `update`: the params of a `session/update`. */
type MessagePart = (typeof PARTS)[number];

/** Judges what the schemas say of these parts of messages. */
export function onRemarks(
  pick: Pick,
  parts: readonly MessagePart[] = PARTS,
): readonly Listener<Outcome>[] {
  const said = (step: FrameStep & { readonly method: string }, connection: Connection) =>
    picked(pick, step, connection);
  const ofParams = [
    onRequest<Outcome>('all', said),
    onNotification<Outcome>('all', (step, connection) =>
      step.method === 'session/update' ? undefined : said(step, connection),
    ),
  ];
  const ofUpdate = onNotification<Outcome>(['session/update'], said);
  const ofResult = onAnswer<Outcome>('all', said);
  return [
    ...(parts.includes('params') ? ofParams : []),
    ...(parts.includes('update') ? [ofUpdate] : []),
    ...(parts.includes('result') ? [ofResult] : []),
  ];
}

function picked(
  pick: Pick,
  step: FrameStep & { readonly method: string },
  connection: Connection,
): Outcome {
  const all = step.remarks();
  if (all.length === 0) return 'pass';
  const about = { step, method: step.method, version: step.version, all, connection };
  return judged(
    all.flatMap((remark) => {
      const fault = pick(remark, about);
      if (fault === undefined) return [];
      const { lacking, feature } = remark;
      return { ...fault, ...(lacking && { lacking }), ...(feature && { feature }) };
    }),
  );
}
