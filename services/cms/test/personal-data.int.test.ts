/** The tables of this service name only admins, so the service exports and erases nothing. */
import { startBrokerAdmin } from '@karaar/bus';
import { forgottenOf, named, type Reasons } from '@karaar/testing/made-up/personal-data';
import { startServiceWorld, type ServiceWorld } from '@karaar/testing/service-world';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';

/** Columns that name people, with the reason why they are not erased. */
const STAYS: Reasons = {
  'an admin, who wrote a page of the product': [
    'page_drafts.author_id',
    'page_drafts.author_name',
    'page_versions.author_id',
    'page_versions.author_name',
  ],
  'a page of the product': ['content', 'slug', 'title']
    .flatMap((column) => [`page_drafts.${column}`, `page_versions.${column}`])
    .concat('page_versions.note'),
};

let world: ServiceWorld;
let service: Awaited<ReturnType<typeof createApp>>;
beforeAll(async () => {
  world = await startServiceWorld('cms-personal', { service: 'cms', startBrokerAdmin });
  service = await createApp(readConfig(world.env));
}, 120_000);
afterAll(async () => {
  await service.app.close();
  await service.close();
  await world.stop();
});

it('stores nothing about users', async () => {
  const rows = { url: world.ownerUrl, userId: crypto.randomUUID(), things: [] };
  const nothing = { exportData: () => Promise.resolve({}), erase: () => Promise.resolve() };
  const { left } = await forgottenOf(rows, { ...nothing, stays: named(STAYS).length });
  expect(left).toEqual(named(STAYS));
});
