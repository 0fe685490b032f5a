import { decodeName, latin, type Operation, operations } from './content-tokens.ts';

/** Maps a name in a marked-content operator to a layer that is shown or hidden, or to no layer. */
export type LayerOf = (propertyName: string) => 'shown' | 'hidden' | 'none';

const PAINTS = new Set(['S', 's', 'f', 'F', 'f*', 'B', 'B*', 'b', 'b*']);
const DROPPED = new Set(['sh', 'Do', 'EI']);
const MOVES = new Set(['Td', 'TD', 'Tm', 'T*', 'BT', 'ET']);
const SHOWS = new Set(['Tj', 'TJ', "'", '"']);

/**
 * Removes the layers from a content stream: their marks, and the drawings of hidden layers. Operators that
 * set state stay, so that the rest of the page does not move (ISO 32000-1 §8.11.3.1: hidden content still
 * moves the pen, clips and changes colours).
 */
export function withoutLayers(bytes: Uint8Array, layerOf: LayerOf): Uint8Array {
  const out: (string | Uint8Array)[] = [];
  const marks: { layer: 'shown' | 'hidden' | 'none'; dropped: boolean }[] = [];
  /** Indexes into `out` of hidden text whose width still matters, until the pen is set again. */
  let pending: number[] = [];
  let hidden = 0;
  let inText = false;
  /** The text render mode, which q and Q save and restore. */
  let mode = '0';
  const modes: string[] = [];

  for (const op of operations(bytes)) {
    const name = op.operator;
    if (name === 'BDC' || name === 'BMC') {
      const layer = name === 'BDC' ? layerOfMark(bytes, op, layerOf) : 'none';
      const dropped = layer !== 'none' || hidden > 0;
      marks.push({ layer, dropped });
      if (layer === 'hidden') hidden += 1;
      if (!dropped) out.push(bytes.subarray(op.start, op.end));
      continue;
    }
    if (name === 'EMC') {
      const mark = marks.pop();
      if (mark?.layer === 'hidden') hidden -= 1;
      if (mark && !mark.dropped) out.push(bytes.subarray(op.start, op.end));
      continue;
    }
    if (name === 'q') modes.push(mode);
    if (name === 'Q') mode = modes.pop() ?? mode;
    if (name === 'Tr') mode = operandOf(op, 0);
    if (name === 'BT') inText = true;
    if (name === 'ET') inText = false;
    if (MOVES.has(name)) forget();
    if (hidden === 0) {
      if (SHOWS.has(name)) {
        if (name === "'" || name === '"') forget();
        pending = [];
      }
      out.push(bytes.subarray(op.start, op.end));
    } else if (PAINTS.has(name)) out.push('n');
    else if (SHOWS.has(name)) hide(op);
    else if (!DROPPED.has(name)) out.push(bytes.subarray(op.start, op.end));
  }
  return join(out);

  function forget(): void {
    for (const index of pending) out[index] = '';
    pending = [];
  }

  function operandOf(op: Operation, index: number): string {
    const range = op.operands[index];
    return range ? latin(bytes, range[0], range[1]) : '0';
  }

  function hide(op: Operation): void {
    let shown = op.operands.length - 1;
    if (op.operator === '"') {
      forget();
      out.push(`${operandOf(op, 0)} Tw ${operandOf(op, 1)} Tc T*`);
      shown = 2;
    } else if (op.operator === "'") {
      forget();
      out.push('T*');
    }
    if (!inText) return;
    pending.push(out.length);
    // Render mode 3 draws nothing but moves the pen by the text's width.
    out.push(`3 Tr ${operandOf(op, shown)} ${op.operator === 'TJ' ? 'TJ' : 'Tj'} ${mode} Tr`);
  }
}

function layerOfMark(bytes: Uint8Array, op: Operation, layerOf: LayerOf): 'shown' | 'hidden' | 'none' {
  const [tag, property] = op.operands;
  if (!tag || !property || latin(bytes, tag[0], tag[1]) !== '/OC') return 'none';
  const text = latin(bytes, property[0], property[1]);
  return text.startsWith('/') ? layerOf(decodeName(text.slice(1))) : 'none';
}

function join(parts: readonly (string | Uint8Array)[]): Uint8Array {
  const line = Buffer.from('\n');
  return Buffer.concat(
    parts.flatMap((part) => [typeof part === 'string' ? Buffer.from(part, 'latin1') : part, line]),
  );
}
