import { adminActs } from './admin.ts';
import { authEvents } from './auth/events.ts';
import { documentsEvents } from './documents/events.ts';
import type { RouteContract } from './kit.ts';
import { notificationsEvents } from './notifications/events.ts';
import { paymentsEvents } from './payments/events.ts';
import { allRoutes } from './services.ts';
import { walletEvents } from './wallet/events.ts';

const routes: RouteContract[] = allRoutes().map(({ contract }) => contract);

describe('route contracts', () => {
  it('never give one method and path to two routes', () => {
    const keys = routes.map((route) => `${route.method} ${route.path}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('name the roles of every admin route, and only of those', () => {
    const wrong = routes.filter((route) => (route.access === 'admin') !== (route.roles?.length ?? 0) > 0);
    expect(wrong).toEqual([]);
  });

  it('declare each path parameter and accept a body in one form only', () => {
    for (const route of routes) {
      const named = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1]);
      expect(Object.keys(route.params?.properties ?? {})).toEqual(named);
      expect(route.body !== undefined && route.multipart !== undefined).toBe(false);
    }
  });
});

describe('event contracts', () => {
  const events = Object.values({
    ...authEvents,
    ...documentsEvents,
    ...notificationsEvents,
    ...paymentsEvents,
    ...walletEvents,
    ...adminActs,
  });

  it('carry service, aggregate, past tense and version in their subject', () => {
    for (const event of events) {
      expect(event.subject).toMatch(/^evt\.[a-z]+\.[a-z]+\.[a-z]+ed\.v[1-9]$/);
    }
  });

  it('contain no personal data, because the broker keeps events for 30 days after the deletion of an account', () => {
    const personal = /name|mail|phone|city|address|govt|token|code|message|content|text/;
    for (const event of events) {
      const fields = Object.keys(event.data.properties).filter((field) => personal.test(field));
      expect({ event: event.subject, fields }).toEqual({ event: event.subject, fields: [] });
    }
  });
});
