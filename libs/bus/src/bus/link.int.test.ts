import { startBroker, type TestBroker } from '@karaar/testing/servers/broker';
import { until } from '@karaar/testing/until';
import { createLogger } from '@karaar/observability/logging';
import { openLink } from './link.ts';

let broker: TestBroker;
beforeAll(async () => {
  broker = await startBroker();
});
afterAll(() => broker.remove());

const restart = async (password: string): Promise<void> => {
  await broker.kill();
  await broker.start({ password });
};
const url = (passwords: string): string => broker.url.replace('//', `//user:${passwords}@`);

it('connects with the password that the broker accepts, before, during and after a rotation', async () => {
  await restart('old,one');
  const logger = createLogger({ name: 'test', level: 'silent' });
  const link = await openLink({ url: `${url('old%2Cone,new')},${broker.url}`, name: 'test', logger });
  const reconnected = async (): Promise<void> => {
    const { epoch } = link;
    await until('it is connected again', () => Promise.resolve(link.epoch > epoch));
  };
  for (const password of ['new', 'new', 'new', 'old,one']) {
    const again = reconnected();
    await restart(password);
    await again;
  }
  await link.nc.close();
});

it('goes on trying if the broker refuses its only password, and connects once it is accepted', async () => {
  await restart('only');
  const logger = createLogger({ name: 'test', level: 'silent' });
  const link = await openLink({ url: url('only'), name: 'test', logger });
  const errors: unknown[] = [];
  link.logger.error = (_: object, message?: string) => void errors.push(message);
  await restart('other');
  await until('it was refused three times', () => Promise.resolve(errors.length >= 3));
  expect(link.state).toBe('disconnected');
  await restart('only');
  await expect(link.connectedWithin(20_000)).resolves.toBe(true);
  await link.nc.close();
});
