/** Where the framings are sent: a gateway that shares one connection per service among all who come. */
import { join } from 'node:path';
import { SERVICE_NAMES } from '@karaar/contracts/services';
import { cloneRoot } from '@karaar/testing/roots';
import { activeSession } from '@karaar/testing/people/sessions';
import { serviceProcess } from '@karaar/testing/servers/service-process';
import { startTokenIssuer } from '@karaar/testing/people/tokens';
import type { Battlefield, Fault } from './attack.ts';
import { startRecorder, type Echo } from './recorder.ts';
import { uninvited } from './uninvited.ts';
import type { Target } from '../../check.ts';
import { newPerson, type Person } from '../../../src/person.ts';
import { roomyEnv } from '../../../src/room.ts';

const PROFILE = '/api/users/profile';
const PATIENCE_MS = 1_500;

/**
 * The gateway as a process of its own, with as few connections to its services as it takes.
 * @param env addresses of services, Redis and broker
 */
export async function startNarrowGateway(
  env: Record<string, string>,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const gateway = await serviceProcess(join(cloneRoot, 'gateway/src/main.ts'), {
    NODE_ENV: 'development',
    SERVICE_NAME: 'gateway',
    HOST: '127.0.0.1',
    UPSTREAM_CONNECTIONS: '1',
    // Other work on the machine must not make the gateway refuse requests.
    QUEUE_TARGET_MS: '1000',
    ...roomyEnv,
    ...env,
  });
  await gateway.start();
  return { url: gateway.url, stop: gateway.kill };
}

export type Field = Battlefield & { stop: () => Promise<void> };

/** A gateway in front of a service that records what it gets. */
export async function recordedField(redisUrl: string): Promise<Field> {
  const tokens = await startTokenIssuer();
  const recorder = await startRecorder(tokens.jwksUrl);
  const gateway = await startNarrowGateway({
    REDIS_URL: redisUrl,
    NATS_URL: 'nats://127.0.0.1:1',
    ...Object.fromEntries(SERVICE_NAMES.map((name) => [`${name.toUpperCase()}_URL`, recorder.url])),
  });
  const token = async () => tokens.user({ sessionId: await activeSession(redisUrl) });
  const [attacker, asha, vikram] = [await token(), await token(), await token()];
  let asked = 0;
  let expected: string[] = [];

  const ask = async (of: string, body?: string): Promise<Fault[]> => {
    const mark = `o${(asked += 1)}z`;
    expected.push(mark);
    const path = `${PROFILE}?mark=${mark}`;
    return patiently(async () => {
      const answer = await fetch(gateway.url + path, {
        ...(body === undefined ? {} : { method: 'PUT', body }),
        headers: { authorization: `Bearer ${of}`, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      const text = await answer.text();
      if (answer.status !== 200) return failed(`answered ${answer.status}`);
      const echo = JSON.parse(text) as Echo;
      const own =
        echo.url === path.slice('/api'.length) &&
        echo.authorization === `Bearer ${of}` &&
        echo.body === (body ?? '');
      return own ? [] : foreign(`a user got the answer to ${echo.method} ${echo.url}`);
    });
  };

  return {
    url: gateway.url,
    attacker: { host: new URL(gateway.url).host, token: attacker },
    ordinary: async () => [...(await ask(asha)), ...(await ask(vikram, '{"city":"Pune"}'))],
    foreignIn: ({ body }) => {
      const text = body.toString('latin1');
      return text.includes(asha) || text.includes(vikram) ? 'a token of another user' : undefined;
    },
    behind: (framing, id, nameOf) => {
      const { requests, faults } = recorder.take();
      const wanted = expected;
      expected = [];
      return [
        ...faults.map((what): Fault => ({ kind: 'reached the service', what })),
        ...uninvited(requests, framing, id, wanted, nameOf),
      ];
    },
    stop: async () => {
      await gateway.stop();
      await recorder.stop();
      await tokens.stop();
    },
  };
}

/** A gateway of its own in front of the services of a running product. */
export async function productField({ url, services, redisUrl }: Target['inside']): Promise<Field> {
  const gateway = await startNarrowGateway({
    REDIS_URL: redisUrl,
    NATS_URL: 'nats://127.0.0.1:1',
    ...Object.fromEntries(SERVICE_NAMES.map((name) => [`${name.toUpperCase()}_URL`, services[name] ?? ''])),
  });
  const asha = await newPerson(url, 'Asha Rao', '+918600000001');
  const vikram = await newPerson(url, 'Vikram Shah', '+918600000002');
  const attacker = await newPerson(url, 'Ira Sen', '+918600000003');

  const ask = ({ token }: Person, path: string, isOwn: (body: Record<string, unknown>) => boolean) =>
    patiently(async () => {
      const answer = await fetch(`${gateway.url}/api${path}`, {
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      const text = await answer.text();
      if (text.includes('# HELP')) return foreign(`a user got metrics instead of ${path}`);
      if (answer.status !== 200) return failed(`${path} answered ${answer.status}`);
      return isOwn(JSON.parse(text) as Record<string, unknown>)
        ? []
        : foreign(`a user got another answer to ${path}`);
    });
  const ownProfile = (of: Person) => ask(of, '/users/profile', ({ char_id }) => char_id === of.charId);

  return {
    url: gateway.url,
    attacker: { host: new URL(gateway.url).host, token: attacker.token },
    ordinary: async () => [
      ...(await ownProfile(asha)),
      ...(await ownProfile(vikram)),
      // The service that sockets lead to.
      ...(await ask(asha, `/messaging/people/${vikram.userId}`, ({ user_id }) => user_id === vikram.userId)),
    ],
    foreignIn: ({ body }) => {
      const text = body.toString('latin1');
      if (text.includes('# HELP')) return 'metrics of a service';
      const values = [asha, vikram].flatMap(({ token, charId, phone }) => [token, charId, phone]);
      return values.some((value) => text.includes(value)) ? 'what belongs to another user' : undefined;
    },
    stop: gateway.stop,
  };
}

const foreign = (what: string): Fault[] => [{ kind: 'foreign answer', what }];
const failed = (what: string): Fault[] => [{ kind: 'ordinary request failed', what }];

/** A broken connection, an answer that is not JSON and a missing answer are faults like others. */
async function patiently(ask: () => Promise<Fault[]>): Promise<Fault[]> {
  try {
    return await ask();
  } catch (error) {
    return failed(
      error instanceof Error
        ? `${error.message} ${error.cause instanceof Error ? error.cause.message : ''}`
        : String(error),
    );
  }
}
