import { isCovered } from '../fonts/fonts.ts';

/** Markup that is safe to place in a page: made by `html` or `raw` only. */
export class Html {
  readonly markup: string;
  constructor(markup: string) {
    this.markup = markup;
  }
}

type Value = Html | string | number | null | undefined | false | readonly Value[];

/** Markup with every value escaped, unless the value is itself `Html`. Names are hostile input. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(strings.map((part, i) => part + (i < values.length ? render(values[i]) : '')).join(''));
}

/** Markup made by our own code, such as an SVG drawing. Never pass anything that a user wrote. */
export function raw(markup: string): Html {
  return new Html(markup);
}

function render(value: Value): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.markup;
  if (typeof value === 'object') return value.map(render).join('');
  return escapeHtml(legible(String(value)));
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** A CSS string literal. */
export function cssString(text: string): string {
  return `"${legible(text).replace(/[^ 0-9A-Za-z·.,:-]/gu, (c) => `\\${(c.codePointAt(0) ?? 0).toString(16)} `)}"`;
}

const KEPT_CONTROLS = new Set([0x0a, 0x200c, 0x200d]);

/**
 * Text as it can be drawn and read: characters that no bundled font has, and invisible ones that change
 * how their neighbours read (direction overrides, tags, zero-width spaces), are spelled out as [U+202E].
 * What is sealed must not depend on the fonts of a machine, nor read differently from what it is.
 * The joiners of Indian scripts and line breaks are kept.
 */
export function legible(text: string): string {
  const clean = text.replace(/\r\n?/g, '\n').replace(/\t/g, '    ').normalize('NFC');
  return [...clean].map((character) => (isDrawable(character) ? character : spell(character))).join('');
}

function isDrawable(character: string): boolean {
  const point = character.codePointAt(0) ?? 0;
  if (KEPT_CONTROLS.has(point)) return true;
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u.test(character)) return false;
  return isCovered(point);
}

function spell(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return `[U+${point.toString(16).toUpperCase().padStart(4, '0')}]`;
}
