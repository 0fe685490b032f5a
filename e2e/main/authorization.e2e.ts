/** The authorization matrix (`src/authorization/matrix.ts`) at the product of the journeys. */
import { jest } from '@jest/globals';
import { closed, openMatrix, type Matrix } from '../src/authorization/matrix.ts';
import { sharedProduct } from '../src/shared-product/index.ts';

jest.setTimeout(120_000);

let matrix: Matrix;

beforeAll(async () => {
  matrix = await openMatrix(sharedProduct);
}, 120_000);
afterAll(() => matrix.stop());

it('has many routes that ask who calls', () => {
  expect(closed.length).toBeGreaterThan(70);
  expect(closed.filter(({ contract }) => contract.access === 'admin').length).toBeGreaterThan(10);
});

describe.each([
  { way: 'through the gateway', direct: false },
  { way: 'past the gateway, at the service', direct: true },
])('$way', ({ direct }) => {
  it('[AUTH-044] [ADMIN-028] nobody gets in: anonymous, forged, expired, revoked, foreign issuer, alg:none, no session', async () => {
    expect(await matrix.nobodies(direct)).toEqual([]);
  });

  it('[AUTH-065] a deactivated user gets in nowhere, with a token that was good', async () => {
    expect(await matrix.deactivated(direct)).toEqual([]);
  });

  it('[ADMIN-029] [ADMIN-031] a user is refused on admin calls and an admin on user calls, without being logged out', async () => {
    expect(await matrix.wrongAudience(direct)).toEqual([]);
  });

  it('the right audience is let in', async () => {
    expect(await matrix.rightAudience(direct)).toEqual([]);
  });

  it('an admin is let in by role alone: what the contract does not name is refused, and does nothing', async () => {
    expect(await matrix.roles(direct)).toEqual([]);
  });

  it('what is public asks for no sign-in', async () => {
    expect(await matrix.open(direct)).toEqual([]);
  });
});

describe('another user’s object', () => {
  it('is thought of for every route that could name one', () => {
    expect(matrix.undeclared()).toEqual([]);
  });

  it('is refused to a stranger, shows nothing private, and stays as it was', async () => {
    expect(await matrix.crossUserFaults()).toEqual([]);
  });
});
