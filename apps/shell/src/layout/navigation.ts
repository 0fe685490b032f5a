import { isBelow } from '@karaar/contracts/screens';
import type { KeyOf } from '@karaar/i18n';
import type { IconName } from '@karaar/ui';
import type en from './texts/en.json';

/** `label` is a key of the layout's texts. */
export type NavEntry = { to: string; label: KeyOf<typeof en>; icon: IconName };

/** The sidebar's links in order (spec §2 Shared layout). */
export const mainNav: readonly NavEntry[] = [
  { to: '/dashboard', label: 'dashboard', icon: 'home' },
  { to: '/document/create', label: 'create', icon: 'documentPlus' },
  { to: '/document/join', label: 'join', icon: 'join' },
  { to: '/chat', label: 'chat', icon: 'chat' },
  { to: '/wallet', label: 'wallet', icon: 'wallet' },
  { to: '/profile', label: 'profile', icon: 'person' },
];

export const helpNav: readonly NavEntry[] = [
  { to: '/about', label: 'about', icon: 'info' },
  { to: '/contact', label: 'contact', icon: 'mail' },
  { to: '/terms', label: 'terms', icon: 'scroll' },
  { to: '/privacy', label: 'privacy', icon: 'shield' },
];

/** The tab bar of phones: the most frequent links, with short labels. */
export const tabNav: readonly NavEntry[] = [
  { to: '/dashboard', label: 'tabDashboard', icon: 'home' },
  { to: '/document/create', label: 'tabCreate', icon: 'documentPlus' },
  { to: '/chat', label: 'chat', icon: 'chat' },
  { to: '/wallet', label: 'wallet', icon: 'wallet' },
  { to: '/profile', label: 'profile', icon: 'person' },
];

/**
 * Returns true if the tab bar is shown: on its screens and those of the menu. A document, a chat, creating
 * and joining use the lower edge for their own actions.
 */
export const hasTabs = (pathname: string): boolean => !/^\/(document|chat)\/[^/]/.test(pathname);

/**
 * Returns true for an active link: Dashboard on its exact path only, every other link on a path prefix (spec
 * §2).
 */
export function isActive(link: string, pathname: string): boolean {
  return link === '/dashboard' ? pathname === link : isBelow(link, pathname);
}
