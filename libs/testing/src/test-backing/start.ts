import { startBacking } from '../backing/backing.ts';
import type { TestBackingChoice } from './choice.ts';
import { testImages } from './images.ts';

/** The servers of one run of tests. */
export interface TestBacking {
  readonly postgresUrl: string;
  readonly natsUrl: string;
  readonly redisUrl: string;
  /** Stops them and removes what they kept. */
  stop(): Promise<void>;
}

/** Where and for how many test files at a time. */
export interface TestBackingOptions {
  stateDir: string;
  isolated: number;
  log?: (line: string) => void;
}

/** Starts PostgreSQL, NATS and Redis, not durable, the way that was chosen. */
export async function startTestBacking(
  choice: TestBackingChoice,
  { stateDir, isolated, log = () => undefined }: TestBackingOptions,
): Promise<TestBacking> {
  if (choice.kind === 'embedded') {
    const backing = await startBacking({ stateDir, log, durable: false, isolated, env: {} });
    const { postgresUrl, natsUrl, redisUrl } = backing;
    return { postgresUrl, natsUrl, redisUrl, stop: () => backing.stop({ remove: true }) };
  }
  // Loaded here only: nobody else needs Testcontainers and what it brings.
  const { startContainers } = await import('./containers.ts');
  const images = testImages(process.env);
  return startContainers({ socket: choice.socket, images, isolated, owner: stateDir, log });
}
