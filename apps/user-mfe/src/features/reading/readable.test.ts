import { readable } from './readable.ts';

describe('what is shown of a file', () => {
  it('is its rendering where there is one, for that is what will be sealed', () => {
    const preview = '/api/files/preview';
    for (const mime of ['application/pdf', 'image/png', 'application/msword'])
      expect(readable({ mime, path: '/api/files/x', preview })).toEqual({ kind: 'pdf', path: preview });
  });

  it('is a PDF or an image itself until then, and nothing of any other kind', () => {
    const of = (mime: string) => readable({ mime, path: '/x', preview: null });
    expect(of('application/pdf')).toEqual({ kind: 'pdf', path: '/x' });
    expect(of('image/jpeg')).toEqual({ kind: 'image', path: '/x' });
    expect(of('application/msword')).toBeNull();
  });
});
