import { screenRoutes } from '@karaar/contracts/screens';
import { shotName, shots } from './shots.ts';
import { wordOf } from './words.ts';

describe('the pictures of the screens', () => {
  it('show exactly the routes of the route table', () => {
    const pictured = [...new Set(shots.map(({ route }) => route))].sort();
    expect(pictured).toEqual(screenRoutes.map(({ path }) => path).sort());
  });

  it('have unique names', () => {
    const names = shots.map(shotName);
    expect(new Set(names).size).toBe(names.length);
  });

  it('are of a visitor who may see the route', () => {
    const allowed = {
      user: ['asha', 'vikram', 'ravi'],
      guest: ['guest'],
      open: ['guest', 'asha', 'vikram', 'ravi'],
      admin: ['admin'],
      'admin-guest': ['guest'],
    };
    for (const { route, as } of shots) {
      const access = screenRoutes.find(({ path }) => path === route)?.access ?? 'user';
      expect(allowed[access]).toContain(as);
    }
  });

  it('press only texts that exist', async () => {
    const asked: string[] = [];
    const hand = {
      press: (catalog: string, key: string) => {
        asked.push(wordOf(catalog, key, 'en'));
        return Promise.resolve();
      },
      type: () => Promise.resolve(),
      page: {
        click: () => Promise.resolve(),
        setOfflineMode: () => Promise.resolve(),
        waitForSelector: () => Promise.resolve(),
      },
    };
    // Only the parts of a hand that the entries use.
    for (const { prepare } of shots) await prepare?.(hand as never);
    expect(asked.length).toBeGreaterThan(3);
    expect(asked.every((word) => word.length > 1)).toBe(true);
  });

  it('take their parameters from the world', () => {
    for (const { route, path } of shots)
      if (route.includes(':')) expect([route, typeof path]).toEqual([route, 'function']);
  });
});
