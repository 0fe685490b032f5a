import { deviceFault } from './photo.ts';

describe('a photo from the device', () => {
  const MAX = 1_000;

  it('is accepted if it is an image within the size limit', () => {
    expect(deviceFault({ type: 'image/png', size: MAX }, MAX)).toBeNull();
    expect(deviceFault({ type: 'image/heic', size: 1 }, MAX)).toBeNull();
    expect(deviceFault({ type: '', size: 1 }, MAX)).toBeNull();
  });

  it('is refused with the reason otherwise', () => {
    expect(deviceFault({ type: 'image/png', size: MAX + 1 }, MAX)).toBe('fileTooLarge');
    expect(deviceFault({ type: 'image/png', size: 0 }, MAX)).toBe('fileEmpty');
    expect(deviceFault({ type: 'application/pdf', size: 10 }, MAX)).toBe('fileNotImage');
  });
});
