import type { TokenVerifier } from '@karaar/http/auth';
import type { Logger } from '@karaar/observability/logging';
import type { JudgePool } from './inference/pool.ts';

export interface Context {
  logger: Logger;
  verifier: TokenVerifier;
  pool: Pick<JudgePool, 'judge' | 'isFull'>;
}
