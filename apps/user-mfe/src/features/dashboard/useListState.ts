import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { readState, writeState, type ListState } from './list-state.ts';

/** Milliseconds after the last keystroke until the list is requested. */
const TYPING_MS = 300;

/** Keeps the state of the list in the address, for Back, reload and copied links. */
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
    // Each keystroke replaces the history entry: Back leaves the search at once.
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
