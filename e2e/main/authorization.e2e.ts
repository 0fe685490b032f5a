import { jest } from '@jest/globals';
import { closed, openMatrix } from '../src/authorization/matrix.ts';
import { sharedProduct } from '../src/shared-product/index.ts';

jest.setTimeout(120_000);

const matrix = await openMatrix(sharedProduct);
afterAll(() => matrix.stop());

it('has many routes that require a sign-in', () => {
  expect(closed.length).toBeGreaterThan(70);
  expect(closed.filter(({ contract }) => contract.access === 'admin').length).toBeGreaterThan(10);
});

describe.each([
  { way: 'through the gateway', direct: false },
  { way: 'past the gateway, at the service', direct: true },
])('$way', ({ direct }) => {
  it('[AUTH-044] [ADMIN-028] refuses tokens that are absent, forged, expired, revoked, of a foreign issuer, with alg:none or without a session', async () => {
    expect(await matrix.nobodies(direct)).toEqual([]);
  });

  it('[AUTH-065] refuses a deactivated user’s formerly valid token everywhere', async () => {
    expect(await matrix.deactivated(direct)).toEqual([]);
  });

  it('[ADMIN-029] [ADMIN-031] refuses a user on admin routes and an admin on user routes, without signing them out', async () => {
    expect(await matrix.wrongAudience(direct)).toEqual([]);
  });

  it('admits the right audience', async () => {
    expect(await matrix.rightAudience(direct)).toEqual([]);
  });

  it('admits an admin only by the roles that the contract names', async () => {
    expect(await matrix.roles(direct)).toEqual([]);
  });

  it('requires no sign-in on public routes', async () => {
    expect(await matrix.open(direct)).toEqual([]);
  });
});

describe('another user’s object', () => {
  it('has a case for every route that could name one', () => {
    expect(matrix.undeclared()).toEqual([]);
  });

  it('is refused to a stranger, reveals nothing private, and does not change', async () => {
    expect(await matrix.crossUserFaults()).toEqual([]);
  });
});
