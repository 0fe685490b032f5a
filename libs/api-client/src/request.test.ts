import { authRoutes } from '@karaar/contracts/auth/http';
import { documentsRoutes } from '@karaar/contracts/documents/http';
import fc from 'fast-check';
import { API_BASE, buildRequest, fillPath } from './request.ts';

describe('buildRequest', () => {
  it('[AUTH-043] goes to the API base /api', () => {
    expect(API_BASE).toBe('/api');
    expect(buildRequest(documentsRoutes.myDocuments, {}, null).url).toBe('/api/documents/my-documents');
  });

  it('[AUTH-042] carries the token as a Bearer token', () => {
    expect(buildRequest(authRoutes.profile, {}, 'abc').headers['authorization']).toBe('Bearer abc');
    expect(buildRequest(authRoutes.profile, {}, null).headers).not.toHaveProperty('authorization');
  });

  it('sends a JSON body, a query without empty values and an idempotency key', () => {
    const login = buildRequest(authRoutes.login, { body: { phone_no: '1', otp: '2' } }, null, {
      idempotencyKey: 'k1',
    });
    expect(login).toMatchObject({
      method: 'POST',
      url: '/api/auth/login',
      body: '{"phone_no":"1","otp":"2"}',
    });
    expect(login.headers).toMatchObject({ 'content-type': 'application/json', 'idempotency-key': 'k1' });
    const list = buildRequest(authRoutes.listUsers, { query: { search: 'a b', cursor: undefined } }, null);
    expect(list.url).toBe('/api/users/all?search=a+b');
  });

  it('sends multipart forms with the fields before the files', () => {
    const face = new File(['x'], 'profile_capture.jpg', { type: 'image/jpeg' });
    const form = buildRequest(
      documentsRoutes.create,
      { fields: { name: 'Rent', location: undefined }, files: { raw_documents: [face, face], eye: face } },
      null,
    ).body as FormData;
    expect([...form.keys()]).toEqual(['name', 'raw_documents', 'raw_documents', 'eye']);
    expect((form.get('eye') as File).name).toBe('profile_capture.jpg');
  });
});

describe('fillPath', () => {
  it('never lets a value change the structure of the path', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme-ascii' }), (id) => {
        const path = fillPath('/documents/:id/finalize', { id });
        expect(path.split('/')).toHaveLength(4);
        expect(decodeURIComponent(path.split('/')[2] ?? '')).toBe(id);
      }),
    );
  });

  it('refuses a missing value', () => {
    expect(() => fillPath('/documents/:id', {})).toThrow('No value for :id');
  });
});
