/** `npm run compose:env`: writes infra/docker/.env with keys of its own, once; what is there stays. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { noteKeyOf } from '@karaar/dev/note-keys';

const LOG = 'karaar.localhost/log';
const WITNESS = 'karaar.localhost/witness';

const random = (): string => randomBytes(32).toString('base64');
const ed25519 = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');

/** Everything that compose.yaml asks for, freshly made. */
export function composeEnv(): Record<string, string> {
  const logKey = ed25519();
  const witnessKey = ed25519();
  return {
    POSTGRES_PASSWORD: randomBytes(18).toString('hex'),
    // Stands in URLs, so without signs that mean something there.
    DATABASE_PASSWORD: randomBytes(18).toString('hex'),
    BLOB_KEK: `dev:${random()}`,
    AUTH_SECRET: random(),
    TOKEN_SIGNING_KEY: ed25519(),
    SMS_AUTH_TOKEN: randomBytes(18).toString('hex'),
    RAZORPAY_KEY_SECRET: randomBytes(18).toString('hex'),
    RAZORPAY_WEBHOOK_SECRET: randomBytes(18).toString('hex'),
    LOG_KEY: logKey,
    WITNESS_KEY: witnessKey,
    WITNESS_LOG_KEY: noteKeyOf('log', LOG, logKey),
    LOG_WITNESS: noteKeyOf('cosignature', WITNESS, witnessKey),
  };
}

const target = fileURLToPath(new URL('../.env', import.meta.url));
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (existsSync(target)) {
    process.stdout.write(`${target} is there already; it stays as it is.\n`);
  } else {
    const lines = Object.entries(composeEnv()).map(([name, value]) => `${name}='${value}'`);
    writeFileSync(target, `${lines.join('\n')}\n`, { mode: 0o600 });
    process.stdout.write(`Wrote ${target}\n`);
  }
}
