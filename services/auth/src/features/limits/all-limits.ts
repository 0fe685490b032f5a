import type { Config } from '../../config.ts';
import type { Db } from '../../db/schema.ts';
import { createLimit } from './limits.ts';

const HOUR_MS = 3_600_000;
/** How many addresses' worth of registrations the whole network of one customer gets. */
const ADDRESSES_OF_NETWORK = 5;
const REGISTRATIONS = 'Too many registrations from your network. Please try again later.';

export const createLimits = (db: Db, pepper: Buffer, config: Config) => ({
  registrations: createLimit(db, pepper, {
    name: 'register',
    max: config.REGISTER_IP_PER_HOUR,
    windowMs: HOUR_MS,
    text: REGISTRATIONS,
  }),
  networkRegistrations: createLimit(db, pepper, {
    name: 'register-network',
    max: config.REGISTER_IP_PER_HOUR * ADDRESSES_OF_NETWORK,
    windowMs: HOUR_MS,
    text: REGISTRATIONS,
  }),
  contactSearches: createLimit(db, pepper, {
    name: 'contact-search',
    max: config.CONTACT_SEARCHES_PER_HOUR,
    windowMs: HOUR_MS,
    text: 'Too many searches by phone or e-mail. Please try again later, or search by name or ID.',
  }),
  /** The answer to a change reveals whether an account has the address. */
  emailChanges: createLimit(db, pepper, {
    name: 'email-change',
    max: 10,
    windowMs: HOUR_MS,
    text: 'You have changed your e-mail address many times just now. Please try again in an hour.',
  }),
  /** Each request sends an SMS, an app notification and an e-mail. */
  phoneMoves: createLimit(db, pepper, {
    name: 'phone-move',
    max: 3,
    windowMs: 24 * HOUR_MS,
    text: 'You have asked for another number several times. Please try again tomorrow.',
  }),
  exports: createLimit(db, pepper, {
    name: 'export',
    max: 10,
    windowMs: HOUR_MS,
    text: 'You have exported your data several times just now. Please try again in an hour.',
  }),
  passwordChecks: createLimit(db, pepper, {
    name: 'admin-password',
    max: 20,
    windowMs: HOUR_MS,
    text: 'Too many attempts. Please try again later.',
  }),
});
