/**
 * `npm run --silent k8s:local-secrets | kubectl apply -f -`: the secrets of a cluster on one's own machine, freshly
 * made, in a namespace beside the product, and the right of the product's store to read them.
 */
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { BROKER_USERS } from '@karaar/contracts/broker/rights';
import { edges } from '@karaar/contracts/internal';
import { REDIS_USERS } from '@karaar/contracts/redis/rights';
import { composeEnv, DATABASES, fileKeyVariable, WITH_FILES } from '@karaar/images/compose-env';
import { stringify } from 'yaml';

const NAMESPACE = 'karaar-secrets';
const password = (): string => randomBytes(18).toString('hex');

const secret = (name: string, stringData: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: NAMESPACE },
  type: 'Opaque',
  stringData,
});

/** Objects for `kubectl apply`: every entry that the overlay's ExternalSecrets name. */
export function localSecrets(): Record<string, unknown>[] {
  const made = composeEnv();
  const of = (name: string): string => made[name] ?? password();
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
    secret('auth', { AUTH_SECRET: of('AUTH_SECRET'), TOKEN_SIGNING_KEY: of('TOKEN_SIGNING_KEY') }),
    secret(
      'blobs',
      Object.fromEntries(WITH_FILES.map((name) => [fileKeyVariable(name), of(fileKeyVariable(name))])),
    ),
    secret('documents', {
      LOG_KEY: of('LOG_KEY'),
      LOG_WITNESSES: `${of('LOG_WITNESS')} http://witness:8080`,
      // None: in development the service makes a seal of its own.
      SEAL_P12: '',
      SEAL_P12_PASSWORD: '',
    }),
    secret('edges', Object.fromEntries(edges.map(({ variable }) => [variable, of(variable)]))),
    secret('nats', Object.fromEntries(BROKER_USERS.map((user) => [user, password()]))),
    secret(
      'postgres',
      Object.fromEntries(
        DATABASES.flatMap((name) => [`karaar_${name}`, `karaar_${name}_app`]).map((role) => [
          role,
          password(),
        ]),
      ),
    ),
    secret('sms', { SMS_ACCOUNT_SID: 'ACsandbox', SMS_AUTH_TOKEN: of('SMS_AUTH_TOKEN') }),
    secret('valkey', {
      password: password(),
      ...Object.fromEntries(REDIS_USERS.map((user) => [user, password()])),
    }),
    secret('wallet', {
      RAZORPAY_KEY_ID: 'rzp_test_karaar',
      RAZORPAY_KEY_SECRET: of('RAZORPAY_KEY_SECRET'),
      RAZORPAY_WEBHOOK_SECRETS: of('RAZORPAY_WEBHOOK_SECRET'),
    }),
    secret('witness', { WITNESS_KEY: of('WITNESS_KEY'), WITNESS_LOG_KEY: of('WITNESS_LOG_KEY') }),
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'store', namespace: NAMESPACE },
      rules: [
        { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch'] },
        {
          apiGroups: ['authorization.k8s.io'],
          resources: ['selfsubjectrulesreviews'],
          verbs: ['create'],
        },
      ],
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'store', namespace: NAMESPACE },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'store' },
      subjects: [{ kind: 'ServiceAccount', name: 'secrets', namespace: 'karaar' }],
    },
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(
    localSecrets()
      .map((object) => stringify(object))
      .join('---\n'),
  );
