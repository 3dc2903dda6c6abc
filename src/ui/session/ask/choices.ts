// The five ways to ask for a session, each with the request shapes that it stands for.
import { SHAPES, type ShapeFacts, type ShapeId } from '../../../model/restore/restore-shapes.ts';

export interface Choice {
  readonly label: string;
  /** Most usual first. */
  readonly shapes: readonly ShapeFacts[];
}

/** `version`: of the connection; undefined: not known yet. */
export function choicesFor(version: number | undefined): readonly Choice[] {
  const isV1 = version === 1;
  const ways: readonly (readonly [label: string, shapes: readonly ShapeId[]])[] = [
    ['Everything', [isV1 ? 'load' : 'start']],
    ['From a message…', ['custom']],
    ['Nothing', isV1 ? ['resume'] : ['omitted', 'null']],
    isV1
      ? ['v2 requests', ['start', 'omitted', 'null']]
      : ['v1 load or resume', ['load', 'resume']],
    ['Broken on purpose…', ['unknown', 'malformed', 'raw']],
  ];
  return ways.map(([label, ids]) => ({
    label,
    shapes: ids.flatMap((id) => SHAPES.filter((shape) => shape.id === id)),
  }));
}

/** `v1 load`, `raw JSON` */
export const shapeName = ({ version, name }: ShapeFacts): string =>
  version === undefined ? name : `v${version} ${name}`;
