import { useSearchParams } from 'react-router';
import { isStep, type Step } from './steps.ts';

/** The page's address holds the step: Back leads to the previous step, and a reload keeps it. */
export function useStep() {
  const [search, setSearch] = useSearchParams();
  const named = search.get('step');
  const step: Step = isStep(named) ? named : 'document';
  return {
    step,
    go: (to: Step) =>
      setSearch(
        changed((next) => {
          if (to === 'document') next.delete('step');
          else next.set('step', to);
        }),
      ),
    /** The form is a draft from now on. */
    keepDraft: (id: string) =>
      setSearch(
        changed((next) => next.set('draft', id)),
        { replace: true, preventScrollReset: true },
      ),
  };
}

/**
 * Changes the parameters of the browser's address. The router's own are those of the last render: a step that the user
 * opens while the draft is saved would be lost, or the draft's ID.
 */
function changed(change: (next: URLSearchParams) => void): URLSearchParams {
  const next = new URLSearchParams(window.location.search);
  change(next);
  return next;
}
