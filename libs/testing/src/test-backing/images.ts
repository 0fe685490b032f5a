/** The images that tests run their servers from: those of infra/docker/compose.yaml, or what the environment names. */

export interface TestImages {
  postgres: string;
  nats: string;
  /** Must have `valkey-server`. */
  redis: string;
}

export const pinnedImages: TestImages = {
  postgres: 'postgres:18.1-trixie',
  nats: 'nats:2.12.2-alpine',
  redis: 'valkey/valkey:9.0.0-alpine',
};

export const imageVariables = {
  postgres: 'TEST_POSTGRES_IMAGE',
  nats: 'TEST_NATS_IMAGE',
  redis: 'TEST_REDIS_IMAGE',
} as const;

/** The pinned images, each replaced by its variable where that is set. */
export function testImages(env: NodeJS.ProcessEnv): TestImages {
  const image = (name: keyof TestImages) => env[imageVariables[name]] || pinnedImages[name];
  return { postgres: image('postgres'), nats: image('nats'), redis: image('redis') };
}
