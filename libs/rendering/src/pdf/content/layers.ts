import { PdfArray, PdfDict, PdfName, type PdfObject, PdfRef } from '@libpdf/core';
import { nameBytes } from '@karaar/pdf-syntax';
import { nameOf, type Resolve } from '../values.ts';

/** Returns true if content of this optional-content group or membership is shown. */
export type IsVisible = (membership: PdfObject | undefined) => boolean;

/**
 * Reads the layers of a file (optional content, ISO 32000-1 §8.11) as a viewer does on screen: default
 * configuration, automatic view states, memberships with policies and expressions. The copy omits hidden
 * content, so that it never becomes visible.
 */
export function readLayers(catalog: PdfDict, resolve: Resolve): IsVisible {
  const properties = dictAt(catalog, 'OCProperties', resolve);
  if (!properties) return () => true;
  const config = dictAt(properties, 'D', resolve) ?? new PdfDict();
  const base = nameOf(config, 'BaseState', resolve) !== 'OFF';
  const states = new Map<string, boolean>();
  for (const ref of refsAt(config, 'ON', resolve)) states.set(key(ref), true);
  for (const ref of refsAt(config, 'OFF', resolve)) states.set(key(ref), false);
  applyAutomaticStates(config, states, resolve);

  const isOn = (ref: PdfRef): boolean => states.get(key(ref)) ?? base;

  return (membership) => {
    const dict = membership instanceof PdfRef ? resolve(membership) : membership;
    if (!(dict instanceof PdfDict)) return true;
    if (nameOf(dict, 'Type', resolve) !== 'OCMD')
      return membership instanceof PdfRef ? isOn(membership) : true;
    const expression = dict.get('VE', resolve);
    if (expression instanceof PdfArray) return evaluate(expression, isOn, resolve, 0);
    const groups = dict.get('OCGs');
    const refs =
      groups instanceof PdfRef && isGroup(groups, resolve) ? [groups] : refsAt(dict, 'OCGs', resolve);
    if (refs.length === 0) return true;
    const on = refs.filter(isOn).length;
    switch (nameOf(dict, 'P', resolve)) {
      case 'AllOn':
        return on === refs.length;
      case 'AnyOff':
        return on < refs.length;
      case 'AllOff':
        return on === 0;
      case undefined:
      default:
        return on > 0;
    }
  };
}

/** Returns true if a property list or XObject entry is a layer. */
export function isLayer(value: PdfObject | undefined, resolve: Resolve): boolean {
  const dict = value instanceof PdfRef ? resolve(value) : value;
  if (!(dict instanceof PdfDict)) return false;
  const type = nameOf(dict, 'Type', resolve);
  return type === 'OCG' || type === 'OCMD';
}

/** Returns true if the resources name layers, so that the content must be rewritten. */
export function namesLayers(resources: PdfObject | undefined, resolve: Resolve): boolean {
  const properties = resources instanceof PdfDict ? resources.get('Properties', resolve) : undefined;
  return properties instanceof PdfDict && [...properties].some(([, value]) => isLayer(value, resolve));
}

/** Returns a lookup by the bytes of a resource name: shown or hidden by its layer, or in no layer. */
export function layerLookup(
  resources: PdfObject | undefined,
  { resolve, isVisible }: { resolve: Resolve; isVisible: IsVisible },
) {
  const properties = resources instanceof PdfDict ? resources.get('Properties', resolve) : undefined;
  const byBytes = new Map(
    properties instanceof PdfDict ? [...properties].map(([key, value]) => [nameBytes(key.value), value]) : [],
  );
  return (name: string): 'shown' | 'hidden' | 'none' => {
    const value = byBytes.get(name);
    if (!isLayer(value, resolve)) return 'none';
    return isVisible(value) ? 'shown' : 'hidden';
  };
}

function isGroup(ref: PdfRef, resolve: Resolve): boolean {
  return resolve(ref) instanceof PdfDict;
}

/** §8.11.4.5: usage application dictionaries for the View event set states from the groups' usage. */
function applyAutomaticStates(config: PdfDict, states: Map<string, boolean>, resolve: Resolve): void {
  const rules = config.get('AS', resolve);
  if (!(rules instanceof PdfArray)) return;
  for (let i = 0; i < rules.length; i += 1) {
    const rule = rules.at(i, resolve);
    if (!(rule instanceof PdfDict) || nameOf(rule, 'Event', resolve) !== 'View') continue;
    for (const ref of refsAt(rule, 'OCGs', resolve)) {
      const group = resolve(ref);
      const usage = group instanceof PdfDict ? dictAt(group, 'Usage', resolve) : undefined;
      const view = usage && dictAt(usage, 'View', resolve);
      const state = view && nameOf(view, 'ViewState', resolve);
      if (state) states.set(key(ref), state !== 'OFF');
    }
  }
}

function evaluate(
  expression: PdfArray,
  isOn: (ref: PdfRef) => boolean,
  resolve: Resolve,
  depth: number,
): boolean {
  if (depth > 32) return true;
  const operator = expression.at(0, resolve);
  const operands = expression.toArray().slice(1);
  const values = operands.map((operand) => {
    const target = operand instanceof PdfRef ? resolve(operand) : operand;
    if (target instanceof PdfArray) return evaluate(target, isOn, resolve, depth + 1);
    return operand instanceof PdfRef ? isOn(operand) : true;
  });
  const name = operator instanceof PdfName ? operator.value : '';
  if (name === 'Not') return !(values[0] ?? false);
  return name === 'Or' ? values.includes(true) : !values.includes(false);
}

function dictAt(dict: PdfDict, name: string, resolve: Resolve): PdfDict | undefined {
  const value = dict.get(name, resolve);
  return value instanceof PdfDict ? value : undefined;
}

function refsAt(dict: PdfDict, name: string, resolve: Resolve): PdfRef[] {
  const value = dict.get(name, resolve);
  if (!(value instanceof PdfArray)) return [];
  return value.toArray().filter((item) => item instanceof PdfRef);
}

function key(ref: PdfRef): string {
  return `${ref.objectNumber} ${ref.generation}`;
}
