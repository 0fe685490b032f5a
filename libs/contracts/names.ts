/** The names of the services. */
export const SERVICE_NAMES = [
  'auth',
  'documents',
  'payments',
  'wallet',
  'messaging',
  'vision',
  'cms',
] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];
