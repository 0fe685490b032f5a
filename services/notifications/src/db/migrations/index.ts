import * as init from './20261127T2000Z-init-notifications.ts';

export const migrations = { '20261127T2000Z-init-notifications': init };
