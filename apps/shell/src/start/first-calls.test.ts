import { allRoutes } from '@karaar/contracts/services';
import { firstCalls } from './first-calls.ts';

describe('firstCalls', () => {
  it('contains requests that a signed-in user may make by GET', () => {
    const paths = allRoutes()
      .filter(({ contract: { method, access } }) => method === 'GET' && access === 'user')
      .map(({ contract }) => `/api${contract.path}`);
    for (const call of firstCalls('/dashboard', '')) expect(paths).toContain(call.split('?')[0]);
  });

  it('contains the dashboard where a signed-in user lands on it, the layout elsewhere', () => {
    const layout = firstCalls('/wallet', '');
    expect(layout).toHaveLength(3);
    for (const path of ['/', '/dashboard', '/login', '/register']) {
      expect(firstCalls(path, '')).toEqual(expect.arrayContaining(layout));
      expect(firstCalls(path, '')).toHaveLength(9);
    }
    expect(firstCalls('/document/join', '?code=7K3MQX9A')).toEqual(layout);
  });

  it('leaves the list to the screen if the address selects a part of it', () => {
    const calls = firstCalls('/dashboard', '?status=draft');
    expect(calls.some((call) => call.includes('/page'))).toBe(false);
    expect(calls).toHaveLength(8);
  });

  it('contains no user requests for an admin', () => {
    expect(firstCalls('/admin', '')).toEqual([]);
    expect(firstCalls('/admin/users', '')).toEqual([]);
  });
});
