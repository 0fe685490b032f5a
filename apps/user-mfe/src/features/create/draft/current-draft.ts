import { enteredStore } from '@karaar/api-client';

const NAME = 'current draft';

type Kept = { id: string; places: string[] };

/** The draft that a new form of this tab has become, and the places of the history from before it was one. */
export const currentDraft = {
  /** The draft that is at a place, by the router's key of it. */
  at: (place: string): string | undefined => {
    const { id, places } = (enteredStore.read(NAME) ?? {}) as Partial<Kept>;
    return Array.isArray(places) && places.includes(place) ? id : undefined;
  },
  keep: (id: string, places: Iterable<string>) => enteredStore.write(NAME, { id, places: [...places] }),
  forget: () => enteredStore.drop(NAME),
};
