import type { ReactNode } from 'react';

/** One state of a part. */
export type Specimen = { state: string; show: ReactNode; wide?: boolean };

/** A part in the gallery: its name, its use in a line, and its states. */
export type Entry = { name: string; use: string; specimens: readonly Specimen[] };

export type Group = { title: string; entries: readonly Entry[] };

/** Shows states side by side. */
export const entry = (name: string, use: string, specimens: Record<string, ReactNode>): Entry => ({
  name,
  use,
  specimens: Object.entries(specimens).map(([state, show]) => ({ state, show })),
});

/** Shows states below each other, over the whole width. */
export const wide = (name: string, use: string, specimens: Record<string, ReactNode>): Entry => ({
  name,
  use,
  specimens: Object.entries(specimens).map(([state, show]) => ({ state, show, wide: true })),
});
