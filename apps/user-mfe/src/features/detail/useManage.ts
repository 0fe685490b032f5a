import { useSearchParams } from 'react-router';

export type ManagePart = 'users' | 'payments';

/**
 * Returns the open part of the dialog. The page's address holds it: Back closes the dialog, and a reload
 * keeps it.
 */
export function useManage() {
  const [search, setSearch] = useSearchParams();
  const parameter = search.get('manage');
  const part: ManagePart | null = parameter === null ? null : parameter === 'payments' ? 'payments' : 'users';
  const set = (to: ManagePart | null, replace: boolean) =>
    setSearch(
      (now) => {
        if (to) now.set('manage', to);
        else now.delete('manage');
        return now;
      },
      { replace, preventScrollReset: true },
    );
  return {
    part,
    show: (to: ManagePart) => set(to, false),
    turnTo: (to: ManagePart) => set(to, true),
    close: () => set(null, true),
  };
}
