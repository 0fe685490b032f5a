import { useEffect, useRef, useState, type RefObject } from 'react';

type Faults<Name extends string> = Partial<Record<Name, string>>;

/**
 * The faults of a form, shown at its fields. Each submit scrolls to the first invalid field and focuses it;
 * changing a field clears its fault.
 * @returns `form`: the props of the form element; `show`: shows faults, and returns true if it gets none;
 * `clear`: clears a field
 */
export function useFieldFaults<Name extends string>(): {
  form: RefObject<HTMLFormElement | null>;
  faults: Faults<Name>;
  show: (found: Faults<Name>) => boolean;
  clear: (name: Name) => void;
} {
  const form = useRef<HTMLFormElement>(null);
  const [{ faults, tries }, setState] = useState<{ faults: Faults<Name>; tries: number }>({
    faults: {},
    tries: 0,
  });
  useEffect(() => {
    if (tries === 0) return;
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid=true]');
    field?.scrollIntoView({ block: 'center' });
    field?.focus({ preventScroll: true });
  }, [tries]);
  return {
    form,
    faults,
    show: (found) => {
      setState((before) => ({ faults: found, tries: before.tries + 1 }));
      return Object.keys(found).length === 0;
    },
    clear: (name) =>
      setState((before) => {
        if (!(name in before.faults)) return before;
        const { [name]: _, ...rest } = before.faults;
        return { ...before, faults: rest as Faults<Name> };
      }),
  };
}
