/** Everybody else: people at addresses of their own who do a little of everything, short calls and uploads. */
import { textPdf } from '@karaar/testing/made-up/files';
import { Pool, FormData as Form } from 'undici';
import type { Payer } from '../faults/people.ts';

const ADDRESSES = Array.from({ length: 40 }, (_, at) => `127.0.0.${3 + at}`);
const PATIENCE_MS = 10_000;

export type Others = {
  /** One request of a user. @throws Error when the status is not the expected one */
  call: (index: number) => Promise<void>;
  close: () => Promise<void>;
};

type Kind = { method: 'GET' | 'POST' | 'PUT'; path: string; body?: () => string | Form };

/** @param people who are signed in */
export async function startOthers(url: string, people: readonly Payer[]): Promise<Others> {
  const pools = ADDRESSES.map(
    (localAddress) => new Pool(url, { localAddress, connections: 6, headersTimeout: PATIENCE_MS }),
  );
  const pdf = await textPdf('An agreement that is not sealed.');
  const file = () => {
    const form = new Form();
    form.set('file', new Blob([new Uint8Array(pdf)], { type: 'application/pdf' }), 'agreement.pdf');
    return form;
  };
  const city = () => {
    const form = new Form();
    form.set('city', 'Pune');
    return form;
  };
  const message = () => JSON.stringify({ receiver_id: people[0]?.userId, content: 'Hello' });
  const kinds: Kind[] = [
    ...Array.from({ length: 6 }, (): Kind => ({ method: 'GET', path: '/users/profile' })),
    ...Array.from({ length: 4 }, (): Kind => ({ method: 'GET', path: '/documents/my-documents' })),
    ...Array.from({ length: 4 }, (): Kind => ({ method: 'GET', path: '/wallet/balance' })),
    ...Array.from({ length: 3 }, (): Kind => ({ method: 'GET', path: '/messaging/conversations' })),
    { method: 'POST', path: '/messaging/send', body: message },
    { method: 'PUT', path: '/users/profile', body: city },
    { method: 'POST', path: '/verify', body: file },
  ];
  return {
    call: async (index) => {
      const kind = kinds[index % kinds.length];
      const pool = pools[index % pools.length];
      // The receiver of the messages sends none.
      const who = people[1 + (index % (people.length - 1))];
      if (kind === undefined || pool === undefined || who === undefined) throw new Error('Nobody is there');
      const content = kind.body?.();
      const { statusCode, body } = await pool.request({
        method: kind.method,
        path: `/api${kind.path}`,
        headers: {
          ...who.headers,
          ...(typeof content === 'string' ? { 'content-type': 'application/json' } : {}),
        },
        body: content ?? null,
      });
      await body.dump();
      if (statusCode >= 300) throw new Error(`${kind.method} ${kind.path} answered ${statusCode}`);
    },
    close: async () => {
      await Promise.all(pools.map((pool) => pool.destroy()));
    },
  };
}
