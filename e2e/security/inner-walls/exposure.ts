/** Development that others reach: started as nobody should start it, each way in which it starts. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FileCheck, Finding } from '../check.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** Nobody listens there; what goes on past its configuration fails later, and otherwise. */
const NOWHERE = 'http://127.0.0.1:9';
const LIMIT_MS = 30_000;

const secret = (of: string): string => `dev-${of.repeat(47).slice(0, 47)}`;
/** The settings of all that starts here; each takes its own. */
const SETTINGS: Record<string, string> = {
  ...{ PORT: '0', INTERNAL_PORT: '0', SEED_DEMO: 'true' },
  ...{ KARAAR_STATE: '/nonexistent/karaar', BLOB_DIR: '/nonexistent', WORK_DIR: '/nonexistent' },
  DATABASE_URL: 'postgres://nobody@127.0.0.1:9/nothing',
  ...{ NATS_URL: 'nats://127.0.0.1:9', REDIS_URL: 'redis://127.0.0.1:9' },
  ...{ AUTH_URL: NOWHERE, DOCUMENTS_URL: NOWHERE, PAYMENTS_URL: NOWHERE, WALLET_URL: NOWHERE },
  ...{ MESSAGING_URL: NOWHERE, VISION_URL: NOWHERE, CMS_URL: NOWHERE, NOTIFICATIONS_URL: NOWHERE },
  ...{ SANDBOX_URL: NOWHERE, PUBLIC_URL: NOWHERE, CONVERTER_URL: NOWHERE, RAZORPAY_API_URL: NOWHERE },
  ...{ VISION_INTERNAL_URL: NOWHERE, DOCUMENTS_INTERNAL_URL: NOWHERE, STATE_DIR: '/nonexistent' },
  ...{ DOCUMENTS_TO_VISION_SECRETS: secret('v'), PAYMENTS_TO_DOCUMENTS_SECRETS: secret('p') },
  ...{ WALLET_TO_DOCUMENTS_SECRETS: secret('w'), PAYMENTS_TO_WALLET_SECRETS: secret('q') },
  AUTH_SECRET: Buffer.alloc(32).toString('base64'),
  BLOB_KEK: `dev:${Buffer.alloc(32).toString('base64')}`,
  ...{ SMS_PROVIDER: 'sandbox', SMS_API_URL: NOWHERE, SMS_ACCOUNT_SID: 'AC', SMS_AUTH_TOKEN: 'x' },
  ...{ RAZORPAY_KEY_ID: 'rzp_test_x', RAZORPAY_KEY_SECRET: 'x' },
  ...{ RAZORPAY_WEBHOOK_SECRET: 'x', RAZORPAY_WEBHOOK_SECRETS: 'x' },
};

/** What starts with sandboxes or demo accounts. */
const STARTS: readonly { name: string; args: readonly string[]; service?: true }[] = [
  { name: 'npm start', args: ['infra/dev/src/main.ts', 'start'] },
  { name: 'sandbox', args: ['libs/testing/src/sandboxes/main.ts'] },
  { name: 'gateway', args: ['gateway/src/main.ts'] },
  { name: 'auth', args: ['services/auth/src/main.ts'], service: true },
  { name: 'documents', args: ['services/documents/src/main.ts'], service: true },
  { name: 'wallet', args: ['services/wallet/src/main.ts'], service: true },
];

/** What a process says until it ends, or until it has plainly started. */
function said({ name, args, service }: (typeof STARTS)[number]): Promise<string> {
  const own = service ? { SERVICE_NAME: name } : {};
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env['PATH'], ...SETTINGS, ...own, HOST: '0.0.0.0' },
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
