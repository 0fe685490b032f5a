import type { IconName } from '@karaar/ui';
import { layoutTexts as texts } from './texts.ts';

export type NavItem = { to: string; label: string; icon: IconName };

/** The sidebar's links in their order (spec §2 Shared layout). */
export const mainNav: readonly NavItem[] = [
  { to: '/dashboard', label: texts.dashboard, icon: 'home' },
  { to: '/document/create', label: texts.create, icon: 'documentPlus' },
  { to: '/document/join', label: texts.join, icon: 'join' },
  { to: '/chat', label: texts.chat, icon: 'chat' },
  { to: '/wallet', label: texts.wallet, icon: 'wallet' },
  { to: '/profile', label: texts.profile, icon: 'person' },
];

export const helpNav: readonly NavItem[] = [
  { to: '/about', label: texts.about, icon: 'info' },
  { to: '/contact', label: texts.contact, icon: 'mail' },
  { to: '/terms', label: texts.terms, icon: 'scroll' },
  { to: '/privacy', label: texts.privacy, icon: 'shield' },
];

/** Dashboard is active on its exact path only, every other link on a path prefix (spec §2). */
export function isActive(link: string, pathname: string): boolean {
  if (link === '/dashboard') return pathname === link;
  return pathname === link || pathname.startsWith(`${link}/`);
}
