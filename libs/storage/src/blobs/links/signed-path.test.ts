import fc from 'fast-check';
import { PathSigner } from './signed-path.ts';
import { ring } from '../testing/stores.ts';

const PATH = '0123456789abcdef0123456789abcdef/01234567-89ab-cdef-0123-456789abcdef';
const NOW = Date.parse('2026-11-20T12:00:00Z');
const at = (ms: number, keks = ring('k1'), service = 'auth') => new PathSigner(service, keks, () => ms);
const signed = at(NOW).sign(PATH, {
  viewerId: 'viewer-1',
  sessionId: 'session-1',
  ttlS: 300,
  filename: 'करार.pdf',
});

const codeOf = (signer: PathSigner, link: string) => {
  try {
    signer.verify(link);
    return 'valid';
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

describe('signPath', () => {
  it('returns a path of the API host that reveals neither viewer nor file name', () => {
    expect(signed.startsWith(`/api/files/auth/${PATH}?v=`)).toBe(true);
    expect(signed).not.toContain('viewer-1');
    expect(decodeURIComponent(signed)).not.toContain('करार');
    for (const param of new URLSearchParams(signed.split('?')[1]).values())
      expect(Buffer.from(param, 'base64url').includes('viewer-1')).toBe(false);
  });

  it('verifies with or without /api and service in front, and returns the signed data', () => {
    for (const link of [signed, signed.replace('/api', ''), signed.replace('/api/files/auth', '/files')])
      expect(at(NOW).verify(link)).toMatchObject({
        path: PATH,
        viewerId: 'viewer-1',
        sessionId: 'session-1',
        filename: 'करार.pdf',
      });
  });

  it('keeps a link the same and valid for at least half of its lifetime', () => {
    fc.assert(
      fc.property(fc.nat(100_000_000), fc.integer({ min: 2, max: 86_400 }), (later, ttlS) => {
        const ms = NOW + later;
        const link = at(ms).sign(PATH, { viewerId: 'v', sessionId: 's', ttlS });
        const left = at(ms).verify(link).expiresAt.getTime() - ms;
        expect(left).toBeLessThanOrEqual(ttlS * 1000);
        expect(left).toBeGreaterThanOrEqual(Math.floor(ttlS / 2) * 1000);
        expect(codeOf(at(ms + left - 1), link)).toBe('valid');
        expect(codeOf(at(ms + left), link)).toBe('blob_link_expired');
        const step = Math.floor(ttlS / 2) * 1000;
        expect(at(ms - (ms % step)).sign(PATH, { viewerId: 'v', sessionId: 's', ttlS })).toBe(link);
      }),
    );
  });

  it('rejects a link with any character changed', () => {
    fc.assert(
      fc.property(fc.nat(signed.length - 1), fc.constantFrom(...'Aa0_-.~'), (i, char) => {
        fc.pre(signed[i] !== char && i >= '/api'.length);
        const forged = signed.slice(0, i) + char + signed.slice(i + 1);
        // The last character of base64url has unused bits: two spellings of the same signature.
        const same = Buffer.from(forged.split('&s=')[1] ?? '', 'base64url').equals(
          Buffer.from(signed.split('&s=')[1] ?? '', 'base64url'),
        );
        fc.pre(!(same && forged.split('&s=')[0] === signed.split('&s=')[0]));
        expect(codeOf(at(NOW), forged)).toBe('blob_link_invalid');
      }),
      { numRuns: 500 },
    );
  });

  it('rejects a link for another viewer, a later expiry, another file, another service or another KEK', () => {
    const [, query = ''] = signed.split('?');
    const params = new URLSearchParams(query);
    const other = new URLSearchParams(
      at(NOW).sign(PATH, { viewerId: 'viewer-2', sessionId: 'session-1', ttlS: 300 }).split('?')[1],
    );
    const link = (v: string | null, e: string | null, s: string | null, path = PATH, service = 'auth') =>
      `/files/${service}/${path}?v=${v}&e=${e}&s=${s}`;
    const [v, e, s] = [params.get('v'), params.get('e'), params.get('s')];
    expect(codeOf(at(NOW), link(v, e, s))).toBe('valid');
    expect(codeOf(at(NOW), link(other.get('v'), e, s))).toBe('blob_link_invalid');
    expect(codeOf(at(NOW), link(v, String(Number(e) + 1), s))).toBe('blob_link_invalid');
    expect(codeOf(at(NOW), link(v, e, s, PATH.replace('0', '1')))).toBe('blob_link_invalid');
    expect(codeOf(at(NOW), link(v, e, s, PATH, 'documents'))).toBe('blob_link_invalid');
    expect(codeOf(at(NOW, ring('k1'), 'documents'), link(v, e, s, PATH, 'documents'))).toBe(
      'blob_link_invalid',
    );
    expect(codeOf(at(NOW, ring('k9')), signed)).toBe('blob_link_invalid');
    for (const bad of ['', '/files/auth/', `/files/auth/${PATH}`, `/files/auth/${PATH}?v=&e=&s=`, '/other'])
      expect(codeOf(at(NOW), bad)).toBe('blob_link_invalid');
  });

  it('keeps links valid through a rotation while the old KEK is in the ring', () => {
    expect(codeOf(at(NOW, ring('k2', 'k1')), signed)).toBe('valid');
    expect(codeOf(at(NOW, ring('k2')), signed)).toBe('blob_link_invalid');
  });
});
