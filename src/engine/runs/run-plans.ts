// What probes and the resume lab would do with an agent and what that costs, read off the handshake of
// one of its connections. Nothing is started.
import { gateOf, shutGate, type Offered } from '../../acp/gate.ts';
import type { JsonObject } from '../../acp/message.ts';
import { AXES, axisWords, axisValues, axisValueWords } from '../../drive/lab/axes.ts';
import { labPlan as planOfLab } from '../../drive/lab/plan.ts';
import { probePlan as planOfProbes } from '../../drive/probes/plan.ts';
import { PROBES } from '../../drive/probes/registry.ts';
import type { Probe } from '../../drive/probes/world.ts';
import type { HandshakeView } from '../../model/facts/facts-view.ts';
import type { LabAxisView, LabOrder, LabPrice, ProbeEntry, ProbePrice } from './run-messages.ts';
import { plannedLines } from './run-kinds.ts';

/** Where the handshake is of another version, or none is known, anything may be offered. */
export function offeredIn(handshake: HandshakeView | undefined, version: 1 | 2): Offered {
  return handshake?.version === version && handshake.answer !== undefined
    ? handshake
    : everything(version);
}

/** Methods that a plan of the lab asks for, or not. */
const ASKED = ['session/load', 'session/resume', 'session/close', 'session/delete'];

function everything(version: 1 | 2): Offered {
  const paths = new Set(
    [...ASKED, ...PROBES.flatMap(({ needs }) => needs ?? [])].flatMap(
      (method) => gateOf(method, 'client', version)?.paths ?? [],
    ),
  );
  return {
    clientCapabilities: {},
    agentCapabilities: [...paths].reduce<JsonObject>((made, path) => withPath(made, path), {}),
    authMethods: [],
  };
}

function withPath(made: JsonObject, path: string): JsonObject {
  const [key = '', rest] = path.split(/\.(.*)/s);
  const inner = made[key];
  const below = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? inner : {};
  return { ...made, [key]: rest === undefined ? below : withPath(below as JsonObject, rest) };
}

export function catalogueOf(version: 1 | 2, offered: Offered): readonly ProbeEntry[] {
  return PROBES.filter(({ versions }) => versions.includes(version)).map((probe) => ({
    id: probe.id,
    family: probe.id.split('/')[0] ?? '',
    sentence: probe.sentence,
    prompts: probe.prompts,
    connections: probe.connections,
    shares: probe.saved !== undefined,
    needs: probe.needs ?? [],
    shut: shutWords(probe, version, offered),
    optIn: probe.optIn,
  }));
}

function shutWords({ needs = [], elsewhere }: Probe, version: 1 | 2, offered: Offered) {
  if (elsewhere !== undefined) return elsewhere;
  for (const method of needs) {
    const gate = shutGate(method, 'client', version, offered);
    if (gate) return `The agent does not advertise ${gate.words}.`;
  }
  return undefined;
}

/** What will be skipped costs nothing. */
export function probePrice(version: 1 | 2, offered: Offered, ids: readonly string[]): ProbePrice {
  const wanted = new Set(ids);
  const { probes, prompts, connections } = planOfProbes(
    version,
    (id) => wanted.has(id),
    (probe) => shutWords(probe, version, offered) !== undefined,
  );
  return { probes: probes.length, prompts, connections };
}

export function axesOf(version: 1 | 2): readonly LabAxisView[] {
  return AXES.map((axis) => ({
    axis,
    words: axisWords(axis),
    values: axisValues(axis, version).map((value) => ({
      value,
      words: axisValueWords(axis, value),
    })),
  }));
}

export function labPrice(
  version: 1 | 2,
  offered: Offered,
  { values, only, repeat, cursors: wanted }: LabOrder,
): LabPrice {
  const wish = { values, full: false, repeat, cursors: wanted };
  const all = planOfLab(version, offered, wish);
  const { cells, cost, cursors } = planOfLab(version, offered, { ...wish, only });
  return {
    planned: plannedLines(all),
    cells: cells.filter(({ skip }) => skip === undefined).length,
    ...{ cost, cursors },
  };
}
