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
    keepDraft: (id: string) =>
      setSearch(
        changed((next) => next.set('draft', id)),
        { replace: true, preventScrollReset: true },
      ),
  };
}

/**
 * Changes the query of the browser's address. The router's own query is that of the last render: it would
 * lose the draft's ID, or a step opened during the save.
 */
function changed(change: (next: URLSearchParams) => void): URLSearchParams {
  const next = new URLSearchParams(window.location.search);
  change(next);
  return next;
}
