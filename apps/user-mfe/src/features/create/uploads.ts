/** How far each file of one upload is, and which of them the server did not take; pure. */

/** The files travel one behind the other, so the share of the whole says how far each is (0 to 1). */
export function fileProgress(sizes: readonly number[], whole: number): number[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let sent = Math.min(Math.max(whole, 0), 1) * total;
  return sizes.map((size) => {
    const part = Math.min(size, Math.max(0, sent));
    sent -= size;
    return size === 0 ? 1 : part / size;
  });
}

/** The file that an error text names: the server says by name which one it cannot take. */
export function namedFile<F extends { name: string }>(files: readonly F[], text: string): F | undefined {
  return files
    .filter((file) => text.includes(file.name))
    .sort((a, b) => b.name.length - a.name.length)
    .at(0);
}
