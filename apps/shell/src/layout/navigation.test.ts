import { helpNav, isActive, mainNav } from './navigation.ts';

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

  it('[LAYOUT-004] marks Dashboard only on its exact path', () => {
    expect(isActive('/dashboard', '/dashboard')).toBe(true);
    expect(isActive('/dashboard', '/dashboard/x')).toBe(false);
  });

  it('[LAYOUT-005] marks the others on a path prefix', () => {
    expect(isActive('/chat', '/chat/u2')).toBe(true);
    expect(isActive('/chat', '/chat')).toBe(true);
    expect(isActive('/chat', '/chats')).toBe(false);
  });
});
