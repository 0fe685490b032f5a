/** Incremental updates written by hand, as an attacker writes them. */

export type Objects = Readonly<Record<number, string>>;

/** Appends `objects` as a further revision, with its own cross-reference table and trailer. */
export function append(
  pdf: Uint8Array,
  objects: Objects,
  options: { trailer?: string; xref?: boolean; eof?: string } = {},
): Buffer {
  const base = Buffer.from(pdf);
  const text = base.toString('latin1');
  const previous = /startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1] ?? '0';
  const root = text.lastIndexOf('/Root ');
  const rootText = /\/Root \d+ 0 R/.exec(text.slice(root))?.[0] ?? '/Root 1 0 R';
  let tail = '';
  let table = 'xref\n';
  for (const [number, value] of Object.entries(objects)) {
    table += `${number} 1\n${String(base.length + tail.length).padStart(10, '0')} 00000 n \n`;
    tail += `${number} 0 obj\n${value}\nendobj\n`;
  }
  const start = base.length + tail.length;
  if (options.xref !== false) {
    tail += `${table}trailer\n<</Size 99${rootText}/Prev ${previous}${options.trailer ?? ''}>>\nstartxref\n${start}\n`;
  }
  return Buffer.concat([base, Buffer.from(`${tail}${options.eof ?? '%%EOF\n'}`, 'latin1')]);
}

export function anatomy(pdf: Uint8Array) {
  const text = Buffer.from(pdf).toString('latin1');
  const contents = text.indexOf('/Contents <', text.lastIndexOf('/Type /Sig/')) + '/Contents <'.length;
  const end = text.indexOf('>', contents);
  const range = /\/ByteRange \[[^\]]*\]/.exec(text.slice(text.lastIndexOf('/Type /Sig/')));
  const number = (pattern: RegExp): number => Number(pattern.exec(text)?.[1]);
  return {
    text,
    contents,
    contentsEnd: end,
    byteRange: range?.[0] ?? '',
    revision: text.lastIndexOf('%%EOF\n', text.lastIndexOf('/Type /Sig/')) + 6,
    startxref: number(/startxref\n(\d+)\n%%EOF\n$/),
    catalog: number(/\/Root (\d+) 0 R(?![\s\S]*\/Root )/),
    signature: number(/\/DocMDP (\d+) 0 R/),
    field: number(/\/Fields \[(\d+) 0 R \]/),
  };
}

/**
 * Replaces the last occurrence of a text.
 * @throws Error if the file does not contain it
 */
export function replace(pdf: Uint8Array, from: string, to: string): Buffer {
  const text = Buffer.from(pdf).toString('latin1');
  const at = text.lastIndexOf(from);
  if (at < 0) throw new Error(`the file has no ${from.slice(0, 40)}`);
  return Buffer.from(text.slice(0, at) + to + text.slice(at + from.length), 'latin1');
}

export const splice = (pdf: Uint8Array, start: number, end: number, middle: Uint8Array | string): Buffer =>
  Buffer.concat([
    Buffer.from(pdf).subarray(0, start),
    typeof middle === 'string' ? Buffer.from(middle, 'latin1') : middle,
    Buffer.from(pdf).subarray(end),
  ]);
