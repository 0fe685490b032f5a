/**
 * A process is killed under load: every acknowledged message is stored exactly once, every other one at most
 * once.
 */
import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { startBrokerAdmin } from '@karaar/bus';
import { startServiceWorld, type ServiceWorld, type WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import type { Message } from './api.ts';
import { freePort } from '@karaar/testing/processes/ports';
import { startProcess, type ServiceProcess } from './process.ts';

jest.setTimeout(90_000);

let world: ServiceWorld;
let port: number;
let service: ServiceProcess;
const url = () => service.url;

beforeAll(async () => {
  world = await startServiceWorld('kill', { service: 'messaging', startBrokerAdmin });
  port = await freePort();
  service = await startProcess(world.env, port);
}, 120_000);
afterAll(async () => {
  await service.stop('SIGTERM');
  await world.stop();
});

type Intent = { id: string; content: string; acknowledged: boolean };

it('loses no acknowledged message and duplicates none over two kills', async () => {
  const people: WorldUser[] = [];
  for (let i = 0; i < 6; i += 1) people.push(await world.addUser(`Person ${i}`));
  const intents = new Map<string, Intent[]>();
  let sending = true;
  let acknowledged = 0;

  /** Sends one message after the other, each until it is acknowledged, as the browser does. */
  const writer = async (from: WorldUser, to: WorldUser) => {
    const own: Intent[] = [];
    intents.set(`${from.userId} ${to.userId}`, own);
    for (let at = 0; sending; at += 1) {
      const intent = { id: randomUUID(), content: `${from.name} ${at}`, acknowledged: false };
      own.push(intent);
      while (!intent.acknowledged) {
        const answer = await fetch(`${url()}/messaging/send`, {
          method: 'POST',
          headers: { ...from.headers, 'content-type': 'application/json' },
          body: JSON.stringify({
            receiver_id: to.userId,
            content: intent.content,
            client_message_id: intent.id,
          }),
        }).catch(() => null);
        if (answer?.status === 201) {
          intent.acknowledged = true;
          acknowledged += 1;
        } else if (answer && answer.status < 500) throw new Error(`refused: ${answer.status}`);
        else await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  };
  const pairs = people.flatMap((from, at) => {
    const to = people[(at + 1) % people.length];
    return to ? [[from, to] as const] : [];
  });
  const writers = Promise.all(pairs.flatMap(([from, to]) => [writer(from, to), writer(to, from)]));
  for (let kill = 1; kill <= 2; kill += 1) {
    await until('there is load', async () => acknowledged > kill * 150, 30_000);
    await service.stop('SIGKILL');
    service = await startProcess(world.env, port);
  }
  await until('there is load again', async () => acknowledged > 450, 30_000);
  sending = false;
  await writers;

  let unread = 0;
  for (const [from, to] of pairs) {
    const stored: Message[] = [];
    for (let after = 0; ; after = stored.at(-1)?.seq ?? after) {
      const response = await fetch(
        `${url()}/messaging/conversations/${to.userId}?peek=true&limit=200&after=${after}`,
        { headers: from.headers },
      );
      const page = (await response.json()) as Message[];
      if (page.length === 0) break;
      stored.push(...page);
    }
    expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, at) => at + 1));
    for (const [writer, reader] of [
      [from, to],
      [to, from],
    ] as const) {
      const contents = stored
        .filter((message) => message.sender_id === writer.userId)
        .map(({ content }) => content);
      // Each message once, in the order of writing. None is missing, because the last one was acknowledged as
      // well.
      expect(contents).toEqual(
        intents.get(`${writer.userId} ${reader.userId}`)?.map(({ content }) => content),
      );
      unread += contents.length;
    }
  }
  let counted = 0;
  for (const reader of people) {
    const response = await fetch(`${url()}/messaging/unread-count`, { headers: reader.headers });
    counted += ((await response.json()) as { unread_count: number }).unread_count;
  }
  expect(counted).toBe(unread);
});
