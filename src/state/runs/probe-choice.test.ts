import { expect, test } from 'vitest';
import type { ProbeEntry } from '../../engine/runs/run-messages.ts';
import {
  familiesOf,
  kept,
  NOTHING,
  presetIds,
  presetOf,
  toggled,
  toolsProbe,
} from './probe-choice.ts';

const probe = (id: string, more: Partial<ProbeEntry> = {}): ProbeEntry => ({
  ...{ id, family: id.split('/')[0] ?? '', sentence: '', prompts: 0, connections: 1 },
  ...{ shares: false, needs: [], shut: undefined, optIn: undefined },
  ...more,
});
const CATALOGUE = [
  probe('ver/v1'),
  probe('load/roundtrip', { shares: true }),
  probe('load/unknown'),
  probe('load/tools', { optIn: 'lets the agent use a tool', prompts: 1 }),
  probe('cancel/turn', { prompts: 1 }),
];

test('presets are about sessions, free of prompts, or all that need not be asked for', () => {
  expect([...presetIds(CATALOGUE, 'sessions')]).toEqual(['load/roundtrip', 'load/unknown']);
  expect([...presetIds(CATALOGUE, 'free')]).toEqual(['ver/v1', 'load/unknown']);
  expect(presetIds(CATALOGUE, 'all').has('load/tools')).toBe(false);
});

test('what becomes of tool calls can be asked beside its family, and is still the preset', () => {
  const sessions = presetIds(CATALOGUE, 'sessions');
  expect(toolsProbe(CATALOGUE, sessions)).toMatchObject({ id: 'load/tools', prompts: 1 });
  const both = new Set([...sessions, 'load/tools']);
  expect(toolsProbe(CATALOGUE, both)).toMatchObject({ id: 'load/tools' });
  expect(presetOf(CATALOGUE, both)).toBe('sessions');
  expect(toolsProbe(CATALOGUE, new Set(['load/tools']))).toBeUndefined();
  expect(toolsProbe(CATALOGUE, new Set(['ver/v1']))).toBeUndefined();
  const shut = CATALOGUE.map((one) => ({ ...one, shut: 'The agent does not advertise it.' }));
  expect(toolsProbe(shut, sessions)).toBeUndefined();
});

test('a choice that is a preset is known as one', () => {
  expect(presetOf(CATALOGUE, presetIds(CATALOGUE, 'free'))).toBe('free');
  expect(presetOf(CATALOGUE, new Set(['ver/v1']))).toBeUndefined();
});

test('a family is taken whole, and left whole', () => {
  const family = familiesOf(CATALOGUE).get('load') ?? [];
  const all = toggled(new Set(['load/unknown', 'ver/v1']), family);
  expect([...all].sort()).toEqual(['load/roundtrip', 'load/tools', 'load/unknown', 'ver/v1']);
  expect([...toggled(all, family)]).toEqual(['ver/v1']);
  expect(toggled(NOTHING, family).size).toBe(3);
});

test('a choice made by hand stays, as far as another catalogue offers it', () => {
  const chosen = new Set(['ver/v1', 'load/unknown', 'resume2/start']);
  expect([...kept(CATALOGUE, chosen)]).toEqual(['ver/v1', 'load/unknown']);
});
