import { useTexts } from '@karaar/i18n';
import { BottomLink, BottomBar } from '@karaar/ui';
import { Link, useLocation } from 'react-router';
import { hasTabs, isActive, tabNav, type NavEntry } from './navigation.ts';
import { UnreadBadge } from './Sidebar.tsx';
import { layoutTexts } from './texts.ts';

/** The tab bar of phones. */
export function TabBar({ onChoose }: { onChoose: (entry: NavEntry) => void }) {
  const t = useTexts(layoutTexts);
  const { pathname } = useLocation();
  if (!hasTabs(pathname)) return null;
  return (
    <BottomBar label={t('tabs')}>
      {tabNav.map((entry) => (
        <BottomLink
          key={entry.to}
          as={Link}
          to={entry.to}
          icon={entry.icon}
          current={isActive(entry.to, pathname)}
          extra={entry.to === '/chat' ? <UnreadBadge /> : undefined}
          onClick={() => onChoose(entry)}
        >
          {t(entry.label)}
        </BottomLink>
      ))}
    </BottomBar>
  );
}
