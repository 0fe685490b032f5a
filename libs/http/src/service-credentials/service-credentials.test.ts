import { Type } from 'typebox';
import { loadConfig, refuseInProduction } from '@karaar/base/config';
import { createCallers, credential, serviceSecretsRule, ServiceSecrets } from './index.ts';

const [FIRST, SECOND] = ['a'.repeat(43), 'b'.repeat(43)] as [string, string];
const Config = Type.Object({ NODE_ENV: Type.String(), WALLET_TO_DOCUMENTS_SECRETS: ServiceSecrets });
const read = (value: string, mode = 'production') => {
  const config = loadConfig(Config, { NODE_ENV: mode, WALLET_TO_DOCUMENTS_SECRETS: value });
  refuseInProduction(config, [serviceSecretsRule<typeof config>('WALLET_TO_DOCUMENTS_SECRETS')]);
  return config.WALLET_TO_DOCUMENTS_SECRETS;
};

it('are one secret, or two during a rotation: the first is sent, both are accepted', () => {
  expect(read(FIRST)).toEqual([FIRST]);
  const both = read(`${FIRST},${SECOND}`);
  expect(credential(both)).toEqual({ authorization: `Bearer ${FIRST}` });
  const callerOf = createCallers({ wallet: both });
  expect([FIRST, SECOND, 'c'.repeat(43), '', FIRST.slice(1)].map(callerOf)).toEqual([
    'wallet',
    'wallet',
    undefined,
    undefined,
    undefined,
  ]);
});

it.each([
  ['none', '', 'is required'],
  ['a short one', 'a'.repeat(31), 'must have at least 32 letters'],
  ['one that is not a header value', `${'a'.repeat(40)} b`, 'must have at least 32 letters'],
  ['three', [FIRST, SECOND, 'c'.repeat(43)].join(','), 'WALLET_TO_DOCUMENTS_SECRETS'],
])('are rejected: %s', (_what, value, says) => {
  expect(() => read(value)).toThrow(says);
});

it('rotate without downtime, whichever side restarts first', () => {
  const steps = [FIRST, `${FIRST},${SECOND}`, `${SECOND},${FIRST}`, SECOND].map((value) => read(value));
  for (let step = 0; step < steps.length - 1; step += 1)
    for (const caller of steps.slice(step, step + 2))
      for (const callee of steps.slice(step, step + 2))
        expect([step, createCallers({ wallet: callee })(caller[0] ?? '')]).toEqual([step, 'wallet']);
});

it('of development are rejected in production on both sides, without being printed', () => {
  const made = `dev-${FIRST}`;
  expect(read(made, 'development')).toEqual([made]);
  for (const value of [made, `${FIRST},${made}`])
    expect(() => read(value)).toThrow(
      /WALLET_TO_DOCUMENTS_SECRETS holds a secret of development; set an own one \(refused in production\)$/,
    );
});

it('must differ between two callers, who would be indistinguishable', () => {
  expect(() => createCallers({ wallet: [FIRST], payments: [SECOND, FIRST] })).toThrow(
    'The secret of wallet is also that of another caller',
  );
});
