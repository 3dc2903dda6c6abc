// A comparison for machines: the shape that docs/diff.md states.
import type { Alias, DiffPlace, SameText, TraceDiffReport, TraceDifference } from './report.ts';

export function diffJson(report: TraceDiffReport) {
  const { equal, view, differences, aliases, counts, compared, leftOut, unrelated, notices } =
    report;
  return {
    equal,
    view,
    differences: differences.map(differenceJson),
    aliases: Object.fromEntries(aliases.map(aliasJson)),
    counts,
    compared,
    sameText: report.sameText.map(sameTextJson),
    leftOut,
    unrelated,
    notices,
    ...(report.timing && { timing: report.timing }),
  };
}

function differenceJson({ kind, a, b, path, before, after, of }: TraceDifference) {
  return {
    kind,
    of,
    a: placeJson(a),
    b: placeJson(b),
    path,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  };
}

function sameTextJson({ of, a, b }: SameText) {
  return { of, a, b };
}

function placeJson(place: DiffPlace | undefined) {
  return place ? { seq: place.seq } : null;
}

function aliasJson({ name, kind, a, b, uses }: Alias) {
  return [name, { kind, a: a ?? null, b: b ?? null, uses }] as const;
}
