/** Which Dockerfile and target an image is built by. */
import { parts } from './parts.ts';

/** Of the providers' stand-ins, which no release has. */
const SANDBOX = 'sandbox';

/** Every image of a release by its name. */
export const releasedImages: readonly string[] = [
  ...parts.map(({ name }) => name).filter((name) => name !== SANDBOX),
  'web',
];

/** @returns the file below infra/docker, and the arguments that name the image in it */
export function recipeOf(name: string): { file: string; args: string[] } {
  if (name === 'web') return { file: 'Dockerfile.web', args: [] };
  const target = name === 'converter' || name === 'vision' ? name : 'service';
  return { file: 'Dockerfile', args: ['--target', target, '--build-arg', `PART=${name}`] };
}
