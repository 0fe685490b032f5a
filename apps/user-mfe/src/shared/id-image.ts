/** What a government ID image may be (spec §5 Register). */
import { ID_IMAGE_LIMIT } from '@karaar/contracts/limits';

export const idImageTexts = {
  label: 'Government ID image',
  hint: 'A clear photo or scan, under 10MB. Drop it here or choose a file.',
  preview: 'Your government ID image',
  replace: 'Choose another image',
  notAnImage: 'Please select an image file',
  tooLarge: 'Image size should be less than 10MB',
} as const;

/** What is wrong with a file chosen as government ID image, or null. */
export function idImageFault(file: Pick<File, 'type' | 'size'>): string | null {
  if (!file.type.startsWith('image/')) return idImageTexts.notAnImage;
  return file.size >= ID_IMAGE_LIMIT ? idImageTexts.tooLarge : null;
}
