/** The Dockerfile and the build arguments of each image. */
import { parts } from './parts.ts';

/** The stand-ins for providers, which a release does not contain. */
const SANDBOX = 'sandbox';

export const releasedImages: readonly string[] = [
  ...parts.map(({ name }) => name).filter((name) => name !== SANDBOX),
  'web',
];

/** Returns the file in infra/docker, and the arguments that select the image in it. */
export function recipeOf(name: string): { file: string; args: string[] } {
  if (name === 'web') return { file: 'Dockerfile.web', args: [] };
  const target = name === 'converter' || name === 'vision' ? name : 'service';
  return { file: 'Dockerfile', args: ['--target', target, '--build-arg', `PART=${name}`] };
}
