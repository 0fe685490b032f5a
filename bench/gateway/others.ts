/** All other users: from many addresses, with short calls and uploads. */
import { textPdf } from '@karaar/testing/made-up/files';
import { Pool, FormData } from 'undici';
import type { Payer } from '../lib/people.ts';

const ADDRESSES = Array.from({ length: 40 }, (_, at) => `127.0.0.${3 + at}`);
const PATIENCE_MS = 10_000;

export type Others = {
  /** Sends one request of a user. @throws Error when it fails */
  call: (index: number) => Promise<void>;
  close: () => Promise<void>;
};

type Kind = [method: 'GET' | 'POST' | 'PUT', path: string, body?: () => string | FormData];
const times = (count: number, path: string): Kind[] => Array.from({ length: count }, () => ['GET', path]);

/** @param people signed-in users; the first one only receives messages */
export async function startOthers(url: string, [receiver, ...people]: readonly Payer[]): Promise<Others> {
  const pools = ADDRESSES.map(
    (localAddress) => new Pool(url, { localAddress, connections: 6, headersTimeout: PATIENCE_MS }),
  );
  const pdf = await textPdf('An agreement that is not sealed.');
  const form = (name: string, value: string | Blob) => {
    const made = new FormData();
    made.set(name, value);
    return made;
  };
  const file = new File([new Uint8Array(pdf)], 'agreement.pdf', { type: 'application/pdf' });
  const kinds: Kind[] = [
    ...times(6, '/users/profile'),
    ...times(4, '/documents/my-documents'),
    ...times(4, '/wallet/balance'),
    ...times(3, '/messaging/conversations'),
    ['POST', '/messaging/send', () => JSON.stringify({ receiver_id: receiver?.userId, content: 'Hello' })],
    ['PUT', '/users/profile', () => form('city', 'Pune')],
    ['POST', '/verify', () => form('file', file)],
  ];
  return {
    call: async (index) => {
      const [method, path, content] = kinds[index % kinds.length] ?? ['GET', '/users/profile'];
      const body = content?.() ?? null;
      const { statusCode, body: answer } = await (pools[index % pools.length] as Pool).request({
        method,
        path: `/api${path}`,
        headers: {
          ...people[index % people.length]?.headers,
          ...(typeof body === 'string' && { 'content-type': 'application/json' }),
        },
        body,
      });
      await answer.dump();
      if (statusCode >= 300) throw new Error(`${method} ${path} answered ${statusCode}`);
    },
    close: async () => void (await Promise.all(pools.map((pool) => pool.destroy()))),
  };
}
