import fc from 'fast-check';
import { chatPartner } from './summary.ts';

describe('chatPartner', () => {
  it('[DASH-011] is null if at most one user is involved', () => {
    expect(chatPartner([], 'u1')).toBeNull();
    expect(chatPartner(['u1'], 'u1')).toBeNull();
    expect(chatPartner(['u2'], 'u1')).toBeNull();
  });

  it('[DASH-012] is the first involved user who is not the current user', () => {
    expect(chatPartner(['u1', 'u2', 'u3'], 'u1')).toBe('u2');
    expect(chatPartner(['u2', 'u1', 'u3'], 'u1')).toBe('u2');
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 2 }), fc.nat(), (users, pick) => {
        const me = users[pick % users.length] ?? '';
        expect(chatPartner(users, me)).toBe(users.filter((user) => user !== me)[0]);
      }),
    );
  });
});
