/** The messaging service for tests, with real Postgres, NATS and Redis and a stand-in for auth. */
import type { Message as MessageSchema } from '@karaar/contracts/messaging/http';
import { startBrokerAdmin } from '@karaar/bus';
import { listIn } from '@karaar/testing/list-in';
import { startServiceWorld, type ServiceWorld, type WorldUser } from '@karaar/testing/service-world';
import type { Static } from 'typebox';
import { Type } from 'typebox';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';

export type Message = Static<typeof MessageSchema>;
export type Answer = { status: number; body: Record<string, unknown> };
type EventName = { subject: string; type: string; version: number };
export type Caller = Pick<WorldUser, 'headers'> | undefined;
export type EventFields = { aggregateId?: string; aggregateVersion?: number; occurredAt?: string };
export type Api = {
  world: ServiceWorld;
  url: string;
  service: Awaited<ReturnType<typeof createApp>>;
  call: (caller: Caller, method: string, path: string, body?: unknown) => Promise<Answer>;
  send: (from: WorldUser, to: WorldUser, content: string, extra?: object) => Promise<Answer>;
  sendForm: (from: WorldUser, fields: Record<string, string | Blob>) => Promise<Answer>;
  conversation: (reader: WorldUser, other: WorldUser, query?: string) => Promise<Message[]>;
  unread: (reader: WorldUser) => Promise<unknown>;
  /** Publishes an event of another service. */
  publish: (event: EventName, data: object, fields?: EventFields) => Promise<void>;
  /** Three users who do not know each other. */
  people: () => Promise<[asha: WorldUser, vikram: WorldUser, meera: WorldUser]>;
  stop: () => Promise<void>;
};

/**
 * Starts the service with its own database.
 * @param env further environment variables
 */
export async function startApi(name: string, env: Record<string, string> = {}): Promise<Api> {
  const world = await startServiceWorld(name, { service: 'messaging', startBrokerAdmin });
  const service = await createApp(readConfig({ ...world.env, ...env }));
  const { url } = service;
  const call: Api['call'] = (caller, method, path, body) =>
    request(`${url}${path}`, {
      method,
      headers: { ...caller?.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    world,
    url,
    service,
    call,
    send: (from, to, content, extra = {}) =>
      call(from, 'POST', '/messaging/send', { receiver_id: to.userId, content, ...extra }),
    sendForm: (from, fields) => {
      const form = new FormData();
      for (const [field, value] of Object.entries(fields)) form.append(field, value);
      return request(`${url}/messaging/send`, { method: 'POST', headers: from.headers, body: form });
    },
    conversation: async (reader, other, query = '') =>
      listIn<Message>((await call(reader, 'GET', `/messaging/conversations/${other.userId}${query}`)).body),
    unread: async (reader) => (await call(reader, 'GET', '/messaging/unread-count')).body['unread_count'],
    publish: async (event, data, fields) =>
      void (await world.publish({ ...event, data: Type.Unknown() }, data, fields)),
    people: async () => [
      await world.addUser('Asha Rao'),
      await world.addUser('Vikram Shah'),
      await world.addUser('Meera Nair'),
    ],
    stop: async () => {
      await service.app.close();
      await service.close();
      await world.stop();
    },
  };
}

async function request(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
