/** Writes OLE compound files (MS-CFB) and macros for tests. */

const [SECTOR, SMALL, CUTOFF] = [512, 64, 4096];
const [FREE, END, FAT] = [0xffffffff, 0xfffffffe, 0xfffffffd];
const [STORAGE, STREAM, ROOT] = [1, 2, 5];

type Node = { name: string; type: number; bytes: Buffer; children: Node[] };

/** Returns a compound file with these streams; a path names the storages of a stream, separated by `/`. */
export function compoundFile(streams: Readonly<Record<string, Uint8Array>>): Buffer {
  const root: Node = { name: 'Root Entry', type: ROOT, bytes: Buffer.alloc(0), children: [] };
  for (const [path, bytes] of Object.entries(streams)) addStream(root, path.split('/'), Buffer.from(bytes));
  const nodes = flat(root);
  const sectors: Buffer[] = [];
  const next: number[] = [];
  const smallNext: number[] = [];
  const pool: Buffer[] = [];
  const starts = new Map<Node, number>();
  for (const node of nodes) {
    const isSmall = node.bytes.length < CUTOFF;
    if (node.type !== STREAM) continue;
    starts.set(
      node,
      append(
        node.bytes,
        isSmall ? SMALL : SECTOR,
        ...(isSmall ? ([pool, smallNext] as const) : ([sectors, next] as const)),
      ),
    );
  }
  root.bytes = Buffer.concat(pool);
  starts.set(root, append(root.bytes, SECTOR, sectors, next));
  const smallTable = append(words(smallNext), SECTOR, sectors, next);
  const directory = append(
    Buffer.concat(nodes.map((node) => entryOf(node, nodes, starts))),
    SECTOR,
    sectors,
    next,
  );

  let tables = 1;
  while ((next.length + tables) * 4 > tables * SECTOR) tables += 1;
  const first = next.length;
  for (let i = 0; i < tables; i += 1) next.push(FAT);
  const table = words(next);
  for (let i = 0; i < tables; i += 1)
    sectors.push(padded(table.subarray(i * SECTOR, (i + 1) * SECTOR), SECTOR, 0xff));

  const head = Buffer.alloc(SECTOR, 0);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(head);
  for (const [at, value] of [
    [24, 0x3e],
    [26, 3],
    [28, 0xfffe],
    [30, 9],
    [32, 6],
  ] as const)
    head.writeUInt16LE(value, at);
  for (const [at, value] of [
    [44, tables],
    [48, directory],
    [56, CUTOFF],
    [60, smallTable],
    [64, Math.ceil((smallNext.length * 4) / SECTOR)],
    [68, END],
  ] as const)
    head.writeUInt32LE(value, at);
  head.fill(0xff, 76);
  for (let i = 0; i < tables; i += 1) head.writeUInt32LE(first + i, 76 + 4 * i);
  return Buffer.concat([head, ...sectors]);
}

function addStream(node: Node, [name = '', ...rest]: readonly string[], bytes: Buffer): void {
  if (rest.length === 0) return void node.children.push({ name, type: STREAM, bytes, children: [] });
  let storage = node.children.find((child) => child.name === name);
  if (!storage) node.children.push((storage = { name, type: STORAGE, bytes: Buffer.alloc(0), children: [] }));
  addStream(storage, rest, bytes);
}

const flat = (node: Node): Node[] => [node, ...node.children.flatMap(flat)];

function append(bytes: Buffer, size: number, sectors: Buffer[], next: number[]): number {
  if (bytes.length === 0) return END;
  const start = next.length;
  for (let at = 0; at < bytes.length; at += size) {
    sectors.push(padded(bytes.subarray(at, at + size), size, 0));
    next.push(at + size < bytes.length ? next.length + 1 : END);
  }
  return start;
}

const padded = (bytes: Buffer, size: number, fill: number): Buffer =>
  Buffer.concat([bytes, Buffer.alloc(size - bytes.length, fill)]);

function words(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => bytes.writeUInt32LE(value, 4 * i));
  return bytes;
}

/** Children form a list: each links to the next as its right sibling. */
function entryOf(node: Node, nodes: readonly Node[], starts: ReadonlyMap<Node, number>): Buffer {
  const entry = Buffer.alloc(128);
  const name = Buffer.from(`${node.name}\0`, 'utf16le');
  name.copy(entry);
  entry.writeUInt16LE(name.length, 64);
  entry[66] = node.type;
  entry[67] = 1;
  const indexOf = (other: Node | undefined): number => (other ? nodes.indexOf(other) : FREE);
  const siblings = nodes.find(({ children }) => children.includes(node))?.children ?? [];
  entry.writeUInt32LE(FREE, 68);
  entry.writeUInt32LE(indexOf(siblings[siblings.indexOf(node) + 1]), 72);
  entry.writeUInt32LE(indexOf(node.children[0]), 76);
  entry.writeUInt32LE(starts.get(node) ?? 0, 116);
  entry.writeUInt32LE(node.bytes.length, 120);
  return entry;
}

/**
 * Returns a module of a VBA project: cached bytes, and the source in Word's compression, as literals only.
 */
export function vbaModule(source: string): Buffer {
  const text = Buffer.from(`Attribute VB_Name = "ThisDocument"\r\n${source}`, 'latin1');
  const parts: Buffer[] = [Buffer.alloc(900, 7), Buffer.of(1)];
  for (let at = 0; at < text.length; at += 3000) {
    const letters = text.subarray(at, at + 3000);
    const groups = Array.from({ length: Math.ceil(letters.length / 8) }, (_, i) =>
      Buffer.concat([Buffer.of(0), letters.subarray(i * 8, i * 8 + 8)]),
    );
    const part = Buffer.concat(groups);
    const head = Buffer.alloc(2);
    head.writeUInt16LE(0xb000 | (part.length - 1));
    parts.push(head, part);
  }
  return Buffer.concat(parts);
}

/** Returns the part of a Word 97 DOC that is checked before the conversion. */
export function wordDocument(flags = 0): Buffer {
  const fib = Buffer.alloc(2048);
  for (const [at, value] of [
    [0, 0xa5ec],
    [2, 0xc1],
    [10, flags],
  ] as const)
    fib.writeUInt16LE(value, at);
  return fib;
}

/**
 * Returns a Word 97 DOC with fields of these numbers in its main text, as far as the reader of fields needs
 * it.
 */
export function fieldsOfDoc(numbers: readonly number[], { isSmall }: { isSmall: boolean }): Buffer {
  const marks = 3 * numbers.length;
  const from = 700;
  const size = 4 * (marks + 1) + 2 * marks;
  const table = Buffer.alloc(isSmall ? from + size : 9000, 0x1f);
  numbers.forEach((number, i) =>
    Buffer.of(0x13, number, 0x14, 0xff, 0x15, 0x80).copy(table, from + 4 * (marks + 1) + 6 * i),
  );
  const fib = wordDocument(0x0200);
  fib.writeUInt32LE(from, 154 + 8 * 16);
  fib.writeUInt32LE(size, 154 + 8 * 16 + 4);
  return compoundFile({ WordDocument: fib, '0Table': Buffer.alloc(9000, 0x13), '1Table': table });
}
