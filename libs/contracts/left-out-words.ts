import type { LeftOut } from './documents/shapes.ts';

/** Returns the text key for a part that is left out, for user interfaces and certificates. */
export const partKey = (part: LeftOut) =>
  `part${part.charAt(0).toUpperCase()}${part.slice(1)}` as `part${Capitalize<LeftOut>}`;
