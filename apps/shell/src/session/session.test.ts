import type { SessionUser } from '@karaar/api-client';
import type { User } from '@karaar/contracts/auth/http';
import fc from 'fast-check';
import { minimalUser, restore, sessionReducer, sessionUser, signedOut } from './session.ts';

const profile: User = {
  _id: 'u1',
  user_id: 'u1',
  char_id: '7K3MQX9A',
  name: 'Test Person',
  email: 'test@example.in',
  phone_no: '+919000000009',
  city: 'Pune',
  state: 'Maharashtra',
  status: 'active',
  is_active: true,
  is_admin: false,
  email_proved: true,
  created_at: '2026-11-01T00:00:00Z',
  updated_at: '2026-11-01T00:00:00Z',
  profile_pic: null,
  signature_pic: null,
  eye_pic: null,
  fingerprint: null,
  govt_id_type: 'PAN',
  govt_id_number: 'ABCDE1234F',
  govt_id_image: '/files/x',
};
const user: SessionUser = sessionUser(profile);

describe('sessionReducer', () => {
  it('[AUTH-032] a login success sets user, token and isAuthenticated', () => {
    expect(sessionReducer(signedOut, { type: 'signed-in', user, token: 't' })).toEqual({
      user,
      token: 't',
      isAuthenticated: true,
    });
  });

  it('[AUTH-034] a logout clears user and token', () => {
    const state = { user, token: 't', isAuthenticated: true };
    expect(sessionReducer(state, { type: 'signed-out' })).toEqual({
      user: null,
      token: null,
      isAuthenticated: false,
    });
  });

  it('[AUTH-035] a user update replaces the user, and is ignored after a logout', () => {
    const next = { ...user, name: 'New Name' };
    const state = { user, token: 't', isAuthenticated: true };
    expect(sessionReducer(state, { type: 'user-updated', user: next }).user).toBe(next);
    expect(sessionReducer(signedOut, { type: 'user-updated', user: next })).toBe(signedOut);
  });
});

describe('restore', () => {
  it('starts logged out without a token, whatever else is stored', () => {
    expect(restore(null, JSON.stringify(user))).toEqual({ kind: 'signed-out' });
  });

  it('[AUTH-036] with a stored token it loads the stored user', () => {
    expect(restore('t', JSON.stringify(user))).toEqual({ kind: 'signed-in', user, token: 't' });
  });

  it('[AUTH-037] with a stored token and no stored user it asks for the profile', () => {
    expect(restore('t', null)).toEqual({ kind: 'fetch-profile', token: 't' });
  });

  it('[AUTH-038] with a stored user that cannot be parsed it logs out', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(restore('t', text)).toEqual({ kind: 'signed-out' });
      }),
    );
  });
});

describe('the stored user', () => {
  it('[AUTH-066] holds only what the layout shows', () => {
    const text = JSON.stringify(user);
    expect(Object.keys(user).sort()).toEqual(
      ['user_id', 'char_id', 'name', 'email', 'phone_no', 'is_admin', 'profile'].sort(),
    );
    for (const secret of ['ABCDE1234F', '/files/x', 'Pune', 'PAN']) expect(text).not.toContain(secret);
  });

  it('[AUTH-040] is minimal and never an admin if the profile cannot be fetched after login', () => {
    const minimal = minimalUser({ user_id: 'u1', char_id: '7K3MQX9A' }, '+919000000009');
    expect(minimal).toMatchObject({ user_id: 'u1', char_id: '7K3MQX9A', is_admin: false, name: '' });
    expect(minimal.phone_no).toBe('+919000000009');
  });
});
