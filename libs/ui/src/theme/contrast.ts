/** Parses the colour tokens and computes their contrast (WCAG 2.2, 1.4.3 and 1.4.11). */

/** Token names without leading dashes, each with its hex colour. */
export type Palette = Readonly<Record<string, string>>;

const block = (css: string, selector: string): string => {
  const start = css.indexOf(`${selector} {`);
  if (start < 0) throw new Error(`No rule ${selector}`);
  return css.slice(start, css.indexOf('\n}', start));
};

const colours = (rule: string): Palette =>
  Object.fromEntries(
    [...rule.matchAll(/--(k-[\w-]+):\s*(#[0-9a-f]{6});/gi)].map(([, name, hex]) => [name, hex]),
  );

/** Returns the palettes of both themes; the dark one inherits from the light one. */
export function palettes(tokensCss: string): { light: Palette; dark: Palette } {
  const light = colours(block(tokensCss, ':root'));
  return {
    light,
    dark: { ...light, ...colours(block(tokensCss, ":root[data-mantine-color-scheme='dark']")) },
  };
}

const channel = (hex: string, at: number): number => {
  const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};

const luminance = (hex: string): number =>
  0.2126 * channel(hex, 1) + 0.7152 * channel(hex, 3) + 0.0722 * channel(hex, 5);

/** Returns 1 (the same) to 21 (black on white). */
export function contrast(a: string, b: string): number {
  const [bright, dim] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (bright + 0.05) / (dim + 0.05);
}

/** Returns pairs of tokens that one CSS rule sets as text and background. */
export function pairsIn(css: string): [text: string, ground: string][] {
  const rules = [...css.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/\{([^{}]*)\}/g)];
  return rules.flatMap(([, body = '']) => {
    const text = /(?:^|[\s;])color:\s*var\(--(k-[\w-]+)\)/.exec(body)?.[1];
    const ground = /background(?:-color)?:\s*var\(--(k-[\w-]+)\)/.exec(body)?.[1];
    return text && ground ? [[text, ground] as [string, string]] : [];
  });
}
