import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { readState, writeState, type ListState } from './list-state.ts';

/** Milliseconds after the last letter until the list is asked for. */
const TYPING_MS = 300;

/** The state of the list in the address: back, reload and a copied link keep it. */
export function useListState() {
  const [address, setAddress] = useSearchParams();
  const navigate = useNavigate();
  const location = useLocation();
  const state = readState(address);
  const [typed, setTyped] = useState(state.search);
  const set = (change: Partial<ListState>, replace = false) =>
    setAddress((now) => writeState(now, change), { replace, preventScrollReset: true });

  const search = useEffectEvent(() => set({ search: typed }, true));
  useEffect(() => {
    if (typed === state.search) return;
    // Each letter replaces the one before: back leaves the search, not letter by letter.
    const timer = setTimeout(() => search(), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, state.search]);

  const next = (cursor: string) =>
    void navigate({ search: writeState(address, { cursor }).toString() }, { state: { paged: true } });
  const previous = () => {
    const cameByNext = (location.state as { paged?: boolean } | null)?.paged === true;
    if (cameByNext) void navigate(-1);
    else set({ cursor: '' });
  };
  return { state, typed, setTyped, set, next, previous };
}
