import { idImageFault } from './id-image.ts';

describe('the government ID image', () => {
  const file = (type: string, size: number) => ({ type, size });

  it('[AUTH-017] must be an image', () => {
    expect(idImageFault(file('application/pdf', 10))).toBe('Please select an image file');
  });

  it('[AUTH-018] must be under 10MB', () => {
    const limit = 10 * 1024 * 1024;
    expect(idImageFault(file('image/png', limit))).toBe('Image size should be less than 10MB');
    expect(idImageFault(file('image/png', limit - 1))).toBeNull();
  });
});
