/** What the operator's tool takes of this service. */
export { Config as NotificationsConfig, hasWhatsapp } from './config.ts';
export { appendOnlyTables } from './db/append-only-tables.ts';
export { migrations } from './db/migrations/index.ts';
export { tryMailServer } from './features/mail/mailer.ts';
