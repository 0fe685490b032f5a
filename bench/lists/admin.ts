/** The admins' lists, each on its own service with a seeded database, with all queries of their screens. */
import { startApi as startAuth } from '@karaar/service-auth/test/api';
import { startApi as startDocuments } from '@karaar/service-documents/test/api';
import { startApi as startPayments } from '@karaar/service-payments/test/api';
import type { Measured } from '../lib/report.ts';
import { measureList, ROWS, type List, type Service } from './measure.ts';
import { seedAllDocuments, seedAudit, seedPayments, seedUsers, START_S } from './seed.ts';

const ADMIN = { username: 'bench', password: 'the admin of the bench' };
const POOL = { DATABASE_POOL: '10' };

const day = (days: number) => new Date((START_S + days * 86_400) * 1_000).toISOString().slice(0, 10);
const days = `&from=${day(180)}&to=${day(181)}`;
const oldest = `&from=${day(1)}&to=${day(8)}`;

const documents: List = {
  name: 'documents',
  path: '/admin/documents',
  page: '/page',
  counts: 'counts',
  queries: {
    'by status': '&status=rejected',
    'by a rare status': '&status=draft',
    'by an unused status': '&status=finalized',
    'by day': days,
    'by day, by name': `${oldest}&sort=name`,
    'by name': '&sort=name',
    'by status and name': '&status=approved&sort=-name',
    'a rare status by name': '&status=draft&sort=name',
    'a status by day, by name': `${days}&status=rejected&sort=name`,
    'oldest first': '&sort=oldest',
    'rare text': '&search=plot%20417417',
    'text in one of a hundred': '&search=plot%2041',
    'text in one of a hundred, by name and day': `&search=plot%2041&sort=name${days}`,
    'common text': '&search=agreement',
    'common text, of a rare status': '&search=agreement&status=draft&sort=name',
    'common text, by day': `&search=pune${oldest}`,
    'text without a match': '&search=zzzqqq',
    'two letters': '&search=zq',
    'common text, by status and name': '&search=pune&status=rejected&sort=name',
    'a user’s': '&search=00000042',
    'of a user with a tenth': '&search=00000000',
    'of a user with a tenth, by name and day': `&search=00000000&sort=name${oldest}`,
  },
};

const payments: List = {
  name: 'payments',
  path: '/admin/payments',
  page: '/page',
  counts: 'totals',
  queries: {
    'by type': '&type=refund',
    'by status': '&status=failed',
    'by a rare status': '&status=pending',
    'a rare status by amount': '&status=pending&sort=amount',
    'by type and status, by amount': '&type=refund&status=failed&sort=-amount',
    'by day': days,
    'by day, by amount': `${oldest}&sort=amount`,
    'by amount': '&sort=amount',
    'oldest first': '&sort=oldest',
    'a user’s': '&search=00000042',
    'of a user with a tenth': '&search=00000000',
    'of a user with a tenth, failed, by amount': '&search=00000000&status=failed&sort=amount',
    'an order': '&search=order_44',
    'rare text': '&search=plot%20417417',
    'text in one of a hundred, by amount': '&search=plot%2041&sort=amount',
    'text in one of a hundred, pending': '&search=plot%2041&status=pending',
    'common text': '&search=agreement',
    'common text, by day and amount': `&search=rent&sort=-amount${oldest}`,
    'text without a match': '&search=zzzqqq',
    'two letters': '&search=zq',
  },
};

const users: List = {
  name: 'users',
  path: '/admin/users',
  page: '/page',
  counts: 'counts',
  queries: {
    'by a rare status': '&status=inactive',
    'a rare status by name': '&status=inactive&sort=name',
    'by status': '&status=active',
    'by name': '&sort=name',
    'last names first': '&sort=-name',
    'oldest first': '&sort=oldest',
    'by day': days,
    'by day, by name': `${oldest}&sort=name`,
    'rare text': '&search=person417417',
    'an e-mail': '&search=person417417%40example.org',
    'a phone': '&search=%2B916000417417',
    'a Char ID': '&search=000000CQM',
    'common text': '&search=meera',
    'common text, by name': '&search=meera&sort=name',
    'common text, deactivated': '&search=meera&status=inactive',
    'common text, by day': `&search=lakshmi${oldest}&sort=name`,
    'text in one of a hundred, by name': '&search=ab1&sort=name',
    'text without a match': '&search=zzzqqq',
    'two letters': '&search=zq',
  },
};

const audit: List = {
  name: 'audit log',
  path: '/admin/audit',
  queries: {
    'by area': '&action=user',
    'by a rare area': '&action=refund',
    'by an unused area': '&action=report',
    'by action': '&action=biometrics.opened',
    'by day': days,
    'by a rare area and day': `&action=refund${oldest}`,
    'of the admin with half of the actions': '&search=admin-1',
    'of another admin': '&search=admin-7',
    'of an admin, by a rare area': '&search=admin-1&action=refund',
    'of an admin, by day': `&search=admin-7${oldest}`,
    'of an unknown admin': '&search=nobody',
    'to a user': '&search=b6589fc6-ab0d-c82c-f120-99d1c2d40ab9',
  },
};

/** Measures lists of a service, and stops it. */
async function measured(
  api: { stop: () => Promise<void> },
  lists: readonly List[],
  prepare: () => Promise<Service>,
): Promise<Measured> {
  try {
    const service = await prepare();
    const rows = [];
    for (const list of lists) rows.push(...(await measureList(service, list)));
    return { rows };
  } finally {
    await api.stop();
  }
}

export async function measureDocuments(): Promise<Measured> {
  const api = await startDocuments('bench-admin-documents', POOL);
  return measured(api, [documents], async () => {
    await seedAllDocuments(api.world.ownerUrl, ROWS);
    return { url: api.url, headers: await api.world.adminHeaders() };
  });
}

export async function measurePayments(): Promise<Measured> {
  const api = await startPayments('bench-admin-payments', POOL);
  return measured(api, [payments], async () => {
    await seedPayments(api.world.ownerUrl, ROWS);
    return { url: api.service.url, headers: await api.world.adminHeaders() };
  });
}

export async function measureAccounts(): Promise<Measured> {
  const first = { FIRST_ADMIN_USERNAME: ADMIN.username, FIRST_ADMIN_PASSWORD: ADMIN.password };
  const api = await startAuth('bench-admin-accounts', { ...POOL, ...first });
  return measured(api, [users, audit], async () => {
    await seedUsers(api.world.ownerUrl, ROWS);
    await seedAudit(api.world.ownerUrl, ROWS);
    const { body } = await api.json('POST', '/admin/login', ADMIN);
    return { url: api.url, headers: { authorization: `Bearer ${String(body['token'])}` } };
  });
}
