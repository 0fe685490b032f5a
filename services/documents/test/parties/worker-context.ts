import type { Context } from '../../src/context.ts';
import type { Api } from '../api.ts';

/** Returns a context for the workers that remind people and cancel documents. */
export const workerContext = (
  { service }: Api,
  outbox: Pick<Context['outbox'], 'add' | 'wake'> = service.foundation.outbox,
): Context =>
  ({
    ...service.foundation,
    outbox,
    config: { REMINDER_DAYS_AFTER_INVITATION: [3, 7] },
    directory: { findById: () => Promise.resolve({ name: 'Vikram Shah' }) },
    textMessages: { wake: () => undefined },
  }) as unknown as Context; // only the parts that these workers use
