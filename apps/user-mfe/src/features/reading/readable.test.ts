import { readable } from './readable.ts';

describe('the shown form of a file', () => {
  it('is its rendering if it exists, because that will be sealed', () => {
    const preview = '/api/files/preview';
    for (const mime of ['application/pdf', 'image/png', 'application/msword'])
      expect(readable({ mime, path: '/api/files/x', preview })).toEqual({ kind: 'pdf', path: preview });
  });

  it('is the PDF or the image itself until then, and nothing for other kinds', () => {
    const of = (mime: string) => readable({ mime, path: '/x', preview: null });
    expect(of('application/pdf')).toEqual({ kind: 'pdf', path: '/x' });
    expect(of('image/jpeg')).toEqual({ kind: 'image', path: '/x' });
    expect(of('application/msword')).toBeNull();
  });
});
