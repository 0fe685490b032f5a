import { hasTabs, helpNav, isActive, mainNav, tabNav } from './navigation.ts';

describe('navigation', () => {
  it('[LAYOUT-003] links to all sections', () => {
    expect([...mainNav, ...helpNav].map((item) => item.to)).toEqual([
      '/dashboard',
      '/document/create',
      '/document/join',
      '/chat',
      '/wallet',
      '/profile',
      '/about',
      '/contact',
      '/terms',
      '/privacy',
    ]);
  });

  it('has a tab bar on phones for some of them, but not on screens with their own lower bar', () => {
    const links = mainNav.map(({ to }) => to);
    expect(tabNav.length).toBeLessThanOrEqual(5);
    for (const { to } of tabNav) expect(links).toContain(to);
    for (const path of ['/dashboard', '/chat', '/wallet', '/profile', '/about'])
      expect([path, hasTabs(path)]).toEqual([path, true]);
    for (const path of [
      '/document/create',
      '/document/join',
      '/document/d1',
      '/document/d1/payment',
      '/chat/u2',
    ])
      expect([path, hasTabs(path)]).toEqual([path, false]);
  });

  it('[LAYOUT-004] marks Dashboard only on its exact path', () => {
    expect(isActive('/dashboard', '/dashboard')).toBe(true);
    expect(isActive('/dashboard', '/dashboard/x')).toBe(false);
  });

  it('[LAYOUT-005] marks the others on a path prefix', () => {
    for (const { to } of [...mainNav, ...helpNav].filter((link) => link.to !== '/dashboard'))
      expect([to, isActive(to, to), isActive(to, `${to}/u2`), isActive(to, `${to}s`)]).toEqual([
        to,
        true,
        true,
        false,
      ]);
  });
});
