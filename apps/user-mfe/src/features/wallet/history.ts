/** The filter of the wallet's transactions, kept in the address for reload, Back and shared links. Pure. */
import { call } from '@karaar/api-client';
import { walletRoutes } from '@karaar/contracts/wallet/http';
import { infiniteQueryOptions } from '@tanstack/react-query';

export type Shown = 'all' | 'credit' | 'debit';
/** Days as 2026-11-21, or empty. */
export type HistoryFilter = { show: Shown; from: string; to: string };

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const day = (text: string | null): string => (text && DAY.test(text) ? text : '');

/** Returns the filter of an address; invalid values are ignored. */
export function readFilter(search: URLSearchParams): HistoryFilter {
  const show = search.get('show');
  return {
    show: show === 'credit' || show === 'debit' ? show : 'all',
    from: day(search.get('from')),
    to: day(search.get('to')),
  };
}

/** Returns the address of a filter; defaults are left out. */
export function writeFilter({ show, from, to }: HistoryFilter): URLSearchParams {
  const entries = Object.entries({ show: show === 'all' ? '' : show, from, to });
  return new URLSearchParams(entries.filter(([, value]) => value !== ''));
}

/** Returns true if the period ends before it begins: no request is sent then. */
export const isBackwards = ({ from, to }: HistoryFilter): boolean => from !== '' && to !== '' && from > to;

export const isFiltered = ({ show, from, to }: HistoryFilter): boolean =>
  show !== 'all' || from !== '' || to !== '';

/** Returns the period as request parameters. */
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
