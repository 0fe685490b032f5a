import { PdfArray, PdfDict, type PdfObject } from '@libpdf/core';
import { type Box, decimal, nameOf, type Resolve, toNumbers } from './values.ts';

/**
 * Annotations without an appearance stream, drawn as viewers draw them: borders of links and shapes,
 * lines, ink, and marks on text. Text marks are drawn below the text's baseline or beside it, never over
 * it, because without a blend mode a highlight would cover the words. Other kinds show nothing.
 */
export function drawWithoutAppearance(annot: PdfDict, rect: Box, resolve: Resolve): string {
  const width = borderWidth(annot, resolve);
  const subtype = nameOf(annot, 'Subtype', resolve);
  const colour = stroke(annot, subtype === 'Link', resolve);
  if (!colour) return '';
  const shape = shapeOf(subtype, annot, rect, width, resolve);
  if (shape === '') return '';
  return `q ${colour}${decimal(width)} w ${dash(annot, resolve)}${shape} S Q\n`;
}

function shapeOf(
  subtype: string | undefined,
  annot: PdfDict,
  rect: Box,
  width: number,
  resolve: Resolve,
): string {
  switch (subtype) {
    case 'Link':
    case 'Square':
      return width > 0 ? rectangle(rect, width) : '';
    case 'Circle':
      return width > 0 ? ellipse(rect, width) : '';
    case 'Line':
      return path(toNumbers(annot.get('L'), resolve));
    case 'Ink':
      return lists(annot.get('InkList', resolve), resolve).map(path).join(' ');
    case 'PolyLine':
    case 'Polygon':
      return path(toNumbers(annot.get('Vertices'), resolve)) + (subtype === 'Polygon' ? ' h' : '');
    case 'Underline':
    case 'Squiggly':
      return textLines(annot, resolve, 0.06);
    case 'StrikeOut':
      return textLines(annot, resolve, 0.45);
    case 'Highlight':
      return textLines(annot, resolve, 0.02);
    default:
      return '';
  }
}

function rectangle([x0, y0, x1, y1]: Box, width: number): string {
  const half = width / 2;
  return `${[x0 + half, y0 + half, x1 - x0 - width, y1 - y0 - width].map(decimal).join(' ')} re`;
}

function ellipse([x0, y0, x1, y1]: Box, width: number): string {
  const [cx, cy] = [(x0 + x1) / 2, (y0 + y1) / 2];
  const [rx, ry] = [(x1 - x0 - width) / 2, (y1 - y0 - width) / 2];
  const k = 0.5523; // a quarter circle as a Bézier curve
  const curve = (...points: number[]): string => `${points.map(decimal).join(' ')} c`;
  return [
    `${decimal(cx + rx)} ${decimal(cy)} m`,
    curve(cx + rx, cy + ry * k, cx + rx * k, cy + ry, cx, cy + ry),
    curve(cx - rx * k, cy + ry, cx - rx, cy + ry * k, cx - rx, cy),
    curve(cx - rx, cy - ry * k, cx - rx * k, cy - ry, cx, cy - ry),
    curve(cx + rx * k, cy - ry, cx + rx, cy - ry * k, cx + rx, cy),
  ].join(' ');
}

function path(points: number[] | undefined): string {
  if (!points || points.length < 4) return '';
  const steps: string[] = [];
  for (let i = 0; i + 1 < points.length; i += 2) {
    steps.push(`${decimal(points[i] ?? 0)} ${decimal(points[i + 1] ?? 0)} ${i === 0 ? 'm' : 'l'}`);
  }
  return steps.join(' ');
}

/** One line per quadrilateral, at a share of its height above its lower edge. */
function textLines(annot: PdfDict, resolve: Resolve, height: number): string {
  const quads = toNumbers(annot.get('QuadPoints'), resolve) ?? [];
  const lines: string[] = [];
  for (let i = 0; i + 7 < quads.length; i += 8) {
    // Order in practice: upper left, upper right, lower left, lower right.
    const [ax = 0, ay = 0, bx = 0, by = 0, cx = 0, cy = 0, dx = 0, dy = 0] = quads.slice(i, i + 8);
    const left = [cx + (ax - cx) * height, cy + (ay - cy) * height];
    const right = [dx + (bx - dx) * height, dy + (by - dy) * height];
    lines.push(path([...left, ...right]));
  }
  return lines.join(' ');
}

/** Width of the border: /BS, else /Border, else 1 (ISO 32000-1 table 164). */
function borderWidth(annot: PdfDict, resolve: Resolve): number {
  const style = annot.get('BS', resolve);
  if (style instanceof PdfDict) return style.getNumber('W', resolve)?.value ?? 1;
  const border = annot.get('Border', resolve);
  if (border instanceof PdfArray)
    return toNumbers(new PdfArray(border.toArray().slice(0, 3)), resolve)?.[2] ?? 1;
  return 1;
}

function dash(annot: PdfDict, resolve: Resolve): string {
  const style = annot.get('BS', resolve);
  const border = annot.get('Border', resolve);
  const pattern =
    style instanceof PdfDict && nameOf(style, 'S', resolve) === 'D'
      ? (toNumbers(style.get('D'), resolve) ?? [3])
      : border instanceof PdfArray
        ? toNumbers(border.at(3), resolve)
        : undefined;
  return pattern && pattern.some((n) => n > 0) ? `[${pattern.map(decimal).join(' ')}] 0 d ` : '';
}

/** The stroke colour; an empty array means transparent. Links without one are black, shapes too. */
function stroke(annot: PdfDict, isLink: boolean, resolve: Resolve): string | undefined {
  const colour = annot.get('C', resolve);
  const parts = toNumbers(colour, resolve);
  if (!parts) return isLink || colour === undefined ? '0 G ' : undefined;
  const values = parts.map(decimal).join(' ');
  if (parts.length === 1) return `${values} G `;
  if (parts.length === 3) return `${values} RG `;
  return parts.length === 4 ? `${values} K ` : undefined;
}

function lists(value: PdfObject | undefined, resolve: Resolve): (number[] | undefined)[] {
  if (!(value instanceof PdfArray)) return [];
  return value.toArray().map((item) => toNumbers(item, resolve));
}
