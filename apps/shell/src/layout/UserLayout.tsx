import { queryKeys } from '@karaar/api-client';
import { AppFrame } from '@karaar/ui';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { SessionPolls } from '../session/polls.ts';
import { useSession } from '../session/SessionProvider.tsx';
import type { NavEntry } from './navigation.ts';
import { Sidebar } from './Sidebar.tsx';
import { TabBar } from './TabBar.tsx';
import { TopBar } from './TopBar.tsx';

/** The frame around every signed-in screen; refreshes its data. */
export function UserLayout({ children }: { children: ReactNode }) {
  const { user, signOut } = useSession();
  const queries = useQueryClient();
  const { pathname } = useLocation();
  if (!user) return null;
  const choose = (entry: NavEntry, close: () => void) => {
    close();
    // Opening Profile refreshes the profile (spec §2).
    if (entry.to === '/profile') void queries.invalidateQueries({ queryKey: queryKeys.profile });
  };
  return (
    <AppFrame
      place={pathname}
      homeLink={(brand, className) => (
        <Link to="/dashboard" className={className} aria-label="Karaar">
          {brand}
        </Link>
      )}
      nav={(close) => <Sidebar onChoose={(entry) => choose(entry, close)} onLogout={() => void signOut()} />}
      topBar={<TopBar user={user} />}
      tabs={<TabBar onChoose={(entry) => choose(entry, () => undefined)} />}
    >
      <SessionPolls />
      {children}
    </AppFrame>
  );
}
