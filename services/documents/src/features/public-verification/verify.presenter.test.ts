import { presentVerification } from './verify.presenter.ts';

it.each([
  [true, { own_authority: true }],
  [false, {}],
])('names the installation’s own authority: %s', (ownAuthority, shown) => {
  const seal = { signer: 'Seal', fingerprint: 'ab', statedTime: new Date(0), ownAuthority };
  const finding = { sha256: 'cd', valid: true, checks: [], unsealed: false, seal, log: null };
  const { own_authority, sealed_by } = presentVerification(finding);
  expect({ own_authority, sealed_by }).toEqual({ sealed_by: 'Seal', ...shown });
});
