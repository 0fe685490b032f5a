/** Gateways under attack: all callers share one upstream connection to each service. */
import { join } from 'node:path';
import { SERVICE_NAMES } from '@karaar/contracts/services';
import { cloneRoot } from '@karaar/testing/roots';
import { activeSession } from '@karaar/testing/people/sessions';
import { serviceProcess } from '@karaar/testing/servers/service-process';
import { startTokenIssuer } from '@karaar/testing/people/tokens';
import { bearer, type Target } from '../../check.ts';
import { newPerson, type Person } from '../../../src/person.ts';
import { roomyEnv } from '../../../src/room.ts';
import type { Field } from './attack.ts';
import { startRecorder, uninvited, type Echo } from './recorder.ts';

export type OpenField = Field & { stop: () => Promise<void> };

const PROFILE = '/api/users/profile';
const LIMIT_MS = 1_500;

async function startNarrowGateway(redisUrl: string, urlOf: (service: string) => string) {
  const gateway = await serviceProcess(join(cloneRoot, 'gateway/src/main.ts'), {
    NODE_ENV: 'development',
    SERVICE_NAME: 'gateway',
    HOST: '127.0.0.1',
    UPSTREAM_CONNECTIONS: '1',
    // On a busy machine the gateway must not refuse requests.
    QUEUE_TARGET_MS: '1000',
    ...roomyEnv,
    REDIS_URL: redisUrl,
    NATS_URL: 'nats://127.0.0.1:1',
    ...Object.fromEntries(SERVICE_NAMES.map((name) => [`${name.toUpperCase()}_URL`, urlOf(name)])),
  });
  await gateway.start();
  return gateway;
}

/** Sends an ordinary request. @param own fields by which the user recognises the right answer */
async function ask(
  url: string,
  token: string,
  own: Readonly<Record<string, string>>,
  put?: string,
): Promise<string[]> {
  try {
    const answer = await fetch(url, {
      ...(put === undefined ? {} : { method: 'PUT', body: put }),
      headers: { ...bearer(token), 'content-type': 'application/json' },
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const text = await answer.text();
    if (text.includes('# HELP')) return [`foreign answer: a user got metrics instead of ${url}`];
    if (answer.status !== 200) return [`ordinary request failed: ${url} answered ${answer.status}`];
    const body = JSON.parse(text) as Record<string, unknown>;
    if (Object.entries(own).every(([name, value]) => body[name] === value)) return [];
    return [`foreign answer: a user got another answer to ${url}: that to ${String(body['url'])}`];
  } catch (error) {
    return [`ordinary request failed: ${String(error)} ${String((error as Error).cause)}`];
  }
}

/** A gateway in front of a recorder. */
export async function recordedField(redisUrl: string): Promise<OpenField> {
  const tokens = await startTokenIssuer();
  const recorder = await startRecorder(tokens.jwksUrl);
  const gateway = await startNarrowGateway(redisUrl, () => recorder.url);
  const newToken = async () => tokens.user({ sessionId: await activeSession(redisUrl) });
  const [attacker, asha, vikram] = [await newToken(), await newToken(), await newToken()];
  let asked = 0;
  let expected: string[] = [];

  const askProfile = (token: string, body = ''): Promise<string[]> => {
    const mark = `o${(asked += 1)}z`;
    expected.push(mark);
    const path = `/users/profile?mark=${mark}`;
    const own: Omit<Echo, 'method'> = { url: path, authorization: `Bearer ${token}`, body };
    return ask(`${gateway.url}/api${path}`, token, own, body || undefined);
  };

  return {
    url: gateway.url,
    token: attacker,
    ordinary: async () => [...(await askProfile(asha)), ...(await askProfile(vikram, '{"city":"Pune"}'))],
    foreignIn: ({ body }) =>
      [asha, vikram].some((token) => body.includes(token)) ? 'a token of another user' : undefined,
    behind: (framing, id) => {
      const { requests, faults } = recorder.take();
      const wanted = expected;
      expected = [];
      const all = [...faults, ...uninvited(requests, framing, id, wanted)];
      return all.map((fault) => `reached the service: ${fault}`);
    },
    stop: async () => {
      await gateway.kill();
      await recorder.stop();
      await tokens.stop();
    },
  };
}

/** A gateway in front of the services of a running product. */
export async function productField({ url, services, redisUrl }: Target['inside']): Promise<OpenField> {
  const gateway = await startNarrowGateway(redisUrl, (name) => services[name] ?? '');
  const asha = await newPerson(url, 'Asha Rao', '+918600000001');
  const vikram = await newPerson(url, 'Vikram Shah', '+918600000002');
  const attacker = await newPerson(url, 'Ira Sen', '+918600000003');
  const askFor = ({ token }: Person, path: string, own: Record<string, string>) =>
    ask(gateway.url + path, token, own);
  const foreign = [asha, vikram].flatMap(({ token, charId, phone }) => [token, charId, phone]);

  return {
    url: gateway.url,
    token: attacker.token,
    ordinary: async () => [
      ...(await askFor(asha, PROFILE, { char_id: asha.charId })),
      ...(await askFor(vikram, PROFILE, { char_id: vikram.charId })),
      // The messaging service also accepts socket upgrades.
      ...(await askFor(asha, `/api/messaging/people/${vikram.userId}`, { user_id: vikram.userId })),
    ],
    foreignIn: ({ body }) => {
      if (body.includes('# HELP')) return 'metrics of a service';
      return foreign.some((value) => body.includes(value)) ? 'data of another user' : undefined;
    },
    stop: gateway.kill,
  };
}
