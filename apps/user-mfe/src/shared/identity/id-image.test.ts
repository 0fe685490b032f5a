import { idImageFault, unshownFault } from './id-image.ts';
import { sharedTexts } from '../texts.ts';

beforeAll(() => sharedTexts.load());

const faultText = (file: Pick<File, 'type' | 'size'>) => {
  const fault = idImageFault(file);
  return fault && sharedTexts.say(fault);
};

describe('the government ID image', () => {
  const file = (type: string, size: number) => ({ type, size });

  it('[AUTH-017] must be an image', () => {
    expect(faultText(file('application/pdf', 10))).toBe('Please select an image file');
  });

  it('is refused for its true cause if it is empty, or of a kind that the browser cannot show', () => {
    expect(faultText(file('image/png', 0))).toBe('This file is empty. Choose another one.');
    // Chrome on Linux and Windows knows no type for photo.heic.
    for (const type of ['', 'image/heic']) {
      expect(idImageFault(file(type, 10))).toBeNull();
      expect(sharedTexts.say(unshownFault({ type }))).toBe(
        'This picture could not be read. Choose a PNG or JPEG.',
      );
    }
    expect(unshownFault({ type: 'image/png' })).toBe('notAnImage');
  });

  it('[AUTH-018] must be under 10MB', () => {
    const limit = 10 * 1024 * 1024;
    expect(faultText(file('image/png', limit))).toBe('Image size should be less than 10MB');
    expect(idImageFault(file('image/png', limit - 1))).toBeNull();
  });
});
