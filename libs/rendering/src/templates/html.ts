import { isCovered } from '../fonts/fonts.ts';

/** Safe markup: only `html` and `raw` create it. */
export class Html {
  readonly markup: string;
  constructor(markup: string) {
    this.markup = markup;
  }
}

type Value = Html | string | number | null | undefined | false | readonly Value[];

/** Returns markup with every value escaped, unless the value is `Html`. Names are hostile input. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(strings.map((part, i) => part + (i < values.length ? render(values[i]) : '')).join(''));
}

/** Marks markup of our own code, such as an SVG drawing, as safe. Never pass user input. */
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

/** Returns a CSS string literal. */
export function cssString(text: string): string {
  return `"${legible(text).replace(/[^ 0-9A-Za-z·.,:-]/gu, (c) => `\\${(c.codePointAt(0) ?? 0).toString(16)} `)}"`;
}

const KEPT_CONTROLS = new Set([0x0a, 0x200c, 0x200d]);

/**
 * Returns text that can be drawn and read: characters without a bundled font, and invisible ones that change
 * how text reads (direction overrides, tags, zero-width spaces), become [U+202E]. The sealed text must not
 * depend on a machine's fonts or look different from its characters. Joiners of Indian scripts and line
 * breaks are kept.
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
