export const SERVICE_NAMES = [
  'auth',
  'documents',
  'payments',
  'wallet',
  'messaging',
  'vision',
  'cms',
  'notifications',
] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** Services with a database: these have an outbox, a stream and dead letters. */
export const PUBLISHERS = SERVICE_NAMES.filter((name) => name !== 'vision');

/** Services that keep files, each in its own part of the store and under keys of its own. */
export const WITH_FILES = ['auth', 'documents', 'messaging'] as const satisfies readonly ServiceName[];
