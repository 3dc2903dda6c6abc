// Walks a value beside its plan and says where it does not fit, one clear clause a fault, and what
// is odd though allowed. In a union the branch that the tag chose is the only one that speaks. Where
// nothing is to say, nothing is made: a live trace brings tens of thousands of frames a second. Long,
// because the kinds of plans call each other.
import type { Feature } from '../editions/feature.ts';
import { isObject } from '../json.ts';
import type { Json, JsonObject } from '../message.ts';
import type { Word } from './shape.ts';
import {
  isOfType,
  requiredNames,
  type FieldPlan,
  type Layout,
  type Plan,
  type TagChoice,
  type WayChoice,
} from './plan.ts';
import { pointerPart } from '../json-pointer.ts';
import {
  isAllowed,
  nearestField,
  weight,
  type InEditions,
  type Remarked,
  type RemarkKind,
  type SchemaRemark,
} from './remark.ts';

/** More than these are not told of one frame; what is only odd leaves room for faults. */
const AT_MOST = 200;
const ODD_AT_MOST = 100;
/** Unknown names of a layout; they are the peer's to choose. */
const REMEMBERED = 100;
const NOTHING: readonly SchemaRemark[] = [];
const TRACE_CONTEXT = ['traceparent', 'tracestate', 'baggage'];
const NOWHERE = -1;

/** One walk at a time: it keeps its place. */
export class Walk {
  #remarks: SchemaRemark[] | undefined;
  /** Keys and places from the root of the message; `depth` says how many of them hold. */
  readonly #path: (string | number)[] = [];
  /** Unknown names met in a layout, with the field that each may have meant. */
  readonly #meant = new WeakMap<Layout, Map<string, string | undefined>>();
  /** Depth of the nearest place that the official SDK leaves out where it is wrong. */
  #soft = NOWHERE;
  /** Inside of a value that only editions with this feature know. */
  #within: Feature | undefined;

  /** All remarks on a value, in the order of its text; `at` is where it stands in the message. */
  remarks(plan: Plan, value: Json, ...at: readonly string[]): readonly SchemaRemark[] {
    this.#remarks = undefined;
    this.#soft = NOWHERE;
    this.#within = undefined;
    at.forEach((step, i) => (this.#path[i] = step));
    this.#value(plan, value, at.length);
    return this.#remarks ?? NOTHING;
  }

  #value(plan: Plan, value: Json, depth: number): void {
    if (value === null && plan.nullable) return;
    switch (plan.is) {
      case 'any':
        return;
      case 'null':
        if (value !== null) this.#notDue(plan, value, depth);
        return;
      case 'boolean':
        if (typeof value !== 'boolean') this.#notDue(plan, value, depth);
        return;
      case 'string':
        if (typeof value !== 'string') this.#notDue(plan, value, depth);
        else if (plan.min > 0 || plan.max < Infinity || plan.pattern)
          this.#string(plan, value, depth);
        return;
      case 'number':
        if (typeof value !== 'number') this.#notDue(plan, value, depth);
        else if ((plan.integer && !Number.isInteger(value)) || value < plan.min || value > plan.max)
          this.#fault({ code: 'number', value, plan }, depth);
        return;
      case 'words': {
        if (typeof value !== 'string') return this.#notDue(plan, value, depth);
        const word = plan.known.get(value);
        if (!word) this.#unknown(value, plan.values, plan.open, depth);
        else if (word.unstable) this.#unstableValue(word, depth);
        return;
      }
      case 'array':
        if (!Array.isArray(value)) this.#notDue(plan, value, depth);
        else this.#items(plan.of, plan.min, value as readonly Json[], depth, false);
        return;
      case 'object':
        if (isObject(value)) this.#object(plan.layout(), value, depth);
        else this.#notDue(plan, value, depth);
        return;
      case 'either':
        return this.#either(plan, value, depth);
    }
  }

  #string(plan: Plan & { is: 'string' }, value: string, depth: number): void {
    const length = [...value].length;
    if (length >= plan.min && length <= plan.max && plan.pattern?.test(value) !== false) return;
    this.#fault({ code: 'string', value, plan }, depth);
  }

  /** `soft`: the official SDK leaves a wrong item out of the list. */
  #items(of: Plan, min: number, items: readonly Json[], depth: number, soft: boolean): void {
    if (items.length < min) this.#fault({ code: 'empty' }, depth);
    const before = this.#soft;
    if (soft) this.#soft = depth + 1;
    for (let i = 0; i < items.length; i++) {
      this.#path[depth] = i;
      this.#value(of, items[i] ?? null, depth + 1);
    }
    this.#soft = before;
  }

  #object(from: Layout, value: JsonObject, depth: number): void {
    const within = this.#within;
    let layout = from;
    let chosen = true;
    while (layout.choice && chosen) {
      const next: Layout | undefined =
        layout.choice.by === 'tag'
          ? this.#byTag(layout.choice, value, depth)
          : this.#byFields(layout.choice, value, depth);
      if (next) layout = next;
      else chosen = false;
    }
    const instead = this.#missing(layout, value, depth);
    for (const name in value) {
      const inner = value[name] ?? null;
      const field = layout.fields.get(name);
      this.#path[depth] = name;
      if (field) this.#field(field, inner, depth + 1);
      else if (layout.map) this.#value(layout.map, inner, depth + 1);
      else if (name === '_meta') this.#meta(inner, depth + 1);
      else if (chosen && !layout.open && !instead?.includes(name))
        this.#unknownField(name, layout, depth + 1);
    }
    this.#within = within;
  }

  /** Tells what must be there and is not; the fields that stand there in its place. */
  #missing(layout: Layout, value: JsonObject, depth: number): readonly string[] | undefined {
    let absent: FieldPlan[] | undefined;
    for (const field of layout.required)
      if (value[field.name] === undefined) (absent ??= []).push(field);
    if (!absent) return undefined;
    const strange = Object.keys(value).filter((name) => !layout.fields.has(name));
    const instead: string[] = [];
    const gone = absent.filter(({ name: due }) => {
      const found = layout.open || layout.map ? undefined : nearestField(due, strange);
      if (found === undefined) return true;
      instead.push(found);
      this.#path[depth] = found;
      this.#fault({ code: 'misspelt', name: found, meant: due }, depth, depth + 1);
      return false;
    });
    const [first] = gone;
    if (first) {
      const names = gone.map(({ name }) => name);
      this.#fault({ code: 'missing', names, plan: first.plan }, depth);
    }
    return instead;
  }

  #field({ name, field, plan, tag }: FieldPlan, value: Json, depth: number): void {
    if (tag) return;
    if (field.unstable || field.since)
      this.#add(
        'unstable',
        { code: 'unstable', name, isValue: false, lacking: field.since },
        depth,
      );
    const before = this.#soft;
    if (field.soft === 'error' || (field.soft === 'null' && value === null)) this.#soft = depth;
    if (field.softItems && plan.is === 'array' && Array.isArray(value))
      this.#items(plan.of, plan.min, value as readonly Json[], depth, true);
    else this.#value(plan, value, depth);
    this.#soft = before;
  }

  #meta(value: Json, depth: number): void {
    if (value === null) return;
    if (!isObject(value)) {
      this.#add('meta', { code: 'meta', name: undefined, value }, depth);
      return;
    }
    for (const name of TRACE_CONTEXT) {
      const inner = value[name];
      if (inner === undefined || typeof inner === 'string') continue;
      this.#path[depth] = name;
      this.#add('meta', { code: 'meta', name, value: inner }, depth + 1);
    }
  }

  /** The layout that the tag leads to; undefined, and one remark, where it leads nowhere. */
  #byTag(choice: TagChoice, value: JsonObject, depth: number): Layout | undefined {
    const { name } = choice.tag;
    const said = value[name];
    if (typeof said === 'string') {
      const known = choice.known.get(said);
      if (known) {
        const { word } = known;
        if (word.unstable || word.since)
          this.#onTag(choice, depth, () => this.#lateValue(word, choice, depth + 1));
        if (!choice.untagged || choice.bare) return known.layout();
        return this.#byLetter(choice, said, value, depth) ?? known.layout();
      }
      if (choice.other) {
        this.#onTag(choice, depth, () => this.#unknown(said, choice.values, true, depth + 1));
        return choice.other();
      }
      if (choice.untagged && !choice.bare && this.#fits(choice.untagged(), value, depth)) {
        this.#onTag(choice, depth, () => this.#unknown(said, choice.values, true, depth + 1));
        return choice.untagged();
      }
      this.#onTag(choice, depth, () => this.#unknown(said, choice.values, false, depth + 1));
      return undefined;
    }
    if (choice.untagged && (said === undefined || (said === null && choice.bare)))
      return choice.untagged();
    if (said === undefined) {
      this.#fault({ code: 'missing', names: [name], plan: choice.tag.plan }, depth);
      return undefined;
    }
    if (choice.untagged && !choice.bare && this.#fits(choice.untagged(), value, depth))
      return choice.untagged();
    this.#onTag(choice, depth, () => this.#notDue(choice.tag.plan, said, depth + 1));
    return undefined;
  }

  /**
   * A union with a branch that does without the tag allows, by the letter, a value whose tag names
   * another branch: then what is due by the tag would be no fault. Undefined: the tag holds.
   */
  #byLetter(choice: TagChoice, said: string, value: JsonObject, depth: number): Layout | undefined {
    const known = choice.known.get(said);
    const { untagged } = choice;
    if (!known || !untagged || this.#fits(known.layout(), value, depth)) return undefined;
    if (!this.#fits(untagged(), value, depth)) return undefined;
    const { name } = choice.tag;
    this.#onTag(choice, depth, () =>
      this.#add('unknown-value', { code: 'unfitting-tag', name, value: said }, depth + 1),
    );
    return untagged();
  }

  #onTag({ tag }: TagChoice, depth: number, tell: () => void): void {
    this.#path[depth] = tag.name;
    const before = this.#soft;
    if (tag.field.soft === 'error') this.#soft = depth + 1;
    tell();
    this.#soft = before;
  }

  #byFields(choice: WayChoice, value: JsonObject, depth: number): Layout | undefined {
    const fitting = choice.ways.filter((way) => this.#fits(way.alone(), value, depth));
    const [first, second] = fitting;
    if (first && !second) return first.layout();
    const tell = (code: 'no-way' | 'two-ways') => {
      const ways = choice.ways.map(({ alone }) => requiredNames(alone()));
      this.#add('wrong', { code, ways }, depth);
    };
    if (first) {
      if (choice.one) tell('two-ways');
      return choice.every();
    }
    const begun = choice.ways.find(({ alone }) =>
      alone().required.some(({ name }) => value[name] !== undefined),
    );
    if (begun) return begun.layout();
    tell('no-way');
    return undefined;
  }

  /** Whether an object has no fault under a layout. */
  #fits(layout: Layout, value: JsonObject, depth: number): boolean {
    return this.#tried(() => this.#object(layout, value, depth)).every(isAllowed);
  }

  #either(plan: Plan & { is: 'either' }, value: Json, depth: number): void {
    let best: readonly SchemaRemark[] | undefined;
    for (const branch of plan.of) {
      if (!isOfType(branch, value)) continue;
      const remarks = this.#tried(() => this.#value(branch, value, depth));
      if (remarks.length === 0) return;
      if (!best || weight(remarks) < weight(best)) best = remarks;
    }
    if (!best) this.#notDue(plan, value, depth);
    else for (const remark of best) this.#keep(remark);
  }

  /** What a part of the walk would say. */
  #tried(walk: () => void): readonly SchemaRemark[] {
    const before = this.#remarks;
    this.#remarks = undefined;
    walk();
    const found = this.#remarks ?? NOTHING;
    this.#remarks = before;
    return found;
  }

  #notDue(plan: Plan, value: Json, depth: number): void {
    this.#fault({ code: 'type', value, plan }, depth);
  }

  /** Values with an underscore are one's own by rule: no surprise where others are allowed. */
  #unknown(
    name: string,
    known: readonly Word[],
    open: boolean,
    depth: number,
    lacking?: Feature,
  ): void {
    if (open && name.startsWith('_')) return;
    const remarked = { code: 'unknown-value', name, known, lacking } as const;
    if (open) this.#add('unknown-value', remarked, depth);
    else this.#fault(remarked, depth);
  }

  /** An agent that is odd once is odd in every frame, and the nearest name takes long to find. */
  #unknownField(name: string, layout: Layout, depth: number): void {
    let known = this.#meant.get(layout);
    if (!known) this.#meant.set(layout, (known = new Map()));
    let meant = known.get(name);
    if (meant === undefined && !known.has(name)) {
      meant = nearestField(name, [...layout.fields.keys()]);
      if (known.size < REMEMBERED) known.set(name, meant);
    }
    this.#add('unknown-field', { code: 'unknown-field', name, meant }, depth);
  }

  #unstableValue({ value, since }: Word, depth: number): void {
    const remarked = { code: 'unstable', name: value, isValue: true, lacking: since } as const;
    this.#add('unstable', remarked, depth);
  }

  /** A value that not every edition has. Of one that no schema has, what is inside is as new. */
  #lateValue(word: Word, { values, other }: TagChoice, depth: number): void {
    if (!word.novel || word.unstable) return this.#unstableValue(word, depth);
    const rest = values.filter((one) => one !== word);
    this.#unknown(word.value, rest, other !== undefined, depth, word.since);
    this.#within = word.since;
  }

  /** What breaks the schema, unless the official SDK leaves the place out. */
  #fault(remarked: Remarked & InEditions, depth: number, at = depth): void {
    if (this.#soft === NOWHERE) return this.#add('wrong', remarked, at);
    const leftOut = this.#soft < depth ? this.#pointer(this.#soft) : undefined;
    this.#add('lenient', remarked, at, leftOut);
  }

  #add(kind: RemarkKind, remarked: Remarked & InEditions, depth: number, leftOut?: string): void {
    const feature = remarked.lacking === undefined ? this.#within : undefined;
    // Made for this: to spread it into another object takes three times as long.
    const pointer = this.#pointer(depth);
    this.#keep(Object.assign(remarked, { kind, pointer, leftOut, feature }));
  }

  #keep(remark: SchemaRemark): void {
    this.#remarks ??= [];
    const most = isAllowed(remark) ? ODD_AT_MOST : AT_MOST;
    if (this.#remarks.length < most) this.#remarks.push(remark);
  }

  #pointer(depth: number): string {
    let pointer = '';
    for (let i = 0; i < depth; i++) pointer += `/${pointerPart(String(this.#path[i]))}`;
    return pointer;
  }
}
