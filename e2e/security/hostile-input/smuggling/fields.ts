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
 * @param urlOf address of each service
 */
async function startNarrowGateway(redisUrl: string, urlOf: (service: string) => string) {
  const gateway = await serviceProcess(join(cloneRoot, 'gateway/src/main.ts'), {
    NODE_ENV: 'development',
    SERVICE_NAME: 'gateway',
    HOST: '127.0.0.1',
    UPSTREAM_CONNECTIONS: '1',
    // Other work on the machine must not make the gateway refuse requests.
    QUEUE_TARGET_MS: '1000',
    ...roomyEnv,
    REDIS_URL: redisUrl,
    NATS_URL: 'nats://127.0.0.1:1',
    ...Object.fromEntries(SERVICE_NAMES.map((name) => [`${name.toUpperCase()}_URL`, urlOf(name)])),
  });
  await gateway.start();
  return gateway;
}

export type Field = Battlefield & { stop: () => Promise<void> };

/**
 * Asks as an ordinary user. A broken connection, an answer that is not JSON and a missing answer are faults like others.
 * @param own fields by which the user recognises the answer to this request
 */
async function ask(
  url: string,
  token: string,
  own: Readonly<Record<string, string>>,
  put?: string,
): Promise<Fault[]> {
  const foreign = (what: string): Fault[] => [{ kind: 'foreign answer', what }];
  const failed = (what: string): Fault[] => [{ kind: 'ordinary request failed', what }];
  try {
    const answer = await fetch(url, {
      ...(put === undefined ? {} : { method: 'PUT', body: put }),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await answer.text();
    if (text.includes('# HELP')) return foreign(`a user got metrics instead of ${url}`);
    if (answer.status !== 200) return failed(`${url} answered ${answer.status}`);
    const body = JSON.parse(text) as Record<string, unknown>;
    if (Object.entries(own).every(([name, value]) => body[name] === value)) return [];
    return foreign(`a user got another answer to ${url}: that to ${String(body['url'])}`);
  } catch (error) {
    if (!(error instanceof Error)) return failed(String(error));
    return failed(`${error.message} ${error.cause instanceof Error ? error.cause.message : ''}`);
  }
}

/** A gateway in front of a service that records what it gets. */
export async function recordedField(redisUrl: string): Promise<Field> {
  const tokens = await startTokenIssuer();
  const recorder = await startRecorder(tokens.jwksUrl);
  const gateway = await startNarrowGateway(redisUrl, () => recorder.url);
  const token = async () => tokens.user({ sessionId: await activeSession(redisUrl) });
  const [attacker, asha, vikram] = [await token(), await token(), await token()];
  let asked = 0;
  let expected: string[] = [];

  const askProfile = (of: string, put?: string): Promise<Fault[]> => {
    const mark = `o${(asked += 1)}z`;
    expected.push(mark);
    const path = `${PROFILE}?mark=${mark}`;
    const own = {
      url: path.slice('/api'.length),
      authorization: `Bearer ${of}`,
      body: put ?? '',
    } satisfies Partial<Echo>;
    return ask(gateway.url + path, of, own, put);
  };

  return {
    url: gateway.url,
    attacker: { host: new URL(gateway.url).host, token: attacker },
    ordinary: async () => [...(await askProfile(asha)), ...(await askProfile(vikram, '{"city":"Pune"}'))],
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
      await gateway.kill();
      await recorder.stop();
      await tokens.stop();
    },
  };
}

/** A gateway of its own in front of the services of a running product. */
export async function productField({ url, services, redisUrl }: Target['inside']): Promise<Field> {
  const gateway = await startNarrowGateway(redisUrl, (name) => services[name] ?? '');
  const asha = await newPerson(url, 'Asha Rao', '+918600000001');
  const vikram = await newPerson(url, 'Vikram Shah', '+918600000002');
  const attacker = await newPerson(url, 'Ira Sen', '+918600000003');

  const askFor = ({ token }: Person, path: string, own: Record<string, string>) =>
    ask(gateway.url + path, token, own);

  return {
    url: gateway.url,
    attacker: { host: new URL(gateway.url).host, token: attacker.token },
    ordinary: async () => [
      ...(await askFor(asha, PROFILE, { char_id: asha.charId })),
      ...(await askFor(vikram, PROFILE, { char_id: vikram.charId })),
      // The service that sockets lead to.
      ...(await askFor(asha, `/api/messaging/people/${vikram.userId}`, { user_id: vikram.userId })),
    ],
    foreignIn: ({ body }) => {
      const text = body.toString('latin1');
      if (text.includes('# HELP')) return 'metrics of a service';
      const values = [asha, vikram].flatMap(({ token, charId, phone }) => [token, charId, phone]);
      return values.some((value) => text.includes(value)) ? 'what belongs to another user' : undefined;
    },
    stop: gateway.kill,
  };
}
