/** Development that others reach: started as nobody should start it, each way in which it starts. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FileCheck, Finding } from '../check.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** Nobody listens there; what goes on past its configuration fails later, and otherwise. */
const NOWHERE = 'http://127.0.0.1:9';
const LIMIT_MS = 30_000;

const common = {
  PORT: '0',
  INTERNAL_PORT: '0',
  DATABASE_URL: 'postgres://nobody@127.0.0.1:9/nothing',
  NATS_URL: 'nats://127.0.0.1:9',
  REDIS_URL: 'redis://127.0.0.1:9',
  AUTH_URL: NOWHERE,
  BLOB_DIR: '/nonexistent',
  BLOB_KEK: `dev:${Buffer.alloc(32).toString('base64')}`,
  SMS_PROVIDER: 'sandbox',
  SMS_API_URL: NOWHERE,
  SMS_ACCOUNT_SID: 'AC',
  SMS_AUTH_TOKEN: 'x',
  RAZORPAY_KEY_ID: 'rzp_test_x',
  RAZORPAY_KEY_SECRET: 'x',
};
const edge = 'dev-0123456789012345678901234567890123456789012';

/** What starts with sandboxes or demo accounts. */
const STARTS: readonly { name: string; entry: string; args?: string[]; env: Record<string, string> }[] = [
  {
    name: 'npm start',
    entry: 'infra/dev/src/main.ts',
    args: ['start'],
    env: { KARAAR_STATE: '/nonexistent/karaar' },
  },
  {
    name: 'sandbox',
    entry: 'libs/testing/src/sandboxes/main.ts',
    env: { ...common, RAZORPAY_WEBHOOK_SECRET: 'x' },
  },
  {
    name: 'gateway',
    entry: 'gateway/src/main.ts',
    env: {
      ...common,
      ...{ DOCUMENTS_URL: NOWHERE, PAYMENTS_URL: NOWHERE, WALLET_URL: NOWHERE, MESSAGING_URL: NOWHERE },
      ...{ VISION_URL: NOWHERE, CMS_URL: NOWHERE, NOTIFICATIONS_URL: NOWHERE, SANDBOX_URL: NOWHERE },
    },
  },
  {
    name: 'auth',
    entry: 'services/auth/src/main.ts',
    env: {
      ...common,
      SERVICE_NAME: 'auth',
      SEED_DEMO: 'true',
      AUTH_SECRET: Buffer.alloc(32).toString('base64'),
      PUBLIC_URL: NOWHERE,
    },
  },
  {
    name: 'documents',
    entry: 'services/documents/src/main.ts',
    env: {
      ...common,
      SERVICE_NAME: 'documents',
      VISION_INTERNAL_URL: NOWHERE,
      DOCUMENTS_TO_VISION_SECRETS: edge,
      PAYMENTS_TO_DOCUMENTS_SECRETS: `${edge}p`,
      WALLET_TO_DOCUMENTS_SECRETS: `${edge}w`,
      PUBLIC_URL: NOWHERE,
      CONVERTER_URL: NOWHERE,
      WORK_DIR: '/nonexistent',
      STATE_DIR: '/nonexistent',
    },
  },
  {
    name: 'wallet',
    entry: 'services/wallet/src/main.ts',
    env: {
      ...common,
      SERVICE_NAME: 'wallet',
      DOCUMENTS_INTERNAL_URL: NOWHERE,
      WALLET_TO_DOCUMENTS_SECRETS: edge,
      PAYMENTS_TO_WALLET_SECRETS: `${edge}p`,
      RAZORPAY_WEBHOOK_SECRETS: 'x',
      RAZORPAY_API_URL: NOWHERE,
    },
  },
];

/** What a process says until it ends, or until it has plainly started. */
function said({ entry, args = [], env }: (typeof STARTS)[number]): Promise<string> {
  const child = spawn(process.execPath, [entry, ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...env, HOST: '0.0.0.0' },
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('EXPOSED_DEVELOPMENT') || /"msg":"ready"|listens/.test(text)) child.kill('SIGKILL');
    });
  return new Promise((resolve) => child.on('close', () => resolve(text)));
}

export const exposure: FileCheck = {
  name: 'exposure',
  holds: 'what has sandboxes or demo accounts does not start where others reach it',
  look: async () => {
    const found: Finding[] = [];
    for (const start of STARTS) {
      const text = await said(start);
      if (!text.includes('EXPOSED_DEVELOPMENT'))
        found.push({
          where: start.name,
          what: `is not refused on HOST=0.0.0.0; it said: ${text.slice(-300)}`,
        });
    }
    return found;
  },
};
