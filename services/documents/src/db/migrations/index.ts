import * as init from './20261127T2000Z-init-documents.ts';

export const migrations = { '20261127T2000Z-init-documents': init };
