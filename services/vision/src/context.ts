import type { TokenVerifier } from '@karaar/platform/auth';
import type { Logger } from '@karaar/platform/logging';
import type { JudgePool } from './inference/pool.ts';

export interface Context {
  logger: Logger;
  verifier: TokenVerifier;
  pool: Pick<JudgePool, 'judge' | 'isFull'>;
}
