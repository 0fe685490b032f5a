import { enteredStore } from '@karaar/api-client';

const NAME = 'current draft';

type Kept = { id: string; places: string[] };

/** The draft that the new form of this tab became, and the history entries from before. */
export const currentDraft = {
  at: (place: string): string | undefined => {
    const { id, places } = (enteredStore.read(NAME) ?? {}) as Partial<Kept>;
    return Array.isArray(places) && places.includes(place) ? id : undefined;
  },
  keep: (id: string, places: Iterable<string>) => enteredStore.write(NAME, { id, places: [...places] }),
  forget: () => enteredStore.drop(NAME),
};
