import type { LeftOut } from './documents/shapes.ts';

/** The key under which screens and certificates have the words for a part that is left out. */
export const partKey = (part: LeftOut) =>
  `part${part.charAt(0).toUpperCase()}${part.slice(1)}` as `part${Capitalize<LeftOut>}`;
