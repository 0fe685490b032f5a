import { idImageFault } from './id-image.ts';
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

  it('[AUTH-018] must be under 10MB', () => {
    const limit = 10 * 1024 * 1024;
    expect(faultText(file('image/png', limit))).toBe('Image size should be less than 10MB');
    expect(idImageFault(file('image/png', limit - 1))).toBeNull();
  });
});
