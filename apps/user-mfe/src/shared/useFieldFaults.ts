import { useEffect, useRef, useState, type RefObject } from 'react';

type Faults<Name extends string> = Partial<Record<Name, string>>;

/**
 * What is wrong in a form, beside its fields. With each try to send it the first field that is wrong is brought into view and
 * focused, so that nobody looks for the error; a field that is changed loses its error.
 *
 * @returns `form`: for the form element; `show`: the errors of a try, true when there are none; `clear`: of a field
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
