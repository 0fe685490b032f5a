/** Which transactions the wallet shows, kept in the address so that reload, back and a shared link keep it. Pure. */
import { call } from '@karaar/api-client';
import { walletRoutes } from '@karaar/contracts/wallet/http';
import { infiniteQueryOptions } from '@tanstack/react-query';

export type Shown = 'all' | 'credit' | 'debit';
/** Days as 2026-11-21, or empty. */
export type HistoryFilter = { show: Shown; from: string; to: string };

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const day = (text: string | null): string => (text && DAY.test(text) ? text : '');

/** Reads the address; what makes no sense there counts as not said. */
export function readFilter(search: URLSearchParams): HistoryFilter {
  const show = search.get('show');
  return {
    show: show === 'credit' || show === 'debit' ? show : 'all',
    from: day(search.get('from')),
    to: day(search.get('to')),
  };
}

/** The address of a filter; what is as usual is left out. */
export function writeFilter({ show, from, to }: HistoryFilter): URLSearchParams {
  const entries = Object.entries({ show: show === 'all' ? '' : show, from, to });
  return new URLSearchParams(entries.filter(([, value]) => value !== ''));
}

/** Whether the period ends before it begins: nothing is asked of the server then. */
export const isBackwards = ({ from, to }: HistoryFilter): boolean => from !== '' && to !== '' && from > to;

export const isFiltered = ({ show, from, to }: HistoryFilter): boolean =>
  show !== 'all' || from !== '' || to !== '';

/** The filter as the calls take it. */
export const period = ({ from, to }: HistoryFilter) => ({ ...(from ? { from } : {}), ...(to ? { to } : {}) });

/** Transactions shown at first, and with each "Show more". */
const PAGE = 50;

export const historyQuery = (filter: HistoryFilter) =>
  infiniteQueryOptions({
    queryKey: ['wallet', 'transactions', filter],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      call(
        walletRoutes.transactions,
        {
          query: {
            ...period(filter),
            ...(filter.show === 'all' ? {} : { type: filter.show }),
            ...(pageParam ? { cursor: pageParam } : {}),
            limit: PAGE,
          },
        },
        { signal },
      ),
    getNextPageParam: (page) => (page.length < PAGE ? undefined : page.at(-1)?._id),
    enabled: !isBackwards(filter),
  });
